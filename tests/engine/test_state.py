"""States and rules are values: equal, hashed, stored, and left as they are by whoever uses them."""

import copy
import pickle
import random

import pytest
from tongits_engine import PRESETS, apply_legal, deal, deck, legal_actions, observe, rules_named

from tests.engine.random_games import PRESETS as COMBINATIONS


def game(name, seed=1):
    """Every state of one random game."""
    chance = random.Random(seed)
    state = deal(rules_named(name), deck(bytes(32), "states", seed), seed % 3)
    yield state
    while not state.is_over:
        state = apply_legal(state, chance.choice(legal_actions(state))).state
        yield state


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_stored_comes_back_equal(name):
    for state in game(name):
        again = pickle.loads(pickle.dumps(state))  # noqa: S301  # our own bytes
        assert again == state == copy.deepcopy(state)
        assert hash(again) == hash(state)
        assert legal_actions(again) == legal_actions(state)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_rules_come_back_equal(name):
    rules = rules_named(name)
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301  # our own bytes


def test_every_state_of_a_game_is_another():
    states = list(game("tongits-lite"))
    assert len(set(states)) == len(states)
    assert states[0] != "a state"


def test_states_are_left_as_they_are():
    for state in game("sa-tong", seed=4):
        before = pickle.dumps(state)
        for action in legal_actions(state):
            apply_legal(state, action)
        observe(state, 0)
        assert pickle.dumps(state) == before


def test_what_is_legal_is_found_once():
    state = deal(rules_named("tongits-lite"), deck(bytes(32), "states", 0), 0)
    assert legal_actions(state) is legal_actions(state)


def test_a_state_tells_its_fields():
    state = next(game("tongits-lite"))
    assert repr(state).startswith("State(rules=Rules(name='tongits-lite'")
