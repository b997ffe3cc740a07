"""The leaderboard: one view model that feeds terminal, JSON, CSV, Markdown and pages.

Only complete matches that count (see `suspension`) enter it, and they enter in schedule order: what
was played where and when, and in which order it finished, changes nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tongits_harness.results import bootstrap, ratings
from tongits_harness.results.figures import FaultCount, SeatFigures
from tongits_harness.results.latency import percentile_ms
from tongits_harness.results.match_result import EntrantOutcome, MatchResult
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.records import EntrantRecord, TournamentRecord
from tongits_harness.results.store import SANDBOX_LEVELS
from tongits_harness.results.suspension import counted, suspended_after

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
        }


def read_leaderboard(reader: ResultsReader, name: str | None = None) -> Leaderboard:
    """The leaderboard of a stored tournament; of the latest if `name` is None."""
    tournament = reader.tournament(name)
    return make_leaderboard(
        tournament,
        reader.matches(tournament.name),
        sandbox_levels=reader.sandbox_levels(tournament.name),
        figures=reader.seat_figures(tournament.name),
        faults=reader.fault_counts(tournament.name),
    )


def make_leaderboard(
    tournament: TournamentRecord,
    matches: Iterable[MatchResult],
    *,
    sandbox_levels: Mapping[int, str],
    figures: Iterable[SeatFigures],
    faults: Iterable[FaultCount],
) -> Leaderboard:
    """The leaderboard from complete matches in any order."""
    complete = tuple(matches)
    valid = counted(complete)
    indices = {match.index for match in valid}
    names = [entrant.name for entrant in tournament.entrants]
    tally = _Tally(names, valid)
    tally.add_figures(figure for figure in figures if figure.index in indices)
    tally.add_faults(fault for fault in faults if fault.index in indices)
    rated = ratings.rate((as_rated(match) for match in valid), names)
    suspended = suspended_after(complete)
    spreads = bootstrap.resample(tally.blocks, names, f"{tournament.name}\0{tournament.commitment}")
    rows = [
        tally.row(entrant, rated, spreads[entrant.name], suspended.get(entrant.name))
        for entrant in sorted(tournament.entrants, key=lambda e: (-_score(rated[e.name]), e.name))
    ]
    levels = {sandbox_levels[index] for index in indices}
    return Leaderboard(
        tournament=tournament.name,
        matches=len(valid),
        sandbox=min(levels, key=SANDBOX_LEVELS.index, default=None),
        rows=tuple(rows),
        rules=tournament.rules,
        matches_planned=tournament.matches_planned,
    )


def as_rated(match: MatchResult) -> ratings.RatedMatch:
    """A match as the rating sees it."""
    return ratings.RatedMatch(match.index, match.entrants, match.places)


class _Tally:
    """Sums by entrant over the matches that count."""

    def __init__(self, names: Iterable[str], matches: Iterable[MatchResult]) -> None:
        self._outcomes: dict[str, list[EntrantOutcome]] = {name: [] for name in names}
        self._latency: dict[str, dict[int, int]] = {name: {} for name in self._outcomes}
        self._faults: dict[str, dict[str, int]] = {name: {} for name in self._outcomes}
        self.blocks: list[bootstrap.Block] = []
        for match in matches:
            self.blocks.append(
                {o.entrant: (o.chips, o.games) for o in match.outcomes if not o.forfeited}
            )
            for outcome in match.outcomes:
                self._outcomes[outcome.entrant].append(outcome)

    def add_figures(self, figures: Iterable[SeatFigures]) -> None:
        for figure in figures:
            total = self._latency[figure.entrant]
            for bucket, count in figure.latency.items():
                total[bucket] = total.get(bucket, 0) + count

    def add_faults(self, faults: Iterable[FaultCount]) -> None:
        for fault in faults:
            total = self._faults[fault.entrant]
            total[fault.kind] = total.get(fault.kind, 0) + fault.count

    def row(
        self,
        entrant: EntrantRecord,
        rated: Mapping[str, ratings.Rating],
        spread: bootstrap.Spread,
        suspended: int | None,
    ) -> LeaderboardRow:
        name = entrant.name
        outcomes = self._outcomes[name]
        rating = rated[name]
        score = _score(rating)
        standing = 1 + sum(_score(other) > score for other in rated.values())
        first, second, third = (sum(o.place == place for o in outcomes) for place in (1, 2, 3))
        return LeaderboardRow(
            standing=standing,
            rank_low=min(spread.rank_low, standing),
            rank_high=max(spread.rank_high, standing),
            entrant=name,
            version=entrant.version,
            mu=round(rating.mu, DIGITS),
            sigma=round(rating.sigma, DIGITS),
            score=score,
            matches=len(outcomes),
            places=(first, second, third),
            chips_per_game=_rounded(bootstrap.mean_chips(self.blocks, name)),
            chips_ci95=(_rounded(spread.chips_low), _rounded(spread.chips_high)),
            faults=dict(sorted(self._faults[name].items())),
            p50_ms=percentile_ms(self._latency[name], 50),
            p99_ms=percentile_ms(self._latency[name], 99),
            suspended_after=suspended,
            provisional=rating.sigma > PROVISIONAL_SIGMA,
            forfeits=sum(o.forfeited for o in outcomes),
        )


def _score(rating: ratings.Rating) -> float:
    return round(rating.score, DIGITS)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
