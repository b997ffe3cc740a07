"""What a run has done so far: plain counters to be shown; nothing is decided from them."""

import time
from collections import Counter
from dataclasses import dataclass, field

from tongits_harness.faults import FaultKind
from tongits_harness.results.left_off import LeftOff
from tongits_harness.results.match_result import MatchResult
from tongits_harness.results.ratings import RatedMatch, Rating, RatingFold
from tongits_harness.results.records import SessionRecord


@dataclass(slots=True)
class Progress:
    """Live figures of one run; counts what this run played and what was stored before."""

    matches_planned: int
    sessions_planned: int
    matches_done: int = 0
    sessions_done: int = 0
    sessions_before: int = 0
    """Sessions that an earlier run had stored."""
    games: int = 0
    decisions: int = 0
    voids: int = 0
    forfeits: int = 0
    faults: Counter[tuple[str, FaultKind]] = field(default_factory=Counter)
    suspended: tuple[str, ...] = ()
    is_complete: bool = False
    """Nothing is left to play."""
    ended: str = ""
    """Why a tournament that is decided in stages ended; empty before, and for any other."""
    players: str = ""
    """Who plays, where that is not this process alone."""
    started_at: float = field(default_factory=time.monotonic)
    chips: Counter[str] = field(default_factory=Counter)
    """Chips by entrant in the sessions of this run."""
    fold: RatingFold = field(default_factory=lambda: RatingFold(()))
    is_watched: bool = True
    """Whether anybody looks: without, ratings are not worked out while it plays."""

    @property
    def seconds(self) -> float:
        """How long this run has been going."""
        return time.monotonic() - self.started_at

    @property
    def sessions_per_s(self) -> float:
        """Rate of this run."""
        return (self.sessions_done - self.sessions_before) / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """Expected time to the end; None before the first session."""
        rate = self.sessions_per_s
        return (self.sessions_planned - self.sessions_done) / rate if rate else None

    def top(self, count: int) -> list[tuple[str, Rating]]:
        """The best scores so far."""
        ranked = sorted(self.fold.ratings.items(), key=lambda item: (-item[1].score, item[0]))
        return ranked[:count]

    def take_up(self, left: LeftOff) -> None:
        """An earlier run has left this."""
        self.sessions_before = self.sessions_done = left.sessions_stored
        self.matches_done = left.matches_stored - len(left.matches)
        self.fold = RatingFold.from_ratings(left.standing.ratings, left.standing.last)
        self.suspended = tuple(left.standing.suspended)

    def add_session(self, record: SessionRecord) -> None:
        """A session has been played."""
        self.sessions_done += 1
        self.games += len(record.games)
        self.decisions += sum(seat.decisions for seat in record.seats)
        self.forfeits += sum(seat.forfeited for seat in record.seats)
        for seat in record.seats:
            self.chips[seat.entrant] += seat.chips
        for fault in record.faults:
            if fault.charged:
                self.faults[fault.entrant, fault.fault.kind] += 1

    def add_rated(self, match: MatchResult) -> None:
        """A match has been settled and counts."""
        if self.is_watched:
            self.fold.add(RatedMatch(match.index, match.entrants, match.places))
