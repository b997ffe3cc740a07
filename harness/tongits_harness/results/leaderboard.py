"""The leaderboard: one view model that feeds terminal, JSON, CSV, Markdown and pages.

Only complete matches that count (see `suspension`) enter it, and they enter in schedule order: what
was played where and when, and in which order it finished, changes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from tongits_harness.results.disagreement import Disagreement, disagreements
from tongits_harness.results.fold import Spread, Standing
from tongits_harness.results.latency import percentile_ms
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.ratings import Rating
from tongits_harness.results.records import EntrantRecord, TournamentRecord
from tongits_harness.results.store import SANDBOX_LEVELS

PROVISIONAL_SIGMA = 1.0
"""Above it a rating is called provisional; about 40 matches bring it there (6.2 / sqrt(n))."""
DIGITS = 6
"""Decimals of shown numbers: enough for any use, few enough not to depend on the machine."""


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One entrant."""

    standing: int
    """From 1, by score; equal scores share the better standing."""
    rank_low: int
    """Best rank that 95 % of the resamples and the standing allow."""
    rank_high: int
    entrant: str
    version: str
    mu: float
    sigma: float
    score: float
    """mu - 3 sigma."""
    matches: int
    places: tuple[int, int, int]
    """How often first, second, third."""
    chips_per_game: float | None
    """Without matches it forfeited; None if no game is left."""
    chips_ci95: tuple[float | None, float | None]
    faults: Mapping[str, int]
    """Charged faults by kind; kinds that did not occur are left out."""
    p50_ms: float | None
    """Charged time of a decision; None if none was asked."""
    p99_ms: float | None
    suspended_after: int | None
    """Index of the match after which the entrant is suspended."""
    provisional: bool
    forfeits: int
    """Matches lost by faults."""
    plackett_luce: float | None
    """Log-strength without any order of matches, 0 in the middle; None without a match."""
    luck_adjusted: float | None
    """Chips a game of two others of average strength; None if no game is left."""
    to_separate: int | None
    """Matches still needed to separate its chips from those of the next row at 95 %, at the present
    gap; 0 if they are apart, None in the last row and where both are level."""

    def to_json(self) -> dict[str, object]:
        """The row of `tongits leaderboard --json`; keys may be added, only at the end."""
        return {
            "standing": self.standing,
            "rank_low": self.rank_low,
            "rank_high": self.rank_high,
            "entrant": self.entrant,
            "version": self.version,
            "mu": self.mu,
            "sigma": self.sigma,
            "score": self.score,
            "matches": self.matches,
            "places": list(self.places),
            "chips_per_game": self.chips_per_game,
            "chips_ci95": list(self.chips_ci95),
            "faults": dict(self.faults),
            "decision_ms": {"p50": self.p50_ms, "p99": self.p99_ms},
            "suspended": self.suspended_after is not None,
            "suspended_after": self.suspended_after,
            "provisional": self.provisional,
            "forfeits": self.forfeits,
            "plackett_luce": self.plackett_luce,
            "luck_adjusted": self.luck_adjusted,
            "to_separate": self.to_separate,
        }


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The standings of one tournament."""

    tournament: str
    matches: int
    """Matches that count."""
    sandbox: str | None
    """The weakest isolation level any of them was played at; None without a match."""
    rows: tuple[LeaderboardRow, ...]
    """By standing, equals by name."""
    rules: str
    matches_planned: int
    disagreements: tuple[Disagreement, ...] = ()
    """Where the cross-check by Plackett-Luce orders two entrants otherwise."""

    @property
    def is_trusted(self) -> bool:
        """False if bots ran without a sandbox: they could have cheated."""
        return self.sandbox != "none"

    def to_json(self) -> dict[str, object]:
        """The document of `tongits leaderboard --json`; keys may be added, only at the end."""
        return {
            "tournament": self.tournament,
            "matches": self.matches,
            "sandbox": self.sandbox,
            "rows": [row.to_json() for row in self.rows],
            "rules": self.rules,
            "matches_planned": self.matches_planned,
            "trusted": self.is_trusted,
            "disagreements": [pair.to_json() for pair in self.disagreements],
        }


def read_leaderboard(reader: ResultsReader, name: str | None = None) -> Leaderboard:
    """The leaderboard of a stored tournament; of the latest if `name` is None."""
    tournament = reader.tournament(name)
    return make_leaderboard(tournament, reader.standing(tournament))


def make_leaderboard(tournament: TournamentRecord, standing: Standing) -> Leaderboard:
    """The leaderboard of a standing."""
    rated, spreads = standing.ratings, standing.resampling.spreads()
    strengths, edges = standing.plackett_luce.strengths(rated), standing.edges()
    ordered = sorted(tournament.entrants, key=lambda e: (-_score(rated[e.name]), e.name))
    below = [entrant.name for entrant in ordered[1:]]
    return Leaderboard(
        tournament=tournament.name,
        matches=standing.matches,
        sandbox=min(standing.levels, key=SANDBOX_LEVELS.index, default=None),
        rows=tuple(
            _row(
                entrant,
                standing,
                rated,
                spreads[entrant.name],
                strengths[entrant.name],
                edges[entrant.name],
                _to_separate(standing, entrant.name, other),
            )
            for entrant, other in zip_longest(ordered, below)
        ),
        rules=tournament.rules,
        matches_planned=tournament.matches_planned,
        disagreements=disagreements(strengths, standing.resampling.matrix(), rated),
    )


def _row(
    entrant: EntrantRecord,
    standing: Standing,
    rated: Mapping[str, Rating],
    spread: Spread,
    strength: float | None,
    edge: float | None,
    to_separate: int | None,
) -> LeaderboardRow:
    name = entrant.name
    totals, rating = standing.totals[name], rated[name]
    score = _score(rating)
    place = 1 + sum(_score(other) > score for other in rated.values())
    first, second, third = totals.places
    return LeaderboardRow(
        standing=place,
        rank_low=min(spread.rank_low, place),
        rank_high=max(spread.rank_high, place),
        entrant=name,
        version=entrant.version,
        mu=round(rating.mu, DIGITS),
        sigma=round(rating.sigma, DIGITS),
        score=score,
        matches=totals.matches,
        places=(first, second, third),
        chips_per_game=_rounded(standing.resampling.mean(name)),
        chips_ci95=(_rounded(spread.chips_low), _rounded(spread.chips_high)),
        faults=dict(sorted(totals.faults.items())),
        p50_ms=percentile_ms(totals.latency, 50),
        p99_ms=percentile_ms(totals.latency, 99),
        suspended_after=standing.suspended.get(name),
        provisional=rating.sigma > PROVISIONAL_SIGMA,
        forfeits=totals.forfeits,
        plackett_luce=_rounded(strength),
        luck_adjusted=_rounded(edge),
        to_separate=to_separate,
    )


def _to_separate(standing: Standing, entrant: str, other: str | None) -> int | None:
    """Matches that the one of the two with fewer of them still needs."""
    gap = standing.resampling.gap(entrant, other) if other is not None else None
    if gap is None or other is None:
        return None
    return gap.matches_needed(min(standing.totals[name].matches for name in (entrant, other)))


def _score(rating: Rating) -> float:
    return round(rating.score, DIGITS)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS) + 0.0  # never -0.0
