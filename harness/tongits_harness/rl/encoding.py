"""What a seat sees as one array of numbers, and its legal actions as a mask. Hides nothing itself.

Seats are counted from the one that looks: 0 itself, 1 the next to play, 2 the one before it. What
a seat may not see is not in the `Observation` that is encoded.
"""

from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tongits_engine import ACTIONS, MAX_MELDS, PACK, SEATS, Action, Observation, Rules

from tongits_harness.rl.episode import Course, Episode

Vector = NDArray[np.float32]
Mask = NDArray[np.int8]


class Field(NamedTuple):
    """A part of the observation."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def end(self) -> int:
        """Where the next field starts."""
        return self.start + prod(self.shape)

    def of(self, observation: Vector) -> Vector:
        """The part of an observation, in its shape; no copy."""
        return observation[self.start : self.end].reshape(self.shape)


_MELD: Final = SEATS + PACK + 1
"""Numbers for a meld: its owner, its cards, whether it is concealed."""
_OUTLINES: Final[tuple[tuple[str, tuple[int, ...], str], ...]] = (
    ("hand", (PACK,), "own cards"),
    ("pile_top", (PACK,), "the discard that may be taken"),
    ("pile", (SEATS, PACK), "the discard pile, by the seat that threw the card"),
    ("melds", (MAX_MELDS, _MELD), "by number of the meld: 3 owner, 52 cards seen, 1 concealed"),
    ("opened", (SEATS,), "by seat: owns a meld on the table"),
    ("call_blocked", (SEATS,), "by seat: its call at its next START is stopped"),
    ("phase", (4,), "START, ACTION, RESPOND, over"),
    ("to_act", (SEATS,), "the seat that decides"),
    ("dealer", (SEATS,), "the seat that dealt"),
    ("caller", (SEATS,), "the seat that called Draw; none: all 0"),
    ("answers", (SEATS, 3), "by seat, as far as seen: challenged, folded, folded by the rules"),
    ("points_told", (1,), "1: the caller announced points"),
    ("caller_points", (1,), "the caller's points, where announced"),
    ("hand_sizes", (SEATS,), "cards in hand, by seat"),
    ("stock_size", (1,), "cards in the stock"),
    ("turn", (1,), "turns played in this game"),
    ("pot", (1,), "chips in the pot"),
    ("streaks", (SEATS,), "games won in a row, by seat"),
    ("chips", (SEATS,), "chips won or lost in the episode so far, antes paid, by seat"),
    ("games_left", (1,), "games of the episode after this one"),
)


def _fields() -> tuple[Field, ...]:
    fields: list[Field] = []
    for name, shape, meaning in _OUTLINES:
        fields.append(Field(name, fields[-1].end if fields else 0, shape, meaning))
    return tuple(fields)


LAYOUT: Final = {field.name: field for field in _fields()}
"""The fields of an observation by name, in order; all are 0 or 1 up to ``caller_points``."""
SIZE: Final = LAYOUT["games_left"].end
_AT: Final = {name: field.start for name, field in LAYOUT.items()}
_PILE_TOP: Final = _AT["pile_top"]
_PILE: Final = _AT["pile"]
_MELDS: Final = _AT["melds"]
_OPENED: Final = _AT["opened"]
_BLOCKED: Final = _AT["call_blocked"]
_PHASE: Final = _AT["phase"] - 1  # phases count from 1
_TO_ACT: Final = _AT["to_act"]
_DEALER: Final = _AT["dealer"]
_CALLER: Final = _AT["caller"]
_ANSWERS: Final = _AT["answers"] - 1  # answers too
_TOLD: Final = _AT["points_told"]
_NUMBERS: Final = _AT["caller_points"]


def encode(seen: Observation, episode: Episode) -> Vector:
    """The observation as an array of `SIZE` numbers, laid out as `LAYOUT` says.

    Args:
        seen: The game as a seat sees it.
        episode: Gives what everybody at the table knows: pot, streaks, chips, who discarded what.
    """
    seat = seen.seat
    marks = list(seen.hand)
    marks += _pile_marks(seen.discards, episode.pile_seats, seat)
    for number, meld in enumerate(seen.melds):
        start = _MELDS + _MELD * number
        marks.append(start + (meld.owner - seat) % SEATS)
        marks += [start + SEATS + card for card in meld.cards]
        if meld.concealed:
            marks.append(start + SEATS + PACK)
    marks.append(_PHASE + seen.phase)
    marks.append(_TO_ACT + (seen.to_act - seat) % SEATS)
    marks.append(_DEALER + (seen.dealer - seat) % SEATS)
    for place, other in enumerate(_ORDERS[seat]):
        if seen.opened[other]:
            marks.append(_OPENED + place)
        if seen.blocked[other]:
            marks.append(_BLOCKED + place)
    if seen.caller >= 0:
        marks += _call_marks(seen)
    vector = np.zeros(SIZE, np.float32)
    vector[marks] = 1
    vector[_NUMBERS:] = _numbers(seen, episode)
    return vector


_ORDERS: Final = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
"""By seat: the seats in the order of play from it on."""


def _pile_marks(discards: bytes, thrown_by: tuple[int, ...], seat: int) -> list[int]:
    starts = [_PILE + PACK * ((other - seat) % SEATS) for other in range(SEATS)]
    marks = [starts[by] + card for by, card in zip(thrown_by, discards, strict=True)]
    if discards:
        marks.append(_PILE_TOP + discards[-1])
    return marks


def _call_marks(seen: Observation) -> list[int]:
    marks = [_CALLER + (seen.caller - seen.seat) % SEATS]
    if seen.caller_points >= 0:
        marks.append(_TOLD)
    for place, other in enumerate(_ORDERS[seen.seat]):
        if answer := seen.answers[other]:
            marks.append(_ANSWERS + SEATS * place + answer)
    return marks


def _numbers(seen: Observation, episode: Episode) -> list[int]:
    first, second, third = _ORDERS[seen.seat]
    sizes, table = seen.hand_sizes, episode.table
    streaks, chips = table.streaks, table.chips
    return [
        max(0, seen.caller_points),
        *(sizes[first], sizes[second], sizes[third]),
        seen.stock_size,
        seen.turn,
        table.pot,
        *(streaks[first], streaks[second], streaks[third]),
        *(chips[first], chips[second], chips[third]),
        episode.games_left,
    ]


def encode_legal(legal: tuple[Action, ...]) -> Mask:
    """1 for every legal action, by its code."""
    mask = np.zeros(len(ACTIONS), np.int8)
    mask[[action.code for action in legal]] = 1
    return mask


def bounds(course: Course) -> tuple[Vector, Vector]:
    """Lowest and highest value of every number; divide by the highest to have them in 0..1."""
    most = _most_chips(course.rules) * course.games
    tops = {
        "caller_points": 340,  # of the whole pack
        "hand_sizes": PACK,
        "stock_size": PACK,
        "turn": PACK + MAX_MELDS,  # each turn draws a card or makes a meld of a discard
        "pot": max(1, SEATS * course.rules.pot_ante * course.games),
        "streaks": course.games,
        "chips": most,
        "games_left": max(1, course.games - 1),
    }
    low, high = np.zeros(SIZE, np.float32), np.ones(SIZE, np.float32)
    for name, top in tops.items():
        LAYOUT[name].of(high)[:] = top
    LAYOUT["chips"].of(low)[:] = -most
    return low, high


def _most_chips(rules: Rules) -> int:
    """No seat wins or loses more in one game."""
    base = max(
        rules.score_win,
        rules.score_tongits,
        rules.score_draw_contested,
        rules.score_draw_uncontested,
    )
    extra = rules.score_burned + rules.score_fold_penalty
    extra += 4 * rules.score_ace + 13 * rules.score_set_bonus  # four aces, a set of every rank
    return 2 * (base + extra) + SEATS * rules.pot_ante
