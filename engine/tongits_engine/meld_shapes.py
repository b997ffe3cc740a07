"""The list of all melds that can exist, in a fixed order. Knows nothing of hands or rules.

Sets come first (by rank; triples before the four), then runs with a low ace (by suit, first
rank, length: 65 + 264 = 329 melds), then the 40 runs that need a high ace.
"""

from enum import IntEnum
from typing import Final, NamedTuple

from tongits_engine.cards import mask_of, points_of


class MeldKind(IntEnum):
    """What a meld is."""

    SET = 1
    RUN = 2


class MeldShape(NamedTuple):
    """A meld as such, wherever it lies."""

    place: int
    """Place in ``MELD_SHAPES``."""
    kind: MeldKind
    cards: bytes
    """In card order (the ace first, also under a king)."""
    mask: int
    points: int
    needs_high_ace: bool


_ACE_HIGH_RANKS: Final = (*range(13), 0)


def _set_cards() -> list[bytes]:
    cards = []
    for first in range(0, 52, 4):
        four = range(first, first + 4)
        triples = [bytes(c for c in four if c != left_out) for left_out in reversed(four)]
        cards += [*triples, bytes(four)]
    return cards


def _run_cards(*, high_ace: bool) -> list[bytes]:
    ranks = _ACE_HIGH_RANKS
    return [
        bytes(sorted(rank * 4 + suit for rank in ranks[start:end]))
        for suit in range(4)
        for start in range(1 if high_ace else 0, 11 + high_ace)
        for end in ((14,) if high_ace else range(start + 3, 14))
        if end - start < 13 or not high_ace
    ]


def _shapes() -> tuple[MeldShape, ...]:
    sets, runs, high = _set_cards(), _run_cards(high_ace=False), _run_cards(high_ace=True)
    shapes = []
    for place, cards in enumerate([*sets, *runs, *high]):
        kind = MeldKind.SET if place < len(sets) else MeldKind.RUN
        mask = mask_of(cards)
        needs_high_ace = place >= len(sets) + len(runs)
        shapes.append(MeldShape(place, kind, cards, mask, points_of(mask), needs_high_ace))
    return tuple(shapes)


MELD_SHAPES: Final[tuple[MeldShape, ...]] = _shapes()
"""Every meld under any rules. Rule: R-MELD-1, R-MELD-2, R-MELD-3."""

SET_COUNT: Final = 65
"""The first so many shapes are sets."""

MELD_COUNT: Final = 329
"""Melds with a low ace; the shapes after them need ``meld.ace_high``."""

MAX_MELDS: Final = 17
"""No more melds fit on a table: 52 cards, three to a meld (default deals reach 12)."""
