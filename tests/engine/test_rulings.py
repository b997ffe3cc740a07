"""Rulings on what the texts leave open (A1 to A24) in positions of their own."""

import pytest

from tests.engine.scripts import T, play_out

RUN = (1, "4H 5H 6H", "exposed")
ALL_OPEN = [(0, "TC TD TH", "exposed"), (1, "JC JD JH", "exposed"), (2, "QC QD QH", "exposed")]
ACTION = {"phase": "action"}
SECRET = {"score.set_bonus_scope": "secret4"}

OPEN_QUESTIONS = [
    T(
        "A5 the drawn card may be discarded",
        "draw; discard 9C",
        hands=("2C", "3C", "4C"),
        stock="9C KS",
    ),
    T(
        "A6 a four may be concealed in a turn with another take",
        "take 4H 5H 6H; conceal 8C 8D 8H 8S; discard 2C",
        ends=("tongits", 0, [12, -6, -6]),
        hands=("4H 5H 8C 8D 8H 8S 2C", "3C", "3D"),
        discards="6H",
        opened=(1, 2),
    ),
    T(
        "A7 nothing goes on a turned-down set of three",
        "no layoff 7S 0",
        rules="sa-tong",
        hands=("7S 2C", "", ""),
        melds=[(1, "7C 7D 7H", "exposed")],
        **ACTION,
    ),
    T(
        "A8 a meld can be added to in the turn it is exposed",
        "expose 4H 5H 6H; layoff 7H 0; layoff 3H 0; can discard 2C",
        hands=("3H 4H 5H 6H 7H 2C", "", ""),
        **ACTION,
    ),
    T(
        "A10 who opened in the last turn calls in the next",
        "expose 4H 5H 6H; discard 9C; draw; discard 2C; draw; discard 3D; can call",
        hands=("4H 5H 6H 9C KS", "8S", "8D"),
        stock="2C 3D TS JS",
        **ACTION,
    ),
    T(
        "A16 an ace that another laid off counts for the owner",
        "layoff AH 0; discard 9C",
        ends=("stock_out", 1, [-3, 5, -2]),
        hands=("AH 9C KC", "3D", "KD"),
        melds=[(1, "2H 3H 4H", "exposed"), ALL_OPEN[2]],
        stock="",
        **ACTION,
    ),
    T(
        "with contributor it does not",
        "layoff AH 0; discard 9C",
        ends=("stock_out", 1, [-2, 3, -1]),
        overrides={"score.ace_owner": "contributor"},
        hands=("AH 9C KC", "3D", "KD"),
        melds=[(1, "2H 3H 4H", "exposed"), ALL_OPEN[2]],
        stock="",
        **ACTION,
    ),
    T(
        "A17 Tongits by lay-offs alone",
        "layoff 7H 0; sealed 0; layoff JS 1; discard 2C",
        ends=("tongits", 0, [7, -3, -4]),
        hands=("7H JS 2C", "3C", "3D"),
        melds=[RUN, (1, "JC JD JH", "exposed")],
        **ACTION,
    ),
    T(
        "A18 Tongits with the last card of the stock",
        "draw; discard 7C",
        ends=("tongits", 0, [6, -3, -3]),
        hands=("", "3C", "3D"),
        melds=ALL_OPEN,
        stock="7C",
    ),
    T(
        "A19 all grouped but never opened is burned",
        "discard 2C",
        ends=("stock_out", 1, [-2, 3, -1]),
        hands=("9C 9D 9H 2C", "KC KD", "KH KS QS"),
        melds=ALL_OPEN[1:],
        stock="",
        **ACTION,
    ),
    T(
        "A22 with an empty pile only stock and call remain",
        "take 4H 5H 6H; asked 1; no takes; can draw; can call",
        overrides={"pickup.discard_after": False},
        hands=("4H 5H 2C", "3C", "3D"),
        discards="6H",
        opened=(1,),
    ),
]

BONUS_SETS = [
    T(
        "three sets pay where the hand may be three runs as well",
        "call",
        ends=("draw_uncontested", 0, [28, -14, -14]),
        overrides={"score.set_bonus_scope": "all_sets"},
        hands=("4C 5C 6C 4D 5D 6D 4H 5H 6H", "3C", "3D"),
        melds=ALL_OPEN[:1],
    ),
    T(
        "A15 a four held at the end pays where the grouping may have it",
        "call",
        ends=("draw_uncontested", 0, [10, -5, -5]),
        hands=("2S 3S 4S 5C 5D 5H 5S", "3C", "3D"),  # 5S fits the run as well
        melds=ALL_OPEN[:1],
    ),
    T(
        "a taken four in sa-tong is no secret",
        "take 7C 7D 7H 7S; discard 2C",
        ends=("tongits", 0, [6, -3, -3]),
        rules="sa-tong",
        overrides=SECRET,
        hands=("7C 7D 7H 2C", "3C", "3D"),
        discards="7S",
        opened=(1, 2),
    ),
    T(
        "a four grown by a lay-off is no secret",
        "layoff TS 0; discard 2C",
        ends=("tongits", 0, [6, -3, -3]),
        hands=("TS 2C", "3C", "3D"),
        melds=ALL_OPEN,
        **ACTION,
    ),
    T(
        "with any4 it pays",
        "layoff TS 0; discard 2C",
        ends=("tongits", 0, [12, -6, -6]),
        overrides={"score.set_bonus_scope": "any4"},
        hands=("TS 2C", "3C", "3D"),
        melds=ALL_OPEN,
        **ACTION,
    ),
    T(
        "with all_sets the sets held pay too",
        "call; fold; fold",
        ends=("draw_uncontested", 0, [14, -7, -7]),
        rules="sa-tong",
        hands=("9C 9D 9H", "3C", "3D"),
        melds=ALL_OPEN,
    ),
]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name) for case in [*OPEN_QUESTIONS, *BONUS_SETS]],
)
def test_the_ruling_holds(case):
    play_out(case)
