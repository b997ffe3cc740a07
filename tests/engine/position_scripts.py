"""The published positions on lay-offs, calls, endings and payments, as data."""

from tests.engine.scripts import T

RUN = (1, "4H 5H 6H", "exposed")
OPEN_0, OPEN_1, OPEN_2 = (
    (0, "TC TD TH", "exposed"),
    (1, "JC JD JH", "exposed"),
    (2, "QC QD QH", "exposed"),
)
ALL_OPEN = [OPEN_0, OPEN_1, OPEN_2]
TURNING = {"rules": "sa-tong", "phase": "action"}

LAYOFFS = [
    T(
        "T28 a lay-off needs and gives no opening and blocks the owner",
        "layoff 7H 0; sealed 0; discard 2C; asked 1; no call; can draw; draw; discard 8D;"
        "draw; discard 9D; draw; discard TS; asked 1; can call",
        hands=("7H 2C 3S", "9C KH", "KD"),
        melds=[RUN],
        phase="action",
        stock="8D 9D TS JS QS",
    ),
    T(
        "T29 as many lay-offs as wished, the ace at the low end only",
        "layoff 3H 0; layoff 2H 0; layoff AH 0; no layoff KH 0",
        hands=("AH 2H 3H KH 9C", "", ""),
        melds=[RUN],
        phase="action",
    ),
    T(
        "T30 a run grows card by card",
        "no layoff 8H 0; layoff 7H 0; layoff 8H 0",
        hands=("7H 8H 2C", "", ""),
        melds=[RUN],
        phase="action",
    ),
    T(
        "T31 no ace on a king",
        "no layoff AH 0",
        hands=("AH 2C", "", ""),
        melds=[(1, "JH QH KH", "exposed")],
        phase="action",
    ),
    T(
        "T32 a set is full with four",
        "no layoff 6S 0; layoff 7S 0; no layoff 6S 0; can discard 6S",
        hands=("7S 6S", "", ""),
        melds=[(1, "7C 7D 7H", "exposed")],
        phase="action",
    ),
    T(
        "T33 nothing goes on a concealed four",
        "no layoff 9C 0; no layoff TC 0; can discard TC",
        hands=("TC 8C", "", ""),
        melds=[(1, "9C 9D 9H 9S", "concealed")],
        phase="action",
    ),
    T(
        "T34 no lay-off before drawing",
        "no layoff 7H 0; draw; can layoff 7H 0",
        hands=("7H 2C", "", ""),
        melds=[RUN],
    ),
    T(
        "T35 who only laid off is burned",
        "layoff 7H 0; discard 9C",
        ends=("stock_out", 1, [-2, 3, -1]),
        hands=("7H 2S 9C", "TC QD KD", "TS JS QC KH"),
        melds=[RUN, (2, "8C 8D 8H", "exposed")],
        phase="action",
        stock="",
    ),
]

CALLS = [
    T(
        "T36 a call comes before the draw",
        "can call; draw; no call",
        hands=("2C 3D", "9S", "9D"),
        melds=[OPEN_0],
    ),
    T("T37 a sealed seat does not call", "no call; can draw", hands=("AC", "9S", "9D")),
    T(
        "T38 a lay-off on one's own meld blocks the call",
        "expose 4H 5H 6H; layoff 7H 0; discard 9C; draw; discard 2C; draw; discard 3D; no call",
        hands=("4H 5H 6H 7H 9C KS", "8S", "8D"),
        first_turn=True,
        phase="action",
        stock="2C 3D TS JS",
    ),
    T(
        "T38 four cards exposed at once do not block",
        "expose 4H 5H 6H 7H; discard 9C; draw; discard 2C; draw; discard 3D; can call",
        hands=("4H 5H 6H 7H 9C KS", "8S", "8D"),
        first_turn=True,
        phase="action",
        stock="2C 3D TS JS",
    ),
    T(
        "T39 a concealed four opens",
        "opened 0; can call",
        hands=("2C 9D", "9S", "8D"),
        melds=[(0, "KC KD KH KS", "concealed")],
    ),
    T(
        "T40 nobody can answer",
        "call",
        ends=("draw_uncontested", 0, [4, -2, -2]),
        hands=("KS QS 5C", "3C", "4C"),
        melds=[OPEN_0],
    ),
    T(
        "T41 a challenger wins the tie with the caller",
        "call; asked 1; challenge; asked 2; fold",
        ends=("draw_contested", 1, [-3, 4, -1]),
        hands=("9C 9D 9H 7S", "7D", "2C"),
        melds=ALL_OPEN,
    ),
    T(
        "T42 the first of two tied challengers wins",
        "call; challenge; challenge",
        ends=("draw_contested", 1, [-3, 6, -3]),
        hands=("5C 7S", "9C", "9D"),
        melds=ALL_OPEN,
    ),
    T(
        "T43 the least of three wins and the beaten pay 3",
        "call; challenge; challenge",
        ends=("draw_contested", 2, [-3, -3, 6]),
        hands=("4C 6S", "5C 7S", "8C"),
        melds=ALL_OPEN,
    ),
    T(
        "T44 only an opened seat is asked",
        "call; asked 2; fold",
        ends=("draw_uncontested", 0, [3, -2, -1]),
        hands=("4C 6S", "2C", "8C"),
        melds=[OPEN_0, OPEN_2],
    ),
    T(
        "T60 of two tied challengers the first to the caller's right wins",
        "call; asked 2; challenge; asked 0; challenge",
        ends=("draw_contested", 2, [-3, -3, 6]),
        hands=("8C", "9C 2S", "8D"),
        melds=ALL_OPEN,
        to_act=1,
    ),
    T(
        "T61 another's lay-off blocks also where one's own does not",
        "layoff 7H 0; discard 2C; no call",
        overrides={"draw.block_self": False},
        hands=("7H 2C 3S", "9C", "9D"),
        melds=[RUN],
        phase="action",
        stock="8D 9S TS",
    ),
    T(
        "T61 one's own lay-off may be allowed not to block",
        "layoff 7H 0; discard 2C; draw; discard 8D; draw; discard 9S; asked 1; can call",
        overrides={"draw.block_self": False},
        hands=("9C", "7H 2C 3S", "9D"),
        melds=[RUN],
        phase="action",
        to_act=1,
        stock="8D 9S TS",
    ),
]

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

MORE_POSITIONS = [*LAYOFFS, *CALLS, *ENDINGS, *PAYMENTS, *SA_TONG]
