"""The published positions on endings, payments and sa-tong, as data."""

from tests.engine.position_scripts import ALL_OPEN, OPEN_0, OPEN_1, RUN
from tests.engine.scripts import T

TURNING = {"rules": "sa-tong", "phase": "action"}

ENDINGS = [
    T(
        "T45 discarding the last card is Tongits",
        "discard 7H",
        ends=("tongits", 0, [6, -3, -3]),
        hands=("7H", "2C", "3C"),
        melds=ALL_OPEN,
        phase="action",
    ),
    T(
        "T46 laying off the last card is Tongits",
        "layoff 7H 0; layoff 8H 0",
        ends=("tongits", 0, [7, -3, -4]),
        hands=("7H 8H", "2C", "3C"),
        melds=[RUN],
        phase="action",
    ),
    T(
        "T47 grouped cards in hand are no Tongits",
        "discard 9C; asked 1; can draw",
        hands=("9C 9D 9H", "2C", "3C"),
        melds=ALL_OPEN,
        phase="action",
    ),
    T(
        "T48 nobody takes the discard after the last card",
        "draw; discard 6H; no take 4H 5H 6H; no draw; no call",
        ends=("stock_out", 0, [3, -1, -2]),
        hands=("4H 5H", "KS 3C", "2C 9S"),
        melds=[OPEN_0, OPEN_1],
        to_act=2,
        stock="6H",
    ),
    T(
        "T49 the best opened seat wins",
        "discard 2C",
        ends=("stock_out", 1, [-2, 3, -1]),
        hands=("5C 2C", "KC QD TS", "KH QS 9D 2D"),
        melds=[(1, "7C 7D 7H", "exposed"), (2, "8C 8D 8H", "exposed")],
        phase="action",
        stock="",
    ),
    T(
        "T50 the last drawer wins the tie",
        "discard 2C",
        ends=("stock_out", 2, [-1, -1, 2]),
        hands=("5C 9S", "KC KD", "5D 9D 2C"),
        melds=ALL_OPEN,
        phase="action",
        to_act=2,
        stock="",
    ),
    T(
        "T50 then the next to play wins the tie",
        "discard 2C",
        ends=("stock_out", 0, [2, -1, -1]),
        hands=("5C 9S", "5H 9H", "5D KD 2C"),
        melds=ALL_OPEN,
        phase="action",
        to_act=2,
        stock="",
    ),
    T(
        "T51 a take leaves the last stock card for the next seat",
        "take 4H 5H 6H; discard 2C; asked 1; can draw",
        hands=("4H 5H 2C 3D", "8S", "8D"),
        discards="6H",
        stock="KS",
    ),
]

PAYMENTS = [
    T(
        "T52 aces and the burned chip at the end of the stock",
        "discard 4D",
        ends=("stock_out", 1, [-3, 7, -4]),
        hands=("KC KD 4D", "AH", "3S"),
        melds=[OPEN_0, (1, "AC 2C 3C", "exposed")],
        phase="action",
        stock="",
    ),
    T(
        "T53 a concealed four pays",
        "conceal 8C 8D 8H 8S; discard 2C",
        ends=("tongits", 0, [12, -6, -6]),
        hands=("8C 8D 8H 8S 2C", "3C", "3D"),
        opened=(1, 2),
        phase="action",
    ),
    T(
        "T53 an exposed four does not",
        "expose 8C 8D 8H 8S; discard 2C",
        ends=("tongits", 0, [6, -3, -3]),
        hands=("8C 8D 8H 8S 2C", "3C", "3D"),
        opened=(1, 2),
        phase="action",
    ),
    T(
        "T54 the beaten challenger pays 3, the folder 1",
        "call; challenge; fold",
        ends=("draw_contested", 0, [6, -4, -2]),
        hands=("AC 2C", "9C", "8C"),
        melds=ALL_OPEN,
    ),
]

SA_TONG = [
    T("T56 no runs", "no expose 4H 5H 6H", hands=("4H 5H 6H 2C", "", ""), **TURNING),
    T(
        "T57 no lay-offs",
        "no layoff 7S 0; can discard 7S",
        hands=("7S 2C", "", ""),
        melds=[(1, "7C 7D 7H", "exposed")],
        **TURNING,
    ),
    T(
        "T58 a take opens",
        "no conceal 9C 9D 9S; sealed 0; take 9C 9D 9S; opened 0",
        rules="sa-tong",
        hands=("9C 9D 2H", "", ""),
        discards="9S",
    ),
    T(
        "T59 all sets pay",
        "expose 4C 4D 4H; expose 8C 8D 8H 8S; expose JC JD JH; expose KC KD KH",
        ends=("tongits", 1, [-15, 30, -15]),
        hands=("2C", "4C 4D 4H 8C 8D 8H 8S JC JD JH KC KD KH", "2D"),
        opened=(0, 2),
        to_act=1,
        **TURNING,
    ),
    T(
        "T59 only the four from the hand pays with secret4",
        "expose 4C 4D 4H; expose 8C 8D 8H 8S; expose JC JD JH; expose KC KD KH",
        ends=("tongits", 1, [-6, 12, -6]),
        overrides={"score.set_bonus_scope": "secret4"},
        hands=("2C", "4C 4D 4H 8C 8D 8H 8S JC JD JH KC KD KH", "2D"),
        opened=(0, 2),
        to_act=1,
        **TURNING,
    ),
]

ENDING_POSITIONS = [*ENDINGS, *PAYMENTS, *SA_TONG]
