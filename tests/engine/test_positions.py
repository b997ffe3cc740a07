"""The published test positions T01 to T61 of the rules, in the action notation.

How a script is written stands in ``scripts``.
"""

import pytest
from tongits_engine import deadwood, deal, mask_of, parse_cards, rules_named

from tests.engine.both import Both
from tests.engine.ending_scripts import ENDING_POSITIONS
from tests.engine.position_scripts import TABLE_POSITIONS
from tests.engine.scripts import T, play_out

MELDS = [
    ("T01 a run", "4H 5H 6H", True),
    ("T02 a run of four", "8S 9S TS JS", True),
    ("T03 queen king ace is no run", "AS QS KS", False),
    ("T03 king ace two is no run", "AD 2D KD", False),
    ("T03 ace two three is a run", "AC 2C 3C", True),
    ("T04 a set of three", "7C 7D 7H", True),
    ("T04 two cards are no set", "7C 7H", False),
    ("T04 a set of four", "7C 7D 7H 7S", True),
    ("T05 a run has one suit", "4H 5H 6D", False),
    ("T06 a set has one rank", "4H 5C 6D", False),
    ("T07 a run of cards worth ten", "TH JH QH KH", True),
    ("T07 cards worth ten are no set", "TC TH JH", False),
    ("T08 a whole suit but the king", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", True),
]


@pytest.mark.parametrize(("cards", "is_meld"), [pytest.param(*row[1:], id=row[0]) for row in MELDS])
def test_only_a_meld_can_be_exposed(cards, is_meld):
    table = Both(hands=(cards, "", ""), phase="action")
    assert ("expose " + cards in table.legal()) is is_meld
    assert bool(table.reason("expose " + cards)) is not is_meld


DEADWOOD = [
    ("T10 one trio", "tongits-lite", "7H 7C 7D 5H 6H", 11),
    ("T11 fours and a run", "tongits-lite", "JC JD JH JS 8C 9C TC", 0),
    ("T11 two fours, a run and a three", "tongits-lite", "QC QD QH QS JC JD JH JS 8C 9C TC 3S", 3),
    ("T12 sets first would give 13", "tongits-lite", "3H 4H 5H 6H 5C 5D", 10),
    ("T13 the longest run first would give 16", "tongits-lite", "5S 6S 7S 8S 8H 8D", 0),
    ("T14 one run", "tongits-lite", "8D 9D TD 2S JS QD AH", 23),
    ("T15 four can go two ways", "tongits-lite", "2H 3H 4H 4S 4D 5D 6D", 4),
    ("T16 three can go three ways", "tongits-lite", "AC 2C 3C 3D 3H 4H 5H", 3),
    ("T56 runs count in sa-tong", "sa-tong", "8D 9D TD 2S JS QD AH", 50),
]


@pytest.mark.parametrize(
    ("name", "hand", "points"), [pytest.param(*row[1:], id=row[0]) for row in DEADWOOD]
)
def test_deadwood_is_the_least_there_is(name, hand, points):
    assert deadwood(rules_named(name), mask_of(parse_cards(hand))) == points


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize("name", ["tongits-lite", "sa-tong"])
def test_t17_the_deal_is_13_12_12_and_a_stock_of_15(name, dealer):
    state = deal(rules_named(name), range(52), dealer)
    sizes = [state.hands[(dealer + step) % 3].bit_count() for step in range(3)]
    assert sizes == [13, 12, 12]
    assert len(state.stock) == 15
    assert state.discards == b""
    assert state.hands[dealer] >> 36 & 1  # the 37th card is the dealer's 13th
    assert state.stock[0] == 37


TAKES_AND_MELDS = [
    T(
        "T08 a dealt suit is Tongits at once",
        "expose AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS",
        ends=("tongits", 0, [10, -5, -5]),
        hands=("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "2C", "2D"),
        first_turn=True,
        phase="action",
    ),
    T(
        "T09 a card is in one meld",
        "can expose 5H 6H 7H; expose 7C 7D 7H; no expose 5H 6H 7H",
        hands=("5H 6H 7H 7C 7D 2S", "", ""),
        phase="action",
    ),
    T(
        "T18 the dealer begins with neither draw nor take nor call",
        "no draw; no take 4H 5H 6H; no call; can discard 2C",
        hands=("4H 5H 2C", "", ""),
        first_turn=True,
        phase="action",
    ),
    T(
        "T19 four melds are Tongits without a discard",
        "expose 4H 5H 6H; expose 7C 7D 7S; expose 9D TD JD; expose KC KD KH KS",
        ends=("tongits", 0, [8, -4, -4]),
        hands=("4H 5H 6H 7C 7D 7S 9D TD JD KC KD KH KS", "2C", "2D"),
        first_turn=True,
        phase="action",
    ),
    T(
        "T20 four melds and a discard are Tongits",
        "expose 4H 5H 6H; expose 7C 7D 7S; expose 9D TD JD; expose KC KD KH; discard 2S",
        ends=("tongits", 0, [8, -4, -4]),
        hands=("4H 5H 6H 7C 7D 7S 9D TD JD KC KD KH 2S", "2C", "2D"),
        first_turn=True,
        phase="action",
    ),
    T(
        "T22 a taken card is laid at once",
        "no take 6H; takes: 4H 5H 6H; sealed 0; take 4H 5H 6H; opened 0; can discard 2C",
        hands=("4H 5H 2C", "", ""),
        discards="6H",
    ),
    T(
        "T23 a taken four is no secret",
        "takes: 6C 6D 6H 6S | 6C 6D 6H | 6C 6H 6S | 6D 6H 6S; no conceal 6C 6D 6H 6S;"
        "take 6C 6D 6H 6S; discard 2C",
        ends=("tongits", 0, [6, -3, -3]),
        hands=("6C 6D 6S 2C", "3C", "3D"),
        discards="6H",
        opened=(1, 2),
    ),
    T(
        "T24 a discard is not taken for a lay-off",
        "no takes; no take 4H 5H 6H 7H; can draw",
        hands=("7C 9H", "", ""),
        melds=[(2, "4H 5H 6H", "exposed")],
        discards="7H",
    ),
    T(
        "T25 every meld with the card can be chosen",
        "takes: 4H 5H 6H | 5H 6H 7H | 4H 5H 6H 7H | 5C 5D 5H",
        hands=("4H 6H 7H 5C 5D", "", ""),
        discards="5H",
    ),
    T(
        "T26 only the top of the discards can be taken",
        "no takes; no take 6C 6D 6S",
        hands=("6C 6D 2H", "", ""),
        discards="6S 9D",
    ),
    T(
        "T27 a take needs two cards of the hand",
        "no takes; no take 8C 9C TC",
        hands=("8C 2H", "", ""),
        melds=[(0, "TC JC QC", "exposed")],
        discards="9C",
    ),
]


ALL_POSITIONS = [*TAKES_AND_MELDS, *TABLE_POSITIONS, *ENDING_POSITIONS]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in ALL_POSITIONS])
def test_the_position_goes_as_published(case):
    play_out(case)
