"""Melds and deadwood against a search that tries everything."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tongits_bot import (
    DECK,
    best_melds,
    deadwood,
    is_meld,
    loose_cards,
    melds_in,
    parse_cards,
    points,
    unseen,
)

few_ranks = st.lists(st.integers(0, 51), unique=True, max_size=13).map(bytes)
two_suits = st.lists(st.integers(0, 25).map(lambda n: n // 2 * 4 + n % 2), unique=True, max_size=13)
hands = st.one_of(
    few_ranks,
    two_suits.map(bytes),
    st.lists(st.integers(12, 35), unique=True, max_size=12).map(bytes),  # 4 to 9: many melds
)
derandomized = settings(derandomize=True, max_examples=150, deadline=None)


def is_meld_by_definition(cards, *, runs):
    ranks = sorted(card // 4 for card in cards)
    suits = {card % 4 for card in cards}
    if len(cards) < 3:
        return False
    is_set = len(set(ranks)) == 1
    is_run = len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return is_set or (runs and is_run)


def all_melds(hand, *, runs):
    return {
        frozenset(cards)
        for size in range(3, len(hand) + 1)
        for cards in combinations(hand, size)
        if is_meld_by_definition(cards, runs=runs)
    }


def least_by_trying(hand, *, runs):
    melds = all_melds(hand, runs=runs)

    @cache
    def least(left):
        choices = [least(left - meld) for meld in melds if meld <= left]
        return min([points(left), *choices])

    return least(frozenset(hand))


@pytest.mark.parametrize("runs", [True, False])
@derandomized
@given(hand=hands)
def test_deadwood_is_the_least_that_trying_everything_finds(hand, runs):
    assert deadwood(hand, runs=runs) == least_by_trying(hand, runs=runs)


@pytest.mark.parametrize("runs", [True, False])
@derandomized
@given(hand=hands)
def test_melds_of_a_hand_are_all_that_fit_the_definition(hand, runs):
    found = melds_in(hand, runs=runs)
    assert {frozenset(meld) for meld in found} == all_melds(hand, runs=runs)
    assert len(found) == len(set(found))
    assert all(is_meld(meld, runs=runs) and list(meld) == sorted(meld) for meld in found)


@pytest.mark.parametrize("runs", [True, False])
@derandomized
@given(hand=hands)
def test_the_best_melds_and_the_loose_cards_make_up_the_hand(hand, runs):
    melds, loose = best_melds(hand, runs=runs), loose_cards(hand, runs=runs)
    assert sorted(b"".join(melds) + loose) == sorted(hand)
    assert points(loose) == deadwood(hand, runs=runs)
    assert all(is_meld(meld, runs=runs) for meld in melds)


@pytest.mark.parametrize(
    ("hand", "least"),
    [
        ("7H 7C 7D 5H 6H", 11),
        ("JC JD JH JS 8C 9C TC", 0),
        ("QC QD QH QS JC JD JH JS 8C 9C TC 3S", 3),
        ("3H 4H 5H 6H 5C 5D", 10),
        ("5S 6S 7S 8S 8H 8D", 0),
        ("8D 9D TD 2S JS QD AH", 23),
        ("2H 3H 4H 4S 4D 5D 6D", 4),
        ("AC 2C 3C 3D 3H 4H 5H", 3),
        ("QS KS AS", 21),
        ("", 0),
    ],
)
def test_deadwood_of_published_hands(hand, least):
    assert deadwood(parse_cards(hand)) == least


def test_without_runs_only_sets_count():
    assert deadwood(parse_cards("8D 9D TD 2S JS QD AH"), runs=False) == 50


@pytest.mark.parametrize(
    ("cards", "with_runs", "without"),
    [
        ("4H 5H 6H", True, False),
        ("6H 4H 5H", True, False),
        ("QS KS AS", False, False),
        ("7H 7C 7D", True, True),
        ("7H 7C 7D 7S", True, True),
        ("7H 7C", False, False),
        ("4H 5H 6D", False, False),
        ("5C 4H 6D", False, False),
        ("4H 4H 4H", False, False),
        ("", False, False),
    ],
)
def test_what_is_a_meld(cards, with_runs, without):
    assert is_meld(parse_cards(cards)) is with_runs
    assert is_meld(parse_cards(cards), runs=False) is without


def test_unseen_is_the_deck_without_what_was_seen():
    assert unseen() == DECK
    assert unseen(DECK[:10], DECK[5:50]) == DECK[50:]
