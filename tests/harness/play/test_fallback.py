"""The action that stands in for an illegal or late one."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_engine import (
    ActionKind,
    Phase,
    apply,
    deal,
    legal_actions,
    loose_cards,
    parse_action,
    position,
    rules_named,
    settle,
)
from tongits_harness.play.fallback import fallback_action

from tests.engine.random_games import random_overrides
from tests.harness.protocol.random_play import ALL_KINDS, LITE, bounded, choose, lumpy_deck, steps

OPEN = [(0, "TC TD TH", "exposed"), (1, "JC JD JH", "exposed"), (2, "QC QD QH", "exposed")]
DISCARDS = [
    ("the highest rank outside the melds", "2C 9D KH", "discard KH"),
    ("a king in a set stays", "KC KD KH 2C 9D", "discard 9D"),
    ("a run stays", "9H TH JH 2C 3D", "discard 3D"),
    ("equal ranks: clubs before diamonds", "9D 9C 2H", "discard 9C"),
    ("equal ranks: diamonds before hearts", "9H 9D 2H", "discard 9D"),
    ("equal ranks: hearts before spades", "9S 9H 2C", "discard 9H"),
    ("ten, jack, queen and king count by rank, not by points", "TS JC QH KD", "discard KD"),
    ("the ace is the lowest", "AS 2C", "discard 2C"),
    ("nothing outside: the highest rank of all", "4C 4D 4H 9C 9D 9H", "discard 9C"),
    ("nothing outside: equal ranks from clubs on", "KS KH KD KC", "discard KC"),
    ("of two groupings the first is taken", "3H 4H 5H 4C 4D", "discard 4C"),
    ("the grouping that leaves least", "4C 4D 4H 5H 6H", "discard 4C"),
]


@pytest.mark.parametrize(
    ("hand", "expected"), [pytest.param(*row[1:], id=row[0]) for row in DISCARDS]
)
def test_a_discard_stands_in_during_a_turn(hand, expected):
    state = position(LITE, hands=(hand, "2S", "3S"), phase="action", melds=[], stock="8D TC")
    assert fallback_action(state).text == expected


def test_drawing_stands_in_at_the_start_even_where_a_call_would_win():
    state = position(LITE, hands=("AC", "KC 9D", "KS 9H"), melds=OPEN, discards="AD")
    assert parse_action("call") in legal_actions(state)
    assert fallback_action(state).text == "draw"


def test_folding_stands_in_for_an_answer_to_a_call():
    state = position(LITE, hands=("9C", "AD", "AH"), melds=OPEN, phase="respond")
    assert state.phase is Phase.RESPOND
    assert parse_action("challenge") in legal_actions(state)
    assert fallback_action(state).text == "fold"


def test_a_discard_that_is_forbidden_gives_way_to_the_next_in_order():
    rules = rules_named("tongits-lite", {"discard.forbid_layoffable": True})
    melds = [(1, "TH JH QH", "exposed")]
    state = position(rules, hands=("KH 9C 2D", "2S", "3S"), phase="action", melds=melds, stock="8D")
    assert parse_action("discard KH") not in legal_actions(state)
    assert fallback_action(state).text == "discard 9C"


def check(state):
    action, legal = fallback_action(state), legal_actions(state)
    assert action in legal
    if state.phase is Phase.RESPOND:
        assert action.kind is ActionKind.FOLD
    elif state.phase is Phase.START:
        assert action.kind is ActionKind.DRAW or "draw" not in {a.text for a in legal}
    elif action.kind is ActionKind.DISCARD:
        loose = loose_cards(state.rules, state.hands[state.to_act])
        offered = [a.cards[0] for a in legal if a.kind is ActionKind.DISCARD]
        ranks = [card >> 2 for card in offered if card in loose] or [c >> 2 for c in offered]
        assert action.cards[0] >> 2 == max(ranks)


@bounded(60)
@given(st.sampled_from(ALL_KINDS), st.integers(0, 10_000))
def test_the_fallback_is_always_legal(rules, seed):
    for state, *_ in steps(rules, seed):
        check(state)


@bounded(120)
@given(st.sampled_from(["tongits-lite", "sa-tong"]), st.integers(0, 100_000))
def test_the_fallback_is_always_legal_whatever_the_rules(name, seed):
    rng = random.Random(seed)
    rules = rules_named(name, random_overrides(rng, name, rng.choice([1, 2, 4, 8])))
    state = deal(rules, lumpy_deck(rng), rng.randrange(3))
    while not state.is_over:
        check(state)
        state = apply(state, choose(legal_actions(state), rng)).state


@pytest.mark.parametrize("rules", ALL_KINDS, ids=lambda rules: rules.name)
def test_three_fallback_players_finish_a_game(rules):
    for seed in range(10):
        state = deal(rules, lumpy_deck(random.Random(seed)), seed % 3)
        for _ in range(200):
            if state.is_over:
                break
            state = apply(state, fallback_action(state)).state
        assert sum(settle(state).payments) == 0
