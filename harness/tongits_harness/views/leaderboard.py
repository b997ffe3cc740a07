"""The leaderboard as a table for CSV and documents, and what the page shows beside it."""

from dataclasses import dataclass

from tongits_harness.results.fold import Standing
from tongits_harness.results.leaderboard import Leaderboard, LeaderboardRow
from tongits_harness.views.tables import Cell, Column, Table

CHANGE_MATCHES = 500
"""The change of a score is told over this many of the entrant's matches, or half of fewer."""

COLUMNS = (
    Column("standing", "rank by score, from 1; equal scores share the better rank"),
    Column("rank_low", "best rank that 95 % of the resamples allow"),
    Column("rank_high", "worst rank that 95 % of the resamples allow"),
    Column("entrant", "name at this tournament"),
    Column("version", "digest of the bot's files"),
    Column("mu", "TrueSkill mean"),
    Column("sigma", "TrueSkill standard deviation"),
    Column("score", "mu - 3 sigma"),
    Column("matches", "matches that count"),
    Column("first", "matches won"),
    Column("second", "matches in second place"),
    Column("third", "matches in third place, forfeits included"),
    Column(
        "chips_per_game", "mean chips a game, antes and pot included, without forfeited matches"
    ),
    Column("chips_low", "lower end of its 95 % interval (resampled matches)"),
    Column("chips_high", "upper end"),
    Column("faults", "charged faults by kind"),
    Column("p50_ms", "median charged time of a decision"),
    Column("p99_ms", "99th percentile of it"),
    Column("suspended", "its process was lost in three matches running"),
    Column("provisional", "sigma is above 1: too few matches"),
    Column("forfeits", "matches lost by faults"),
    Column("plackett_luce", "log-strength by Plackett-Luce, which knows no order of matches"),
    Column("luck_adjusted", "chips a game of two average others: deals and opponents taken out"),
    Column("to_separate", "matches still needed to separate it from the next row at 95 %"),
)


def leaderboard_table(board: Leaderboard) -> Table:
    """The rows of a leaderboard."""
    return Table(COLUMNS, [_cells(row) for row in board.rows])


def _cells(row: LeaderboardRow) -> list[Cell]:
    return [
        row.standing,
        row.rank_low,
        row.rank_high,
        row.entrant,
        row.version,
        row.mu,
        row.sigma,
        row.score,
        row.matches,
        *row.places,
        row.chips_per_game,
        *row.chips_ci95,
        " ".join(f"{kind}={count}" for kind, count in row.faults.items()),
        row.p50_ms,
        row.p99_ms,
        row.suspended_after is not None,
        row.provisional,
        row.forfeits,
        row.plackett_luce,
        row.luck_adjusted,
        row.to_separate,
    ]


@dataclass(frozen=True, slots=True)
class Change:
    """How a score has moved."""

    score: float
    matches: int
    """Over so many of the entrant's latest matches."""


def change_of(standing: Standing, entrant: str) -> Change | None:
    """The move of an entrant's score over its latest matches; None without a history."""
    history = standing.totals[entrant].history
    if len(history) < 2:
        return None
    now = history[-1]
    before = max(now.matches - CHANGE_MATCHES, now.matches // 2)
    then = next(
        point for point in reversed(history) if point.matches <= before or point is history[0]
    )
    moved = (now.mu - 3 * now.sigma) - (then.mu - 3 * then.sigma)
    return Change(moved, now.matches - then.matches)


def tie_groups(board: Leaderboard) -> list[int]:
    """For each row the number of its group: entrants whose rank ranges overlap in a chain."""
    groups: list[int] = []
    reach = 0
    for row in board.rows:
        if not groups or row.rank_low > reach:
            groups.append(groups[-1] + 1 if groups else 0)
            reach = row.rank_high
        else:
            groups.append(groups[-1])
            reach = max(reach, row.rank_high)
    return groups


@dataclass(frozen=True, slots=True)
class SeatBias:
    """What a seat brought, whoever sat there."""

    seat: int
    chips_per_game: float
    half_width: float
    """Half of the 95 % interval."""


def seat_bias(standing: Standing) -> tuple[SeatBias, ...]:
    """The three seats; nothing without a match."""
    if not standing.matches:
        return ()
    return tuple(SeatBias(seat, *standing.seats.per_game(seat)) for seat in range(3))
