"""Cards as small integers: texts, points and bit masks. Knows nothing of melds or play.

A card is ``rank * 4 + suit`` (0..51) with ranks A 2..9 T J Q K = 0..12 and suits
C D H S = 0..3, so plain integer order is rank, then suit. A sequence of cards is
``bytes``; a set of cards is an ``int`` mask with bit ``card`` set.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from tongits_engine.errors import InvalidCard

SEATS: Final = 3
PACK: Final = 52
RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
ACES: Final = 0b1111
"""Mask of the four aces."""

POINTS: Final[tuple[int, ...]] = tuple(min(card // 4 + 1, 10) for card in range(PACK))
"""Points of each card: ace 1, 2..T face value, J Q K 10. Rule: R-CARD-3."""

CARD_TEXTS: Final[tuple[str, ...]] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Text of each card, by card. Rule: R-CARD-2."""

_BITS: Final = tuple(1 << card for card in range(PACK))
_PACK_CARDS: Final = bytes(range(PACK))
_ALL_CARDS: Final = frozenset(_PACK_CARDS)
_CARDS_BY_TEXT: Final = {text: card for card, text in enumerate(CARD_TEXTS)}


def card_text(card: int) -> str:
    """Two characters, rank and suit, for instance ``7H``."""
    return CARD_TEXTS[card]


def cards_text(cards: Iterable[int]) -> str:
    """Texts of the cards in the order given, separated by single spaces."""
    return " ".join([CARD_TEXTS[card] for card in cards])


def parse_card(text: str) -> int:
    """The card a text such as ``7H`` means.

    Raises:
        InvalidCard: the text is not a rank followed by a suit, in capitals.
    """
    card = _CARDS_BY_TEXT.get(text)
    if card is None:
        reason = f"{text!r} is no card: write one of {RANKS} and one of {SUITS}, such as 7H"
        raise InvalidCard(reason)
    return card


def parse_cards(text: str) -> bytes:
    """The cards of a text such as ``7C 7D 7H``, in the order written.

    Raises:
        InvalidCard: one of the words is no card.
    """
    return bytes([parse_card(word) for word in text.split()])


def mask_of(cards: Iterable[int]) -> int:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= _BITS[card]
    return mask


def cards_of(mask: int) -> bytes:
    """The cards of a set in card order."""
    cards = bytearray()
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return bytes(cards)


def points_of(mask: int) -> int:
    """Points of all cards of a set together. Rule: R-CARD-3."""
    return sum([POINTS[card] for card in cards_of(mask)])


def is_pack(cards: Sequence[int]) -> bool:
    """Whether these are the 52 cards, each once. Rule: R-CARD-1."""
    if len(cards) != PACK:
        return False
    if isinstance(cards, bytes):  # the fast way: nothing is left of a pack without these cards
        return not _PACK_CARDS.translate(None, cards)
    return set(cards) == _ALL_CARDS
