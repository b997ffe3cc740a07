"""What happened, one public-or-private fact each, and the hiding of the private ones."""

from enum import IntEnum
from typing import Final, NamedTuple

from tongits_engine.cards import PACK, SEATS


class EventKind(IntEnum):
    """What happened."""

    DREW = 1
    """``seat`` took the top of the stock; ``cards`` is known to that seat only."""
    TOOK = 2
    """``seat`` picked up the top discard into meld ``meld`` (``cards``: the whole meld)."""
    EXPOSED = 3
    """``seat`` put ``cards`` down as meld ``meld``."""
    CONCEALED = 4
    """``seat`` put a four face down as meld ``meld``; ``cards`` are known to that seat only."""
    LAID_OFF = 5
    """``seat`` added ``cards`` (one) to meld ``meld``."""
    DISCARDED = 6
    """``seat`` discarded ``cards`` (one)."""
    CALLED = 7
    """``seat`` called Draw; ``points`` is its deadwood where callers announce it, else -1."""
    CHALLENGED = 8
    """``seat`` challenges the caller."""
    FOLDED = 9
    """``seat`` folds."""
    AUTO_FOLDED = 10
    """``seat`` has not opened and is folded by the rules."""
    ENDED = 11
    """The game is over; ``points`` is the ``Termination``, ``seat`` is -1."""
    REVEALED = 12
    """The end shows ``cards``: the hand of ``seat``, or its concealed meld ``meld``."""


class Event(NamedTuple):
    """One thing that happened."""

    kind: EventKind
    seat: int
    cards: bytes = b""
    """In card order; empty where there are none or where they are hidden."""
    meld: int = -1
    points: int = -1


def redact(event: Event, seat: int) -> Event:
    """The event as a seat may see it (seat -1: as an onlooker may). Rule: R-INFO-1, R-INFO-2."""
    if event.seat == seat or event.kind not in _PRIVATE:
        return event
    return event._replace(cards=b"")


_PRIVATE: Final = (EventKind.DREW, EventKind.CONCEALED)


def _by_seat_and_card(kind: EventKind) -> tuple[tuple[tuple[Event, ...], ...], ...]:
    return tuple(
        tuple((Event(kind, seat, bytes([card])),) for card in range(PACK)) for seat in range(SEATS)
    )


DREW: Final = _by_seat_and_card(EventKind.DREW)
"""Ready-made events of the two most frequent kinds, by seat and card."""
DISCARDED: Final = _by_seat_and_card(EventKind.DISCARDED)
BY_KIND_AND_SEAT: Final = tuple(
    tuple(Event(kind, seat) for seat in range(SEATS)) for kind in (EventKind.DREW, *EventKind)
)
"""Events that need no more than a seat, by kind (kinds count from 1) and seat."""

ENDED: Final = tuple(Event(EventKind.ENDED, -1, points=ending) for ending in range(6))
"""By ``Termination``."""
