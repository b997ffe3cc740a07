"""Fast look-ups from hand masks to cards, actions and melds. Knows melds, but no game state.

All tables are filled when first asked and bounded by their keys (pieces of a hand), so they are
caches and never hold anything about a game.

A hand is a mask with bit ``rank * 4 + suit``: the cards of a rank are one nibble, and the next
card of a suit is four bits further on. Hence runs are found by shifts of 4 and 8, and everything
about single cards and sets by cutting the hand into pieces of three ranks (the last has four).
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

_PIECE: Final = 0xFFF
_HALF: Final = 0xFFFFFF
_FIRST_OF_RANK: Final = 0x1111111111111
_SUIT: Final = tuple(_FIRST_OF_RANK << suit for suit in range(4))
_SUIT_0, _SUIT_1, _SUIT_2, _SUIT_3 = _SUIT


_Piece = tuple[bytes, Actions, Actions, Actions, int]
"""What neighbouring ranks of a hand allow by themselves: cards, discards, sets, conceals, points.

A plain tuple, because the interpreter takes those apart fastest.
"""


class _Pieces(dict[int, _Piece]):
    """The pieces that start at one rank, by their bits."""

    def __init__(self, first_rank: int) -> None:
        self.first_rank = first_rank

    def __missing__(self, bits: int) -> _Piece:
        hand = bits << self.first_rank * 4
        cards = cards_of(hand)
        shapes = MELD_SHAPES[self.first_rank * 5 : self.first_rank * 5 + 20]
        piece = self[bits] = (
            cards,
            tuple([DISCARD_OF_CARD[card] for card in cards]),
            tuple([EXPOSE_OF_SHAPE[s.place] for s in shapes if s.mask & hand == s.mask]),
            tuple([a for a in CONCEAL_OF_RANK if a.mask & hand == a.mask]),
            sum([POINTS[card] for card in cards]),
        )
        return piece


_PIECES_0 = _Pieces(0)
_PIECES_1 = _Pieces(3)
_PIECES_2 = _Pieces(6)
_PIECES_3 = _Pieces(9)


def hand_cards(hand: int) -> bytes:
    """Cards of a hand in card order; ``cards_of`` made fast."""
    low, high = hand & _HALF, hand >> 24
    return (
        _PIECES_0[low & _PIECE][0]
        + _PIECES_1[low >> 12][0]
        + _PIECES_2[high & _PIECE][0]
        + _PIECES_3[high >> 12][0]
    )


def hand_points(hand: int) -> int:
    """Points of all cards of a hand; ``points_of`` made fast."""
    low, high = hand & _HALF, hand >> 24
    return (
        _PIECES_0[low & _PIECE][4]
        + _PIECES_1[low >> 12][4]
        + _PIECES_2[high & _PIECE][4]
        + _PIECES_3[high >> 12][4]
    )


def fours_of(hand: int) -> int:
    """First card of each rank the hand holds all four of, as a set."""
    both = hand & hand >> 1
    return both & both >> 2 & _FIRST_OF_RANK


def _near(card: int) -> int:
    """The cards that decide whether any meld with this card is in reach.

    All others of its rank and the two next on each side in its suit (round the corner between
    king and ace, for the variants in which that is one).
    """
    rank, suit = divmod(card, 4)
    same_rank = 0b1111 << rank * 4
    same_suit = sum(1 << (rank + step) % 13 * 4 + suit for step in (-2, -1, 1, 2))
    return (same_rank | same_suit) & ~(1 << card)


_NEAR: Final = tuple(_near(card) for card in range(PACK))


class _TakeHint(dict[int, bool]):
    """Whether some meld with the card is possible, by the hand's cards near it."""

    def __init__(self, needs: list[int]) -> None:
        self.needs = needs

    def __missing__(self, near: int) -> bool:
        possible = self[near] = any(need & near == need for need in self.needs)
        return possible


class _RunsOfSuit(dict[int, Actions]):
    """Run exposures by the hand's cards of one suit."""

    def __init__(self, shapes: list[MeldShape]) -> None:
        self.shapes = shapes

    def __missing__(self, suit_cards: int) -> Actions:
        found = [EXPOSE_OF_SHAPE[s.place] for s in self.shapes if s.mask & suit_cards == s.mask]
        runs = self[suit_cards] = tuple(found)
        return runs


class HandTables:
    """The melds of one reading of the meld parameters; from ``hand_tables``."""

    __slots__ = ("_ace_high", "_hints", "_key", "_runs", "_takes", "fits", "shapes")

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
        self._takes = takes
        self._hints = [
            _TakeHint([need for need, _ in takes[card] if need & ~_NEAR[card] == 0])
            for card in range(PACK)
        ]
        runs_of_suit = [
            _RunsOfSuit([s for s in self.shapes[SET_COUNT:] if s.mask & suit]) for suit in _SUIT
        ]
        self._runs = (runs_of_suit[0], runs_of_suit[1], runs_of_suit[2], runs_of_suit[3])

    def __reduce__(self) -> tuple[object, tuple[bool, int, bool]]:
        return hand_tables, self._key

    def takes(self, top: int, hand: int) -> Actions:
        """Every pick-up of the top discard: any meld of it and hand cards, never a lay-off.

        Rule: R-TAKE-1, R-TAKE-3, R-TAKE-4.
        """
        if not self._hints[top][hand & _NEAR[top]]:
            return ()
        return tuple([action for need, action in self._takes[top] if need & hand == need])

    def exposes(self, hand: int) -> Actions:
        """Every meld a hand holds, as an exposure. Rule: R-EXP-1."""
        return self.choices(hand)[0]

    def choices(self, hand: int) -> tuple[Actions, Actions, Actions]:
        """Every exposure, concealment and discard of a hand, each in canonical order.

        Only cards in hand are looked at: the card just drawn is one of them, cards on the table
        are not.

        Rule: R-EXP-1, R-EXP-3, R-DISC-1, R-DISC-2, R-MELD-4.
        """
        low, high = hand & _HALF, hand >> 24  # halves fit the interpreter's small numbers
        _, discards_0, sets_0, conceals_0, _ = _PIECES_0[low & _PIECE]
        _, discards_1, sets_1, conceals_1, _ = _PIECES_1[low >> 12]
        _, discards_2, sets_2, conceals_2, _ = _PIECES_2[high & _PIECE]
        _, discards_3, sets_3, conceals_3, _ = _PIECES_3[high >> 12]
        exposes = sets_0 + sets_1 + sets_2 + sets_3
        run_starts = hand & hand >> 4 & hand >> 8
        if run_starts or self._ace_high:
            exposes += self._runs_in(hand)
        return (
            exposes,
            conceals_0 + conceals_1 + conceals_2 + conceals_3 if exposes else (),
            discards_0 + discards_1 + discards_2 + discards_3,
        )

    def _runs_in(self, hand: int) -> Actions:
        runs_0, runs_1, runs_2, runs_3 = self._runs
        found = (
            runs_0[hand & _SUIT_0]
            + runs_1[hand & _SUIT_1]
            + runs_2[hand & _SUIT_2]
            + runs_3[hand & _SUIT_3]
        )
        if self._ace_high:  # runs that need the high ace come last in the canonical order
            return tuple(sorted(found, key=lambda action: action.code))
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
