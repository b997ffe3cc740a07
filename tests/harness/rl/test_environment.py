"""What the environment deals, asks, pays and refuses."""

import importlib
import random
import re
import sys

import numpy as np
import pytest
from tongits_engine import ACTIONS, IllegalActionError, deck, first_dealer, mask_of, rules_named
from tongits_harness.errors import TongitsError
from tongits_harness.rl import AGENTS, env, parallel_env, raw_env


def chosen(mask, chance):
    legal = mask.nonzero()[0]
    return int(legal[int(chance.random() * len(legal))])


def played(table, chance):
    """Plays an episode at random: what each agent got in all, and how many were asked what."""
    paid, asked = dict.fromkeys(AGENTS, 0), []
    for agent in table.agent_iter():
        seen, reward, terminated, _, info = table.last()
        paid[agent] += reward
        if terminated:
            assert not seen["action_mask"].any()
            assert info["results"]
            table.step(None)
            continue
        asked.append((agent, int(seen["action_mask"].sum())))
        table.step(chosen(seen["action_mask"], chance))
    return paid, asked


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong", "ngalimba"])
def test_rewards_are_the_chips_of_the_session_and_sum_to_zero(rules):
    table = env(rules=rules, games=4)
    chance = random.Random(1)
    for seed in range(15):
        table.reset(seed=seed)
        paid, _ = played(table, chance)
        episode = table.unwrapped.episode
        assert tuple(paid.values()) == episode.table.chips
        assert sum(paid.values()) == 0
        assert (episode.table.games, episode.table.pot, episode.games_left) == (4, 0, 0)


def test_the_seed_deals_the_decks_of_the_engines_shuffle():
    table = raw_env()
    seed = (7).to_bytes(32, "big")
    for number in range(3):
        table.reset(seed=7 if number == 0 else None)
        state = table.episode.state
        key = f"episode {number}"
        dealer = first_dealer(seed, key)
        cards = deck(seed, key, 0)
        assert state.dealer == dealer
        assert state.hands[dealer] == mask_of(cards[:36:3]) | mask_of(cards[36:37])
        assert state.stock == cards[37:]


def test_without_a_seed_every_environment_deals_otherwise():
    one, other = raw_env(), raw_env()
    one.reset()
    other.reset()
    assert one.episode.state.deck != other.episode.state.deck


def test_a_seat_is_asked_only_where_it_has_a_choice_unless_that_is_wanted():
    counts = {}
    for ask_forced in (False, True):
        table = env(ask_forced=ask_forced)
        chance = random.Random(2)
        for seed in range(5):
            table.reset(seed=seed)
            counts.setdefault(ask_forced, []).extend(n for _, n in played(table, chance)[1])
    assert min(counts[False]) > 1
    assert min(counts[True]) == 1


def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing():
    table = env()
    table.reset(seed=1)
    agent, seen = table.agent_selection, table.last()[0]
    illegal = ACTIONS.index(next(a for a in ACTIONS if a.text == "draw"))
    with pytest.raises(IllegalActionError, match=r"draw: .*R-"):
        table.step(illegal)
    assert table.agent_selection == agent
    assert np.array_equal(table.last()[0]["observation"], seen["observation"])


@pytest.mark.parametrize("action", [-1, len(ACTIONS), None])
def test_what_is_no_action_is_refused(action):
    table = raw_env()
    table.reset(seed=1)
    with pytest.raises(TongitsError, match="an action is a code from 0 to 1690"):
        table.step(action)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"games": 0}, "games=0"),
        ({"render_mode": "rgb_array"}, "render_mode='rgb_array'"),
    ],
)
def test_options_without_meaning_are_refused(options, words):
    with pytest.raises(TongitsError, match=re.escape(words)):
        env(**options)


def test_seeds_outside_256_bits_are_refused():
    for seed in (-1, 1 << 256):
        with pytest.raises(TongitsError, match="a seed is a whole number"):
            raw_env().reset(seed=seed)


def test_rules_may_be_overridden():
    table = raw_env("sa-tong", {"deal.cards": [9, 8]})
    table.reset(seed=3)
    assert table.course.rules == rules_named("sa-tong", {"deal.cards": [9, 8]})
    assert sorted(hand.bit_count() for hand in table.episode.state.hands) == [8, 8, 9]


def test_the_parallel_form_takes_the_action_of_the_agent_to_act():
    table = parallel_env()
    chance = random.Random(3)
    seen, _ = table.reset(seed=4)
    paid = dict.fromkeys(AGENTS, 0)
    while table.agents:
        actions = {a: chosen(s["action_mask"], chance) for a, s in seen.items() if any_of(s)}
        assert len(actions) == 1
        seen, rewards, _, _, _ = table.step(actions)
        paid = {agent: paid[agent] + rewards[agent] for agent in AGENTS}
    assert tuple(paid.values()) == table.unwrapped.episode.table.chips


def any_of(seen):
    return seen["action_mask"].any()


def test_without_the_extra_the_cure_is_told(monkeypatch):
    monkeypatch.delitem(sys.modules, "tongits_harness.rl")
    monkeypatch.setitem(sys.modules, "pettingzoo.utils.conversions", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'tongits-arena\[rl\]'"):
        importlib.import_module("tongits_harness.rl")
