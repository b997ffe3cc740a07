"""Whoever watches a session while it is played; it changes nothing of it."""

from dataclasses import dataclass
from typing import Protocol

from tongits_engine import Action, Event, GameResult, State, Table

from tongits_harness.results.records import FaultRecord


@dataclass(frozen=True, slots=True)
class Move:
    """One action as it was played."""

    before: State
    action: Action
    source: str
    """d = the player's decision, f = forced (not asked), x = fallback."""
    elapsed_us: int
    """Charged thinking time."""
    note: str
    events: tuple[Event, ...]
    after: State


class Onlooker(Protocol):
    """Told of everything, hidden cards included: whatever it shows, it has to hide itself."""

    def dealt(self, number: int, table: Table, state: State) -> None:
        """A game begins; the antes are in the pot."""

    def acted(self, move: Move) -> None:
        """An action was played."""

    def blamed(self, fault: FaultRecord) -> None:
        """A player failed; the fallback action comes next."""

    def settled(self, number: int, table: Table, result: GameResult) -> None:
        """A game is over; payments, and in the last game the pot, are booked."""
