"""Fast look-ups from hand masks to cards, actions and melds. Knows melds, but no game state.

A hand is a mask with bit ``rank * 4 + suit``: the cards of a rank are one nibble, and the next
card of a suit is four bits further on. Hence runs are found by shifts of 4 and 8, and all about
single cards and sets by cutting the hand into bytes of two ranks (the last has one), each looked
up in a table of 256 entries. Small tables stay in the processor's cache; that is why the pieces
are no larger. Tables of runs are filled when first asked and bounded by their keys (the cards of
one suit), so they are caches and never hold anything about a game.
"""

from functools import lru_cache
from typing import Final

from tongits_engine.actions import (
    CONCEAL_OF_RANK,
    DISCARD_OF_CARD,
    EXPOSE_OF_SHAPE,
    TAKE_OF_SHAPE,
    Action,
)
from tongits_engine.cards import PACK, POINTS, cards_of
from tongits_engine.meld_shapes import MELD_SHAPES, SET_COUNT, MeldShape

Actions = tuple[Action, ...]

_BYTE: Final = 0xFF
_HALF: Final = 0xFFFFFF  # three bytes; numbers of up to 30 bits are the interpreter's fast ones
_FIRST_OF_RANK: Final = 0x1111111111111
_SUIT: Final = tuple(_FIRST_OF_RANK << suit for suit in range(4))


_Piece = tuple[bytes, Actions, Actions, Actions, int]
"""What two neighbouring ranks of a hand allow by themselves: cards, discards, sets, conceals,
points. A plain tuple, because the interpreter takes those apart fastest."""


def _rank_pieces(rank: int) -> list[_Piece]:
    """What one rank allows by itself, by its nibble of a hand."""
    shapes = MELD_SHAPES[rank * 5 : rank * 5 + 5]
    conceal = CONCEAL_OF_RANK[rank]
    pieces: list[_Piece] = []
    for nibble in range(16):
        hand = nibble << rank * 4
        cards = cards_of(hand)
        discards = tuple([DISCARD_OF_CARD[card] for card in cards])
        sets = tuple([EXPOSE_OF_SHAPE[s.place] for s in shapes if s.mask & hand == s.mask])
        conceals = (conceal,) if conceal.mask == hand else ()
        pieces.append((cards, discards, sets, conceals, sum([POINTS[card] for card in cards])))
    return pieces


def _pieces(first_rank: int) -> list[_Piece]:
    """All pieces that start at one rank, by their bits."""
    first = _rank_pieces(first_rank)
    if first_rank == len(CONCEAL_OF_RANK) - 1:
        return first
    second = _rank_pieces(first_rank + 1)
    return [
        (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4])
        for b in second
        for a in first
    ]


_P0: Final = _pieces(0)
_P1: Final = _pieces(2)
_P2: Final = _pieces(4)
_P3: Final = _pieces(6)
_P4: Final = _pieces(8)
_P5: Final = _pieces(10)
_P6: Final = _pieces(12)

_Cut = tuple[_Piece, _Piece, _Piece, _Piece, _Piece, _Piece, _Piece]


def _cut(hand: int) -> _Cut:
    low, high = hand & _HALF, hand >> 24
    return (
        _P0[low & _BYTE],
        _P1[low >> 8 & _BYTE],
        _P2[low >> 16],
        _P3[high & _BYTE],
        _P4[high >> 8 & _BYTE],
        _P5[high >> 16 & _BYTE],
        _P6[high >> 24],
    )


def hand_cards(hand: int) -> bytes:
    """Cards of a hand in card order; ``cards_of`` made fast."""
    p0, p1, p2, p3, p4, p5, p6 = _cut(hand)
    return b"".join((p0[0], p1[0], p2[0], p3[0], p4[0], p5[0], p6[0]))


def hand_points(hand: int) -> int:
    """Points of all cards of a hand; ``points_of`` made fast."""
    p0, p1, p2, p3, p4, p5, p6 = _cut(hand)
    return p0[4] + p1[4] + p2[4] + p3[4] + p4[4] + p5[4] + p6[4]


def fours_of(hand: int) -> int:
    """First card of each rank the hand holds all four of, as a set."""
    both = hand & hand >> 1
    return both & both >> 2 & _FIRST_OF_RANK


def _near(card: int) -> int:
    """The cards that rule out most melds with this card, or do not.

    All others of its rank and the two next on each side in its suit (round the corner between
    king and ace, for the variants in which that is one).
    """
    rank, suit = divmod(card, 4)
    same_rank = 0b1111 << rank * 4
    same_suit = sum(1 << (rank + step) % 13 * 4 + suit for step in (-2, -1, 1, 2))
    return (same_rank | same_suit) & ~(1 << card)


_NEAR: Final = tuple(_near(card) for card in range(PACK))


_Takes = tuple[tuple[int, Action], ...]
"""Pick-ups with the hand cards each needs."""


class _TakesOfTop(dict[int, _Takes]):
    """Pick-ups of one top discard that the hand's cards near it do not rule out."""

    def __init__(self, takes: list[tuple[int, Action]], near: int) -> None:
        self.takes = [(need, need & near, action) for need, action in takes]

    def __missing__(self, near: int) -> _Takes:
        found = [(need, a) for need, needs_near, a in self.takes if needs_near & near == needs_near]
        takes = self[near] = tuple(found)
        return takes


