"""What a parameter changes, each in a position of its own."""

import pytest

from tests.engine.scripts import T, play_out

RUN = (1, "4H 5H 6H", "exposed")
ALL_OPEN = [(0, "TC TD TH", "exposed"), (1, "JC JD JH", "exposed"), (2, "QC QD QH", "exposed")]
ACTION = {"phase": "action"}

PARAMETERS = [
    T(
        "with forbid_layoffable a card that fits is laid off or kept",
        "no discard 7H; can layoff 7H 0; can discard 2C",
        overrides={"discard.forbid_layoffable": True},
        hands=("7H 2C", "", ""),
        melds=[RUN],
        **ACTION,
    ),
    T(
        "a sealed seat that cannot lay off may discard what fits",
        "no layoff 7H 0; can discard 7H",
        overrides={"discard.forbid_layoffable": True, "layoff.requires_open": True},
        hands=("7H 2C", "", ""),
        melds=[RUN],
        **ACTION,
    ),
    T(
        "with run_max no run grows past it",
        "no layoff 7H 0; no expose 8C 9C TC JC; can expose 8C 9C TC",
        overrides={"meld.run_max": 3},
        hands=("7H 8C 9C TC JC", "", ""),
        melds=[RUN],
        **ACTION,
    ),
    T(
        "with ace_high the ace goes on the king and nothing goes round",
        "layoff AH 0; no layoff 2H 0; can discard 2H",
        overrides={"meld.ace_high": True},
        hands=("AH 2H", "", ""),
        melds=[(1, "QH KH JH", "exposed")],
        **ACTION,
    ),
    T(
        "with max_per_turn a take does not count",
        "take 4H 5H 6H; expose 7C 7D 7H; no expose 8C 8D 8H",
        overrides={"meld.max_per_turn": 1},
        hands=("4H 5H 7C 7D 7H 8C 8D 8H 2C", "", ""),
        discards="6H",
    ),
    T(
        "with rest_of_hand another's lay-off blocks for good",
        "draw; discard 8D; draw; discard 9S; draw; discard TS; asked 1; no call",
        overrides={"draw.block_opponent_layoff": "rest_of_hand"},
        hands=("2C", "3S", "4D"),
        melds=[(1, "4H 5H 6H 7H", "exposed")],
        lay_offs=[(0, "7H", 0, 3)],
        to_act=1,
        turn=7,
        stock="8D 9S TS JS QS",
    ),
    T(
        "with block_own_long_meld a concealed four blocks too",
        "conceal 8C 8D 8H 8S; discard 9C; draw; discard 2C; draw; discard 3D; no call",
        overrides={"draw.block_own_long_meld": True},
        hands=("8C 8D 8H 8S 9C KS", "5S", "5D"),
        stock="2C 3D TS JS",
        **ACTION,
    ),
    T(
        "with block_discard_taken so does a discard another took",
        "discard 6H; take 4H 5H 6H; discard 2C; draw; discard 3D; no call",
        overrides={"draw.block_discard_taken": True},
        hands=("6H KS", "4H 5H 2C 7S", "5D"),
        stock="3D TS JS",
        opened=(0,),
        **ACTION,
    ),
    T(
        "with next_start play goes on until a seat draws from the empty stock",
        "discard 6H; take 4H 5H 6H; discard 2C; draw",
        ends=("stock_out", 1, [-1, 2, -1]),
        overrides={"end.stock_moment": "next_start"},
        hands=("6H KS", "4H 5H 2C 7S", "KD"),
        melds=ALL_OPEN,
        stock="",
        **ACTION,
    ),
    T(
        "with all_grouped a held trio is Tongits after the discard",
        "discard 2C",
        ends=("tongits", 0, [6, -3, -3]),
        overrides={"tongits.trigger": "all_grouped"},
        hands=("9C 9D 9H 2C", "3C", "3D"),
        opened=(1, 2),
        **ACTION,
    ),
    T(
        "with recency the one before the last drawer wins the tie",
        "discard 2C",
        ends=("stock_out", 1, [-1, 2, -1]),
        overrides={"tie.stock": "recency"},
        hands=("5C 9S", "5H 9H", "5D KD 2C"),
        melds=ALL_OPEN,
        to_act=2,
        stock="",
        **ACTION,
    ),
    T(
        "with tie.stock none a tie is void",
        "discard 2C",
        ends=("void", None, [0, 0, 0]),
        overrides={"tie.stock": "none"},
        hands=("5C 9S", "5H 9H", "5D KD 2C"),
        melds=ALL_OPEN,
        to_act=2,
        stock="",
        **ACTION,
    ),
    T(
        "nobody opened is void",
        "discard 2C",
        ends=("void", None, [0, 0, 0]),
        hands=("5C 2C", "6D", "7D"),
        stock="",
        **ACTION,
    ),
    T(
        "with lowest_wins it is not",
        "discard 2C",
        ends=("stock_out", 0, [4, -2, -2]),
        overrides={"end.none_opened": "lowest_wins"},
        hands=("5C 2C", "6D", "7D"),
        stock="",
        **ACTION,
    ),
    T(
        "in sa-tong-literal the first turn is only a discard",
        "no expose 4C 4D 4H; discard 2C; asked 1",
        rules="sa-tong-literal",
        hands=("4C 4D 4H 2C", "", ""),
        first_turn=True,
        **ACTION,
    ),
    T(
        "in sa-tong-literal held melds count and folders pay 3 and a penalty",
        "call; challenge; fold",
        ends=("draw_contested", 1, [-6, 13, -7]),
        rules="sa-tong-literal",
        hands=("4C 4D 4H", "5S", "KC"),
        melds=ALL_OPEN,
    ),
    T(
        "the last challenger may win the tie",
        "call; challenge; challenge",
        ends=("draw_contested", 2, [-3, -3, 6]),
        overrides={"tie.two_challengers": "last_challenger"},
        hands=("9C", "8C", "8D"),
        melds=ALL_OPEN,
    ),
    T(
        "the caller may win the tie",
        "call; challenge; challenge",
        ends=("draw_contested", 0, [6, -3, -3]),
        overrides={"tie.caller_vs_challenger": "caller"},
        hands=("8H", "8C", "8D"),
        melds=ALL_OPEN,
    ),
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in PARAMETERS])
def test_the_parameter_does_this(case):
    play_out(case)
