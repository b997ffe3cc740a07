"""The words of the game as values: phases, actions, events, melds, results. No messages here."""

import enum
from typing import NamedTuple

from tongits_bot.cards import format_cards, parse_cards


class Phase(enum.IntEnum):
    """Where in a turn the decision falls."""

    START = 1
    ACTION = 2
    RESPOND = 3


class Kind(enum.IntEnum):
    """Kinds of action."""

    DRAW = 1
    TAKE = 2
    EXPOSE = 3
    CONCEAL = 4
    LAYOFF = 5
    DISCARD = 6
    CALL = 7
    CHALLENGE = 8
    FOLD = 9


class EventKind(enum.IntEnum):
    """Kinds of event."""

    DREW = 1
    TOOK = 2
    EXPOSED = 3
    CONCEALED = 4
    LAID_OFF = 5
    DISCARDED = 6
    CALLED = 7
    CHALLENGED = 8
    FOLDED = 9


class Action(NamedTuple):
    """One thing a seat can do. `str(action)` is the text that `tongits referee` reads."""

    kind: Kind
    cards: bytes = b""
    """TAKE, EXPOSE, CONCEAL: the whole meld in card order. LAYOFF, DISCARD: one card."""
    meld: int = 0
    """LAYOFF: the number of the meld."""

    def __str__(self) -> str:
        words = [self.kind.name.lower(), format_cards(self.cards)]
        if self.kind is Kind.LAYOFF:
            words.append(str(self.meld))
        return " ".join(words).rstrip()

    @classmethod
    def parse(cls, text: str) -> "Action":
        """The action written as "draw", "take 4H 5H 6H", "layoff 7H 0", "discard 9C", ..."""
        word, _, rest = text.strip().partition(" ")
        kind = Kind[word.upper()]
        if kind is not Kind.LAYOFF:
            return cls(kind, bytes(sorted(parse_cards(rest))))
        card, number = rest.split()
        return cls(kind, parse_cards(card), int(number))


class Event(NamedTuple):
    """Something everybody at the table saw."""

    number: int
    kind: EventKind
    seat: int
    cards: bytes
    """Empty where you may not see them. TOOK: the whole meld, with the discard in it."""
    meld: int
    points: int | None


class Meld(NamedTuple):
    """A meld on the table; its number is its place in `View.melds`."""

    owner: int
    cards: bytes
    """Empty for a concealed four of another seat."""
    face_down: bool
    size: int


class Result(NamedTuple):
    """How a game ended."""

    termination: str
    """tongits, draw_uncontested, draw_contested, stock_out or void."""
    winner: int | None
    payments: tuple[int, ...]
    """Chips won or paid by each seat, without antes and pot."""
    hands: tuple[bytes, ...]
    """Hands shown at the end; empty where not shown."""
