"""Counts of distinct action sequences from pinned decks, by engine and oracle alike.

A deck is pinned by a rule anybody can follow: sort the pack by suit or by rank, then deal it out in
strides. Such decks give every seat melds, takes and lay-offs within few actions.
"""

import copy

import pytest
from tongits_engine import apply_legal, deal, legal_actions, parse_cards, rules_named

from tests.engine import oracle
from tests.engine.oracle_cards import DECK, sort_key


def strided(stride, by_suit):
    """Every ``stride``-th card of the sorted pack, round and round until all are used."""
    pack = sorted(DECK, key=lambda card: sort_key(card)[::-1]) if by_suit else DECK
    return [pack[place * stride % 52] for place in range(52)]


def engine_count(state, depth):
    """How many different sequences of ``depth`` actions, or shorter to the end, there are."""
    if depth == 0 or state.is_over:
        return 1
    found = (apply_legal(state, action).state for action in legal_actions(state))
    return sum(engine_count(after, depth - 1) for after in found)


def oracle_count(game, depth):
    if depth == 0 or game.result is not None:
        return 1
    total = 0
    for action in game.legal():
        shared = (game.rules, game.melds)
        after = copy.deepcopy(game, {id(thing): thing for thing in shared})
        after.play(action)
        total += oracle_count(after, depth - 1)
    return total


PINNED = [
    ("tongits-lite", 9, False, [19, 102, 629, 3454, 19735]),
    ("tongits-lite", 7, True, [16, 49, 286, 1183, 5884]),
    ("tongits-lite", 23, True, [22, 160, 1039, 5974]),
    ("tongits-lite", 17, False, [35, 491, 4182]),
    ("sa-tong", 7, False, [15, 36, 242, 838]),
    ("sa-tong", 17, False, [28, 310, 2199, 9551]),
    ("sa-tong", 23, False, [19, 83, 396, 2422]),
]


@pytest.mark.parametrize(("name", "stride", "by_suit", "counts"), PINNED)
def test_the_engine_finds_every_sequence_of_actions(name, stride, by_suit, counts):
    deck = parse_cards(" ".join(strided(stride, by_suit)))
    state = deal(rules_named(name), deck, 0)
    assert [engine_count(state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("name", "stride", "by_suit", "counts"), PINNED)
def test_the_oracle_finds_as_many(name, stride, by_suit, counts):
    game = oracle.Game(oracle.rules_named(name, {}), strided(stride, by_suit), 0)
    few = [count for count in counts if count < 300]  # all were confirmed so, once
    assert [oracle_count(game, depth) for depth in range(1, len(few) + 1)] == few
