"""Sums over matches: by entrant, by pair of entrants, by seat."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tongits_harness.results.comparison import Z95
from tongits_harness.results.fold.match_figures import MatchFigures
from tongits_harness.results.match_result import EntrantOutcome
from tongits_harness.results.ratings import Rating

HISTORY_POINTS = 128
"""Points kept of a rating's history; when there are twice as many every second one is dropped."""


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after a number of matches."""

    matches: int
    index: int
    """The latest of them in the schedule."""
    mu: float
    sigma: float


@dataclass(slots=True)
class Totals:
    """One entrant over the matches that count."""

    places: list[int] = field(default_factory=lambda: [0, 0, 0])
    forfeits: int = 0
    decisions: int = 0
    latency: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    history: list[Point] = field(default_factory=list)
    stride: int = 1
    """Every so many matches a point is kept."""

    @property
    def matches(self) -> int:
        """Matches that count."""
        return sum(self.places)

    def add(self, outcome: EntrantOutcome, match: MatchFigures) -> None:
        """Take the entrant's part of a match."""
        name = outcome.entrant
        self.places[outcome.place - 1] += 1
        self.forfeits += outcome.forfeited
        self.decisions += match.decisions.get(name, 0)
        self.latency.update(match.latency.get(name, {}))
        self.faults.update(match.faults.get(name, {}))
        self.ends.update(match.ends.get(name, {}))

    def rated(self, index: int, rating: Rating) -> None:
        """Take the rating after that match."""
        if self.matches % self.stride == 0:
            self.history.append(Point(self.matches, index, rating.mu, rating.sigma))
        if len(self.history) >= 2 * HISTORY_POINTS:
            self.stride *= 2
            self.history = [point for point in self.history if point.matches % self.stride == 0]

    def as_state(self) -> list[object]:
        """Plain lists and numbers for JSON."""
        points = [[p.matches, p.index, p.mu, p.sigma] for p in self.history]
        sums = [sorted(counter.items()) for counter in (self.latency, self.faults, self.ends)]
        return [self.places, self.forfeits, self.decisions, *sums, points, self.stride]

    @classmethod
    def from_state(cls, state: Sequence[Any]) -> "Totals":
        """What `as_state` gave."""
        places, forfeits, decisions, latency, faults, ends, points, stride = state
        return cls(
            places=list(places),
            forfeits=forfeits,
            decisions=decisions,
            latency=Counter(dict(latency)),
            faults=Counter(dict(faults)),
            ends=Counter(dict(ends)),
            history=[Point(*point) for point in points],
            stride=stride,
        )


@dataclass(slots=True)
class Pair:
    """Two entrants over the matches that count and hold both; the first by name comes first."""

    above: int = 0
    """Matches in which the first took the better place."""
    level: int = 0
    below: int = 0
    chips: int = 0
    """Chips of the first in matches that it did not forfeit."""
    games: int = 0
    other_chips: int = 0
    other_games: int = 0

    @property
    def matches(self) -> int:
        """Matches of both."""
        return self.above + self.level + self.below

    def add(self, first: EntrantOutcome, second: EntrantOutcome) -> None:
        """Take a match of both."""
        self.above += first.place < second.place
        self.level += first.place == second.place
        self.below += first.place > second.place
        if not first.forfeited:
            self.chips += first.chips
            self.games += first.games
        if not second.forfeited:
            self.other_chips += second.chips
            self.other_games += second.games

    def as_state(self) -> list[int]:
        """Plain numbers for JSON."""
        own = [self.above, self.level, self.below, self.chips, self.games]
        return [*own, self.other_chips, self.other_games]


@dataclass(slots=True)
class SeatTotals:
    """Chips by seat, over matches of all entrants: flat if no seat is better than another."""

    matches: int = 0
    games: int = 0
    chips: list[int] = field(default_factory=lambda: [0, 0, 0])
    squares: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Sums of the squares of a match's chips, for the intervals."""

    def add(self, match: MatchFigures) -> None:
        """Take a match."""
        self.matches += 1
        self.games += match.games
        for seat, chips in enumerate(match.seat_chips):
            self.chips[seat] += chips
            self.squares[seat] += chips * chips

    def per_game(self, seat: int) -> tuple[float, float]:
        """Chips per game of a seat, and half the width of its 95 % interval (matches as blocks)."""
        if not self.games:
            return 0.0, math.inf
        mean = self.chips[seat] / self.matches
        variance = max(self.squares[seat] / self.matches - mean * mean, 0.0)
        half = Z95 * math.sqrt(variance / self.matches)
        return self.chips[seat] / self.games, half * self.matches / self.games

    def as_state(self) -> list[object]:
        """Plain lists and numbers for JSON."""
        return [self.matches, self.games, self.chips, self.squares]


def pairs_as_state(pairs: Mapping[tuple[str, str], Pair]) -> list[list[object]]:
    """Plain lists for JSON, by name."""
    return [[*names, *pair.as_state()] for names, pair in sorted(pairs.items())]
