"""Deadwood, groupings and bonus sets are exact: as good as trying everything."""

from hypothesis import example, given
from hypothesis import strategies as st
from tongits_engine import (
    deadwood,
    grouping,
    loose_cards,
    mask_of,
    parse_cards,
    rules_named,
)
from tongits_engine.melds import bonus_sets_in_hand

from tests.engine import oracle, oracle_settle
from tests.engine.oracle_cards import DECK, RANKS, sort_key
from tests.engine.steady import steady

OTHER_RULES = [
    {},
    {"meld.run_max": 4},
    {"meld.ace_high": True},
    {"score.set_bonus_scope": "all_sets"},
    {"score.set_bonus_scope": "any4"},
    {"deadwood.held_melds_free": False},
]


def held(text):
    return frozenset(text.split())


@st.composite
def hands(draw):
    """Up to 13 cards, mostly out of few neighbouring ranks so that melds overlap."""
    low = draw(st.integers(0, 12))
    width = draw(st.integers(2, 13))
    ranks = {RANKS[(low + step) % 13] for step in range(width)}
    pool = [card for card in DECK if card[0] in ranks]
    most = min(13, len(pool))
    return frozenset(draw(st.permutations(pool))[: draw(st.integers(most // 2, most))])


def engine_mask(cards):
    return mask_of(parse_cards(" ".join(cards)))


@steady
@given(hands(), st.sampled_from(["tongits-lite", "sa-tong"]), st.sampled_from(OTHER_RULES))
@example(held("3H 4H 5H 6H 5C 5D"), "tongits-lite", {})
@example(frozenset(rank + "S" for rank in RANKS), "tongits-lite", {"meld.run_max": 4})
@example(held("6C 6D 6H 6S 5C 7C 5D 7D 5H 7H 5S 7S 8S"), "tongits-lite", {})
def test_deadwood_and_bonus_sets_are_those_of_the_best_grouping(cards, name, overrides):
    if name == "sa-tong" and {"meld.run_max", "meld.ace_high"} & set(overrides):
        overrides = {}
    rules = rules_named(name, overrides)
    plain = oracle.rules_named(name, overrides)
    hand = engine_mask(cards)
    assert deadwood(rules, hand) == oracle_settle.least_deadwood(plain, cards)
    fours, sets = oracle_settle.sets_held(plain, cards)
    pays_all = plain["score.set_bonus_scope"] == "all_sets"
    assert bonus_sets_in_hand(rules, hand) == (sets if pays_all else fours)


@steady
@given(hands(), st.sampled_from(["tongits-lite", "sa-tong", "sa-tong-literal"]))
def test_the_canonical_grouping_is_the_first_of_the_best(cards, name):
    plain = oracle.rules_named(name, {})
    every = oracle_settle.all_groupings(plain, cards)
    least = min(oracle_settle.points_left(cards, way) for way in every)
    best = [way for way in every if oracle_settle.points_left(cards, way) == least]
    written = [sorted(tuple(sorted(map(sort_key, meld))) for meld in way) for way in best]
    found = grouping(rules_named(name), engine_mask(cards))
    assert [tuple((card // 4, card % 4) for card in meld) for meld in found] == min(written)
    grouped = {card for meld in found for card in meld}
    loose = list(parse_cards(" ".join(sorted(cards, key=sort_key))))
    assert list(loose_cards(rules_named(name), engine_mask(cards))) == [
        card for card in loose if card not in grouped
    ]


def test_there_are_329_melds_of_which_65_are_sets():
    melds = list(oracle.melds_of(oracle.rules_named("tongits-lite", {})))
    assert len(melds) == len(set(melds)) == 329
    assert sum(map(oracle.is_set, melds)) == 65
