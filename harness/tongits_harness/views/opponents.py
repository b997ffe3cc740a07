"""One entrant against each other, and a triple at one table."""

from collections.abc import Iterable
from dataclasses import dataclass

from tongits_harness.results.comparison import interval95
from tongits_harness.results.fold import Standing
from tongits_harness.results.match_result import MatchResult
from tongits_harness.views.tables import Column, Table


@dataclass(frozen=True, slots=True)
class Opponent:
    """How an entrant did in the matches it shared with another."""

    name: str
    matches: int
    above: int
    level: int
    below: int
    chips_per_game: float | None
    """Of the entrant, in those matches."""
    p_above: float | None
    """By resamples of all matches."""

    @property
    def share(self) -> float | None:
        """How often the entrant was above, level matches counting half."""
        return (self.above + self.level / 2) / self.matches if self.matches else None

    @property
    def share_ci95(self) -> tuple[float, float]:
        """Wilson's interval for it."""
        return interval95(self.share or 0.0, self.matches)


COLUMNS = (
    Column("opponent", "who it met"),
    Column("matches", "matches of both that count"),
    Column("above", "matches in which the entrant took the better place"),
    Column("level", "matches in which both took the same place"),
    Column("below", "matches in which the opponent took the better place"),
    Column("chips_per_game", "mean chips a game of the entrant in them"),
    Column("p_above", "share of resamples in which the entrant has more chips a game over all"),
)


def opponents(standing: Standing, name: str) -> tuple[Opponent, ...]:
    """All that it met, the best share first."""
    found = [opponent(standing, name, other) for other in standing.totals if other != name]
    met = [one for one in found if one.matches]
    return tuple(sorted(met, key=lambda one: (-(one.share or 0.0), one.name)))


def opponent(standing: Standing, name: str, other: str) -> Opponent:
    """One entrant against another."""
    is_first = name < other
    pair = standing.pair(*sorted((name, other)))
    chips, games = (pair.chips, pair.games) if is_first else (pair.other_chips, pair.other_games)
    return Opponent(
        name=other,
        matches=pair.matches,
        above=pair.above if is_first else pair.below,
        level=pair.level,
        below=pair.below if is_first else pair.above,
        chips_per_game=chips / games if games else None,
        p_above=standing.resampling.p_above(name, other),
    )


def opponents_table(found: Iterable[Opponent]) -> Table:
    """Opponents as rows."""
    return Table(
        COLUMNS,
        [
            [
                one.name,
                one.matches,
                one.above,
                one.level,
                one.below,
                one.chips_per_game,
                one.p_above,
            ]
            for one in found
        ],
    )


@dataclass(frozen=True, slots=True)
class Place:
    """One of three at a table."""

    name: str
    places: tuple[int, int, int]
    chips_per_game: float | None


def at_one_table(matches: Iterable[MatchResult], names: Iterable[str]) -> tuple[Place, ...]:
    """How three did in the matches of just these three, the best first."""
    wanted = sorted(names)
    found = [match for match in matches if list(match.entrants) == wanted]
    rows = []
    for number, name in enumerate(wanted):
        own = [match.outcomes[number] for match in found]
        kept = [outcome for outcome in own if not outcome.forfeited]
        games = sum(outcome.games for outcome in kept)
        first, second, third = (sum(o.place == place for o in own) for place in (1, 2, 3))
        chips = sum(outcome.chips for outcome in kept)
        rows.append(Place(name, (first, second, third), chips / games if games else None))
    return tuple(sorted(rows, key=lambda row: (-(row.chips_per_game or -1e9), row.name)))
