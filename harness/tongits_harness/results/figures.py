"""Figures the database gives beside records and results: values only."""

from collections.abc import Mapping
from dataclasses import dataclass

from tongits_harness.results.match_result import MatchResult


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    sessions: int
    sessions_planned: int
    matches: int
    """Complete matches, counted or not."""
    matches_planned: int
    voids: int
    """Sessions that were voided by harness trouble and replayed."""
    finished_at: float | None
    """Seconds since the epoch; None while unfinished."""
    secret: str | None
    """The published secret (hex); None while unfinished."""
    ended: str = ""
    """Why a tournament that is decided in stages ended; empty before, and for any other."""

    @property
    def is_finished(self) -> bool:
        """Played to its end: nothing can be resumed. Suspensions leave matches unplayed."""
        return self.finished_at is not None


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """What one entrant did in one complete match, beside its result."""

    index: int
    entrant: str
    decisions: int
    latency: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class MatchRows:
    """What is stored of a complete match beside its sessions."""

    result: MatchResult
    sandbox: str
    """The weakest isolation level it was played at."""
    figures: tuple[SeatFigures, ...]
    """By entrant's name."""


@dataclass(frozen=True, slots=True)
class FaultCount:
    """Charged faults of one kind by one entrant in one match."""

    index: int
    entrant: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class FaultSummary:
    """Faults of one kind by one entrant in one phase, with the latest in schedule order."""

    entrant: str
    kind: str
    phase: str
    charged: bool
    count: int
    match_index: int
    match_key: str
    seating: int
    seat: int
    game: int
    step: int
    message: str
    evidence: Mapping[str, object]
    request: bytes
    """The exact DecisionRequest that was being answered; empty if there was none."""
