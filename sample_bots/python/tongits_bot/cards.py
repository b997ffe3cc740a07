"""Cards as the protocol numbers them: one card is `4 * rank + suit`, several cards are `bytes`.

Ranks run from 0 (ace, always low) to 12 (king), suits from 0 (clubs) over diamonds and hearts to
3 (spades). Text is rank then suit: "7H", "TS", "AC".
"""

from collections.abc import Iterable

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK = bytes(range(52))
"""Every card, in card order."""
POINTS = bytes(min(card // 4 + 1, 10) for card in DECK)
"""Points by card: ace 1, two to ten their number, jack, queen and king 10."""


def rank(card: int) -> int:
    """0 for an ace, 1 for a two, ... 12 for a king."""
    return card >> 2


def suit(card: int) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def points(cards: Iterable[int]) -> int:
    """Points of these cards together, as if none of them were melded."""
    return sum([POINTS[card] for card in cards])


def parse_card(text: str) -> int:
    """The card written as "7H"; lower case is fine.

    Raises:
        ValueError: The text is not a rank and a suit.
    """
    word = text.strip().upper()
    if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
        raise ValueError(f"{text!r} is no card: write a rank of {RANKS} and a suit of {SUITS}")
    return 4 * RANKS.index(word[0]) + SUITS.index(word[1])


def parse_cards(text: str) -> bytes:
    """The cards written as "4H 5H 6H", in the order of the text."""
    return bytes([parse_card(word) for word in text.split()])


def format_card(card: int) -> str:
    """The card as text: "7H"."""
    return RANKS[card >> 2] + SUITS[card & 3]


def format_cards(cards: Iterable[int]) -> str:
    """The cards as text: "4H 5H 6H"."""
    return " ".join([format_card(card) for card in cards])
