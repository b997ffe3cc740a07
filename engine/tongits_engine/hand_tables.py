"""Fast look-ups from hand masks to cards, actions and melds. Knows melds, but no game state.

All tables are filled when first asked and bounded by their keys (13-bit pieces of a hand), so
they are caches and never hold anything about a game.

A hand is a mask with bit ``rank * 4 + suit``: the cards of a rank are one nibble, and the next
card of a suit is four bits further on. Hence the shifts by 1, 2 (sets) and 4, 8 (runs) below.
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

_PIECE: Final = 0x1FFF  # 13 bits: four pieces make a pack
_EVEN_BITS: Final = 0x5555555555555
_FIRST_OF_RANK: Final = 0x1111111111111
_SUIT: Final = tuple(_FIRST_OF_RANK << suit for suit in range(4))


class _CardsOfPiece(dict[int, bytes]):
    """Cards of a 13-bit piece of a hand, in card order."""

    def __init__(self, shift: int) -> None:
        self.shift = shift

    def __missing__(self, piece: int) -> bytes:
        cards = self[piece] = cards_of(piece << self.shift)
        return cards


class _DiscardsOfPiece(dict[int, tuple[Action, ...]]):
    """Discards of a 13-bit piece of a hand, in card order."""

    def __init__(self, shift: int) -> None:
        self.shift = shift

    def __missing__(self, piece: int) -> tuple[Action, ...]:
        cards = cards_of(piece << self.shift)
        discards = self[piece] = tuple([DISCARD_OF_CARD[card] for card in cards])
        return discards


_CARDS: Final = tuple(_CardsOfPiece(shift) for shift in (0, 13, 26, 39))
_DISCARDS: Final = tuple(_DiscardsOfPiece(shift) for shift in (0, 13, 26, 39))
_CARDS_0, _CARDS_1, _CARDS_2, _CARDS_3 = _CARDS
_DISCARDS_0, _DISCARDS_1, _DISCARDS_2, _DISCARDS_3 = _DISCARDS


def hand_cards(hand: int) -> bytes:
    """Cards of a hand in card order; ``cards_of`` made fast."""
    return (
        _CARDS_0[hand & _PIECE]
        + _CARDS_1[hand >> 13 & _PIECE]
        + _CARDS_2[hand >> 26 & _PIECE]
        + _CARDS_3[hand >> 39]
    )


def hand_points(hand: int) -> int:
    """Points of all cards of a hand; ``points_of`` made fast."""
    return sum([POINTS[card] for card in hand_cards(hand)])


def hand_discards(hand: int) -> tuple[Action, ...]:
    """A discard for every card of a hand, in card order."""
    return (
        _DISCARDS_0[hand & _PIECE]
        + _DISCARDS_1[hand >> 13 & _PIECE]
        + _DISCARDS_2[hand >> 26 & _PIECE]
        + _DISCARDS_3[hand >> 39]
    )


def triples_of(hand: int) -> int:
    """First card of each rank of which the hand holds three or four."""
    both = hand & hand >> 1 & _EVEN_BITS
    some = (hand | hand >> 1) & _EVEN_BITS
    return (both & some >> 2 | both >> 2 & some) & _FIRST_OF_RANK


def fours_of(hand: int) -> int:
    """First card of each rank the hand holds all four of."""
    both = hand & hand >> 1
    return both & both >> 2 & _FIRST_OF_RANK


def hand_conceals(hand: int) -> tuple[Action, ...]:
    """A concealment for every set of four in a hand."""
    return tuple([CONCEAL_OF_RANK[card >> 2] for card in cards_of(fours_of(hand))])


def _sets_of_rank(rank: int) -> tuple[tuple[Action, ...], ...]:
    """Set exposures by the nibble of a rank."""
    shapes = MELD_SHAPES[rank * 5 : rank * 5 + 5]
    return tuple(
        tuple(EXPOSE_OF_SHAPE[s.place] for s in shapes if s.mask & nibble << rank * 4 == s.mask)
        for nibble in range(16)
    )


_SETS_OF_RANK: Final = tuple(_sets_of_rank(rank) for rank in range(13))


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


class _RunsOfSuit(dict[int, tuple[Action, ...]]):
    """Run exposures by the hand's cards of one suit."""

    def __init__(self, shapes: list[MeldShape]) -> None:
        self.shapes = shapes

    def __missing__(self, suit_cards: int) -> tuple[Action, ...]:
        found = [EXPOSE_OF_SHAPE[s.place] for s in self.shapes if s.mask & suit_cards == s.mask]
        runs = self[suit_cards] = tuple(found)
        return runs


class HandTables:
    """The melds of one reading of the meld parameters; from ``hand_tables``."""

    __slots__ = ("_hints", "_key", "_runs", "_takes", "fits", "shapes")

    def __init__(self, *, runs: bool, run_max: int, ace_high: bool) -> None:
        self._key = (runs, run_max, ace_high)
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
        self._runs = [
            _RunsOfSuit([s for s in self.shapes[SET_COUNT:] if s.mask & suit]) for suit in _SUIT
        ]

    def __reduce__(self) -> tuple[object, tuple[bool, int, bool]]:
        return hand_tables, self._key

    def takes(self, top: int, hand: int) -> tuple[Action, ...]:
        """Every pick-up of the top discard into a meld with hand cards. Rule: R-TAKE-1."""
        if not self._hints[top][hand & _NEAR[top]]:
            return ()
        return tuple([action for need, action in self._takes[top] if need & hand == need])

    def exposes(self, hand: int) -> tuple[Action, ...]:
        """Every meld a hand holds, as an exposure. Rule: R-EXP-1."""
        triples = triples_of(hand)
        run_starts = hand & hand >> 4 & hand >> 8 | (hand >> 44 & hand >> 48 & hand & 0b1111)
        if not triples and not run_starts:
            return ()
        found: tuple[Action, ...] = ()
        while triples:
            first = triples.bit_length() - 1
            found = _SETS_OF_RANK[first >> 2][hand >> first & 0b1111] + found
            triples ^= 1 << first
        if run_starts and self._key[0]:
            found += self._runs_in(hand, run_starts)
        return found

    def _runs_in(self, hand: int, starts: int) -> tuple[Action, ...]:
        found: tuple[Action, ...] = ()
        for suit, runs in zip(_SUIT, self._runs, strict=True):
            if starts & suit:
                found += runs[hand & suit]
        if self._key[2]:  # runs with a high ace come last in the canonical order
            found = tuple(sorted(found, key=lambda action: action.code))
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