class _RunsOfSuit(dict[int, Actions]):
    """Run exposures of one suit, by the hand's cards of it that have the next two beside them.

    Where aces are high, by all the hand's cards of the suit.
    """

    def __init__(self, shapes: list[MeldShape], *, ace_high: bool) -> None:
        self.shapes = shapes
        self.ace_high = ace_high

    def __missing__(self, key: int) -> Actions:
        cards = key if self.ace_high else key | key << 4 | key << 8
        found = [EXPOSE_OF_SHAPE[s.place] for s in self.shapes if s.mask & cards == s.mask]
        runs = self[key] = tuple(found)
        return runs


class HandTables:
    """The melds of one reading of the meld parameters; from ``hand_tables``."""

    __slots__ = ("_ace_high", "_key", "_runs", "_takes", "fits", "shapes")

    def __init__(self, *, runs: bool, run_max: int, ace_high: bool) -> None:
        self._key = (runs, run_max, ace_high)
        self._ace_high = runs and ace_high
        self.shapes = tuple(
            shape
            for shape in MELD_SHAPES
            if shape.place < SET_COUNT
            or (runs and len(shape.cards) <= run_max and (ace_high or not shape.needs_high_ace))
        )
        """The melds there are, in the order of ``MELD_SHAPES``."""
        self.fits = _fits(self.shapes)
        """By the mask of each meld: the cards that may be laid off on it. Rule: R-LAY-1."""
        takes: list[list[tuple[int, Action]]] = [[] for _ in range(PACK)]
        for shape in self.shapes:
            for card in shape.cards:
                takes[card].append((shape.mask ^ 1 << card, TAKE_OF_SHAPE[shape.place]))
        self._takes = [_TakesOfTop(takes[card], _NEAR[card]) for card in range(PACK)]
        self._runs: list[tuple[int, _RunsOfSuit]] = []
        for suit in _SUIT:
            of_suit = [shape for shape in self.shapes[SET_COUNT:] if shape.mask & suit]
            self._runs.append((suit, _RunsOfSuit(of_suit, ace_high=self._ace_high)))

    def __reduce__(self) -> tuple[object, tuple[bool, int, bool]]:
        return hand_tables, self._key

    def takes(self, top: int, hand: int) -> Actions:
        """Every pick-up of the top discard: any meld of it and hand cards, never a lay-off.

        Rule: R-TAKE-1, R-TAKE-3, R-TAKE-4.
        """
        near = hand & _NEAR[top]
        if not near & near - 1:  # a meld has two of them
            return ()
        possible = self._takes[top][near]
        if not possible:
            return ()
        return tuple([action for need, action in possible if need & hand == need])

    def exposes(self, hand: int) -> Actions:
        """Every meld a hand holds, as an exposure. Rule: R-EXP-1."""
        return self.exposes_and_points(hand)[0]

    def exposes_and_points(self, hand: int) -> tuple[Actions, int]:
        """Every meld a hand holds, as an exposure, and the points of all its cards."""
        p0, p1, p2, p3, p4, p5, p6 = _cut(hand)
        exposes = p0[2] + p1[2] + p2[2] + p3[2] + p4[2] + p5[2] + p6[2]
        run_starts = hand & hand >> 4 & hand >> 8
        if run_starts or self._ace_high:
            exposes += self._runs_in(hand, run_starts)
        return exposes, p0[4] + p1[4] + p2[4] + p3[4] + p4[4] + p5[4] + p6[4]

    def choices(self, hand: int) -> tuple[Actions, Actions, Actions]:
        """Every exposure, concealment and discard of a hand, each in canonical order.

        Only cards in hand are looked at: the card just drawn is one of them, cards on the table
        are not.

        Rule: R-EXP-1, R-EXP-3, R-DISC-1, R-DISC-2, R-MELD-4.
        """
        low, high = hand & _HALF, hand >> 24
        p0, p1, p2 = _P0[low & _BYTE], _P1[low >> 8 & _BYTE], _P2[low >> 16]
        p3, p4, p5 = _P3[high & _BYTE], _P4[high >> 8 & _BYTE], _P5[high >> 16 & _BYTE]
        p6 = _P6[high >> 24]
        exposes = p0[2] + p1[2] + p2[2] + p3[2] + p4[2] + p5[2] + p6[2]
        conceals: Actions = ()
        if exposes:
            conceals = p0[3] + p1[3] + p2[3] + p3[3] + p4[3] + p5[3] + p6[3]
        run_starts = hand & hand >> 4 & hand >> 8
        if run_starts or self._ace_high:
            exposes += self._runs_in(hand, run_starts)
        discards = (p0[1] + p1[1] + (p2[1] + p3[1])) + (p4[1] + p5[1] + p6[1])
        return exposes, conceals, discards

    def _runs_in(self, hand: int, starts: int) -> Actions:
        if self._ace_high:  # the runs that need the high ace come last in the canonical order
            runs = [run for suit, of_suit in self._runs for run in of_suit[hand & suit]]
            return tuple(sorted(runs, key=lambda action: action.code))
        found: Actions = ()
        for suit, of_suit in self._runs:
            if starts & suit:
                found += of_suit[starts & suit]
        return found


def _fits(shapes: tuple[MeldShape, ...]) -> dict[int, int]:
    masks = {shape.mask for shape in shapes}
    fits = dict.fromkeys(masks, 0)
    for shape in shapes:
        for card in shape.cards:
            smaller = shape.mask ^ 1 << card
            if smaller in masks:
                fits[smaller] |= 1 << card
    return fits


@lru_cache(maxsize=64)
def hand_tables(runs: bool, run_max: int, ace_high: bool) -> HandTables:
    """The tables of these meld parameters; there are 44 different ones at most."""
    return HandTables(runs=runs, run_max=run_max, ace_high=ace_high)
