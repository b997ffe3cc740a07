"""Two entrants over the matches in which they met. Pure."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tongits_harness.results.match_result import EntrantOutcome, MatchResult

Z95 = 1.959964
"""Two-sided 95 % point of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two."""

    entrant: str
    above: int
    """Matches in which it took the better place."""
    places: tuple[int, int, int]
    chips_per_game: float | None
    """Without matches it forfeited; None if no game is left."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two entrants did against each other."""

    matches: int
    level: int
    """Matches in which both took the same place."""
    first: Side
    second: Side

    @property
    def share(self) -> float | None:
        """How often the first was above the second, level matches counting half."""
        return (self.first.above + self.level / 2) / self.matches if self.matches else None

    @property
    def share_ci95(self) -> tuple[float, float]:
        """Wilson's interval for that probability; 0 to 1 without a match."""
        return interval95(self.share or 0.0, self.matches)


def compare(matches: Iterable[MatchResult], first: str, second: str) -> Comparison:
    """The comparison over those of the matches that hold both."""
    pairs = []
    for match in matches:
        by_name = {outcome.entrant: outcome for outcome in match.outcomes}
        if first in by_name and second in by_name:
            pairs.append((by_name[first], by_name[second]))
    return Comparison(
        matches=len(pairs),
        level=sum(a.place == b.place for a, b in pairs),
        first=_side(first, pairs),
        second=_side(second, [(b, a) for a, b in pairs]),
    )


def interval95(share: float, count: int) -> tuple[float, float]:
    """Wilson's interval for a share observed in `count` trials; 0 to 1 without any."""
    if count == 0:
        return (0.0, 1.0)
    factor = 1 / (1 + Z95**2 / count)
    middle = share + Z95**2 / (2 * count)
    half = Z95 * math.sqrt(share * (1 - share) / count + Z95**2 / (4 * count**2))
    return (max(0.0, factor * (middle - half)), min(1.0, factor * (middle + half)))


def _side(name: str, pairs: list[tuple[EntrantOutcome, EntrantOutcome]]) -> Side:
    places = [own.place for own, _ in pairs]
    kept = [own for own, _ in pairs if not own.forfeited]
    games = sum(own.games for own in kept)
    return Side(
        entrant=name,
        above=sum(own.place < other.place for own, other in pairs),
        places=(places.count(1), places.count(2), places.count(3)),
        chips_per_game=sum(own.chips for own in kept) / games if games else None,
    )
