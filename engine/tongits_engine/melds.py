"""What a set of cards can be grouped into: melds, deadwood, groupings. Knows no game state."""

from functools import lru_cache
from typing import Final

from tongits_engine.cards import cards_of
from tongits_engine.hand_tables import Actions, HandTables, fours_of, hand_points
from tongits_engine.meld_shapes import MELD_SHAPES, MeldKind, MeldShape
from tongits_engine.rules import Rules

_FOUR: Final = 4
_POINT: Final = 1 << 12
"""Weight of a point against bonus sets, so that the bonus only decides between equals."""
_SHAPE_BY_MASK: Final = {shape.mask: shape for shape in MELD_SHAPES}
_FIRST_EXPOSE: Final = 1 + len(MELD_SHAPES)
"""Code of the first exposure; exposures stand in the order of the shapes."""


def meld_shape(rules: Rules, cards: int) -> MeldShape | None:
    """The meld a set of cards is under these rules, None if it is none.

    Rule: R-MELD-1, R-MELD-2, R-MELD-3.
    """
    return _SHAPE_BY_MASK[cards] if cards in rules.tables.fits else None


def is_meld(rules: Rules, cards: int) -> bool:
    """Whether a set of cards is a meld. Rule: R-MELD-1, R-MELD-2, R-MELD-3."""
    return cards in rules.tables.fits


def meld_kind(cards: int) -> MeldKind:
    """Whether a meld is a set or a run."""
    return _SHAPE_BY_MASK[cards].kind


def all_melds(rules: Rules) -> tuple[MeldShape, ...]:
    """Every meld there is, sets first: 329 in ``tongits-lite``, 65 without runs."""
    return rules.tables.shapes


def melds_in(rules: Rules, hand: int) -> tuple[MeldShape, ...]:
    """Every meld that lies within a set of cards, sets first; they may overlap."""
    return _shapes_of(rules.tables.exposes(hand))


def deadwood(rules: Rules, hand: int) -> int:
    """Least points left in a hand over all ways to take disjoint melds out of it.

    Where held melds are not free, the points of all its cards.

    Rule: R-MELD-6.
    """
    if rules.deadwood_held_melds_free:
        return ungrouped_points(rules.tables, hand)
    return hand_points(hand)


def grouping(rules: Rules, hand: int) -> tuple[bytes, ...]:
    """The canonical least-deadwood grouping of a hand: its melds, disjoint, in order.

    A grouping is written as the list of its melds, each in card order, the melds in the order
    of their cards; of all groupings that leave the least points the one is chosen whose list
    comes first, compared card by card.

    Rule: R-MELD-7.
    """
    return _grouping(rules.tables, hand)


@lru_cache(maxsize=8192)
def _grouping(tables: HandTables, hand: int) -> tuple[bytes, ...]:
    groups = []
    left, least = hand, ungrouped_points(tables, hand)
    for shape in sorted(_shapes_of(tables.exposes(hand)), key=lambda shape: shape.cards):
        if shape.mask & left == shape.mask:
            without = left ^ shape.mask
            if ungrouped_points(tables, without) == least:
                groups.append(shape.cards)
                left = without
    return tuple(groups)


def loose_cards(rules: Rules, hand: int) -> bytes:
    """The cards outside the canonical grouping, in card order. Rule: R-MELD-7."""
    grouped = {card for cards in grouping(rules, hand) for card in cards}
    return bytes([card for card in cards_of(hand) if card not in grouped])


def bonus_sets_in_hand(rules: Rules, hand: int) -> int:
    """Sets in a winner's hand that pay the bonus.

    Of all least-deadwood groupings the one that pays most is taken, then that with most fours,
    then that with most sets.

    Rule: R-PAY-5, R-PAY-6.
    """
    tables = rules.tables
    if rules.score_set_bonus_scope == "all_sets":
        return _best(tables.exposes(hand), _ALL_SETS) % _POINT // _SET
    return _best(tables.exposes(hand), _FOURS) % _POINT if fours_of(hand) else 0


def ungrouped_points(tables: HandTables, hand: int) -> int:
    """Least points left outside disjoint melds, whatever the rules count."""
    exposes, points = tables.exposes_and_points(hand)
    return points - _best(exposes, _POINTS_ONLY) // _POINT if exposes else points


_POINTS_ONLY: Final = 0
_FOURS: Final = 1
_ALL_SETS: Final = 2
_SET: Final = 64
"""Weight of a set against a four: there are never 64 fours."""


def _worth(shape: MeldShape, scheme: int) -> int:
    bonus = 0
    if shape.kind is MeldKind.SET:
        is_four = len(shape.cards) == _FOUR
        bonus = (0, int(is_four), _SET + is_four)[scheme]
    return shape.points * _POINT + bonus


def _shapes_of(exposes: Actions) -> tuple[MeldShape, ...]:
    return tuple([MELD_SHAPES[action.code - _FIRST_EXPOSE] for action in exposes])


def _best(exposes: Actions, scheme: int) -> int:
    """Greatest worth of disjoint ones of some melds: exact, by the lowest card left."""
    shapes = _shapes_of(exposes)
    useful = 0
    for shape in shapes:
        useful |= shape.mask
    if useful == sum([shape.mask for shape in shapes]):  # none shares a card with another
        return sum([_worth(shape, scheme) for shape in shapes])
    by_first: dict[int, list[tuple[int, int]]] = {}
    for shape in shapes:
        first = shape.mask & -shape.mask
        by_first.setdefault(first, []).append((shape.mask, _worth(shape, scheme)))
    return _best_of(useful, by_first, {0: 0})


def _best_of(cards: int, melds: dict[int, list[tuple[int, int]]], known: dict[int, int]) -> int:
    best = known.get(cards)
    if best is None:
        first = cards & -cards
        best = _best_of(cards ^ first, melds, known)
        for mask, worth in melds.get(first, ()):
            if mask & cards == mask:
                best = max(best, worth + _best_of(cards ^ mask, melds, known))
        known[cards] = best
    return best
