"""The published positions on lay-offs and calls, as data."""

from tests.engine.scripts import T

RUN = (1, "4H 5H 6H", "exposed")
OPEN_0, OPEN_1, OPEN_2 = (
    (0, "TC TD TH", "exposed"),
    (1, "JC JD JH", "exposed"),
    (2, "QC QD QH", "exposed"),
)
ALL_OPEN = [OPEN_0, OPEN_1, OPEN_2]

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

TABLE_POSITIONS = [*LAYOFFS, *CALLS]
