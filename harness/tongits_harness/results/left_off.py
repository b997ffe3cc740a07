"""Where a tournament was left: what is settled, and what is stored beyond. For resume.

A match is *settled* once every match before it in the schedule is complete or barred by a
suspension (`suspension.LiveMatches`). Settled matches are taken up as their standing, whose
checkpoint spares reading them again; only the few beyond are read one by one.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tongits_harness.play.plan import MatchPlan
from tongits_harness.results.connection import transaction
from tongits_harness.results.fold import Standing
from tongits_harness.results.match_result import MatchResult, SeatOutcome
from tongits_harness.results.result_rows import read_match
from tongits_harness.results.standing_rows import load_checkpoint, match_figures, save_checkpoint

PlansFrom = Callable[[int], Iterator[MatchPlan]]
"""Gives the planned matches from an index on, in order."""
_SAVE_EVERY = 20_000
"""Matches folded between two checkpoints where many must be folded."""


@dataclass(frozen=True, slots=True)
class LeftOff:
    """What an earlier run has left: nothing of it is played again."""

    standing: Standing
    """After the settled matches."""
    matches: tuple[MatchResult, ...] = ()
    """Complete matches beyond, in schedule order."""
    sessions: frozenset[tuple[int, int]] = frozenset()
    """(match index, seating) of all stored sessions beyond."""
    partial: Mapping[int, tuple[SeatOutcome, ...]] = field(default_factory=dict)
    """Match index -> seats of stored sessions, for matches beyond that are not complete yet."""
    sessions_stored: int = 0
    """In all."""
    matches_stored: int = 0
    """Complete ones in all, counted or not."""

    @property
    def next_match(self) -> int:
        """Index of the first match that is not settled."""
        return self.standing.last + 1


def settle(
    connection: sqlite3.Connection, id_: int, standing: Standing, plans_from: PlansFrom
) -> Standing:
    """The standing after all settled matches; it is stored as the checkpoint on the way.

    Args:
        connection: The database, for writing.
        id_: The tournament's row.
        standing: A standing without a match, gone on with where there is no checkpoint.
        plans_from: The schedule.
    """
    standing = load_checkpoint(connection, id_, standing.seed) or standing
    saved = standing.last
    plans = plans_from(standing.last + 1)
    for match in match_figures(connection, id_, standing.last):
        if not _comes_next(match.result.index, plans, standing):
            break
        standing.add(match)
        if standing.last >= saved + _SAVE_EVERY:
            saved = _save(connection, id_, standing)
    if standing.last > saved:
        _save(connection, id_, standing)
    return standing


def matches_beyond(connection: sqlite3.Connection, id_: int, after: int) -> tuple[MatchResult, ...]:
    """Complete matches after that index, counted or not."""
    rows = connection.execute(
        "SELECT match_index, match_key, round, entrant, place, chips, games, forfeited,"
        " process_lost FROM matches JOIN match_seats USING (tournament_id, match_index)"
        " WHERE tournament_id = ? AND match_index > ? ORDER BY match_index, entrant",
        (id_, after),
    )
    return tuple(read_match(a, b, c) for a, b, c in zip(rows, rows, rows, strict=True))


def sessions_beyond(
    connection: sqlite3.Connection, id_: int, after: int
) -> frozenset[tuple[int, int]]:
    """(match index, seating) of stored sessions of matches after that index."""
    rows = connection.execute(
        "SELECT match_index, seating FROM sessions WHERE tournament_id = ? AND match_index > ?",
        (id_, after),
    )
    return frozenset(rows)


def _comes_next(index: int, plans: Iterator[MatchPlan], standing: Standing) -> bool:
    """Whether all planned matches before this one are settled."""
    for plan in plans:
        if plan.index == index:
            return True
        if not standing.is_barred(plan.entrants):
            return False
    return False


def _save(connection: sqlite3.Connection, id_: int, standing: Standing) -> int:
    with transaction(connection):
        save_checkpoint(connection, id_, standing)
    return standing.last
