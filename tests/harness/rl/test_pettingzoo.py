"""The environment passes PettingZoo's own tests, in both variants and over sessions."""

import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper
from tongits_harness.rl import env, parallel_env, raw_env

# Said of every environment with a mask that is not on PettingZoo's list of its own names, and of
# every agent that is shown the end of an episode: there it has no legal action.
WITH_A_MASK = [
    "ignore:Observation is not a NumPy array$:UserWarning",
    "ignore:Observation space for each agent probably should be .*box or .*discrete$:UserWarning",
    r"ignore:Action mask numpy array is all zeros \(no legal actions\).$:UserWarning",
]
COURSES = [
    {},
    {"rules": "sa-tong", "games": 2},
    {"rules": "ngalimba", "games": 3, "ask_forced": True},
]
quietly = pytest.mark.filterwarnings(*WITH_A_MASK)


@quietly
@pytest.mark.parametrize("course", COURSES, ids=str)
def test_it_passes_the_api_test(course):
    api_test(env(**course), num_cycles=150)


@quietly
def test_the_raw_environment_passes_too():
    api_test(raw_env(games=2), num_cycles=100)


@quietly
def test_an_illegal_action_can_end_the_episode_as_in_pettingzoos_own_games():
    api_test(TerminateIllegalWrapper(raw_env(), illegal_reward=-10), num_cycles=50)


@pytest.mark.parametrize("course", COURSES, ids=str)
def test_it_passes_the_seed_test(course):
    seed_test(lambda: env(**course), num_cycles=100)


@pytest.mark.parametrize("course", COURSES, ids=str)
def test_its_parallel_form_passes_the_parallel_api_test(course):
    parallel_api_test(parallel_env(**course), num_cycles=200)


def test_it_passes_the_render_test(capsys):
    render_test(env)
    assert "player_2" in capsys.readouterr().out
