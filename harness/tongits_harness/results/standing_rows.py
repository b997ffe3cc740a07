"""The standing out of the database: what it is folded from, and its checkpoint."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from tongits_harness.results.fold import MatchFigures, Standing
from tongits_harness.results.records import TournamentRecord
from tongits_harness.results.result_rows import read_match
from tongits_harness.results.session_rows import histogram_from_json

_BATCH = 500
"""Matches read at once."""


def read_standing(
    connection: sqlite3.Connection, id_: int, names: Sequence[str], seed: str
) -> Standing:
    """The standing over all complete matches: the checkpoint, and the matches after it."""
    standing = load_checkpoint(connection, id_, seed) or Standing(names, seed)
    for match in match_figures(connection, id_, standing.last):
        standing.add(match)
    return standing


def standing_seed(tournament: TournamentRecord) -> str:
    """What the resamples of a tournament are drawn from."""
    return f"{tournament.name}\0{tournament.commitment}"


def load_checkpoint(connection: sqlite3.Connection, id_: int, seed: str) -> Standing | None:
    """The stored standing; None without one that this version can read."""
    try:
        row = connection.execute(
            "SELECT state FROM checkpoints WHERE tournament_id = ?", (id_,)
        ).fetchone()
        return None if row is None else Standing.from_bytes(row[0], seed)
    except (sqlite3.OperationalError, ValueError):  # an older format has no such table
        return None


def save_checkpoint(connection: sqlite3.Connection, id_: int, standing: Standing) -> None:
    """Keep a standing, inside the caller's transaction; the one before is replaced."""
    connection.execute(
        "INSERT OR REPLACE INTO checkpoints VALUES (?,?,?)",
        (id_, standing.last, standing.to_bytes()),
    )


def match_figures(
    connection: sqlite3.Connection, id_: int, after: int, until: int | None = None
) -> Iterator[MatchFigures]:
    """Complete matches of a range of indices with their figures, in schedule order.

    Args:
        connection: The database.
        id_: The tournament's row.
        after: Index of the last match that is not wanted; -1 for all.
        until: Index of the last match wanted; None for all.
    """
    last = 2**62 if until is None else until
    while True:
        rows = connection.execute(
            "SELECT match_index, sandbox FROM matches WHERE tournament_id = ?"
            " AND match_index > ? AND match_index <= ? ORDER BY match_index LIMIT ?",
            (id_, after, last, _BATCH),
        ).fetchall()
        if not rows:
            return
        span = (id_, rows[0][0], rows[-1][0])
        yield from _figures(connection, span, dict(rows))
        after = rows[-1][0]


def _figures(
    connection: sqlite3.Connection, span: tuple[int, int, int], levels: Mapping[int, str]
) -> Iterator[MatchFigures]:
    faults = _faults(connection, span)
    games = _games(connection, span)
    rows = connection.execute(
        "SELECT match_index, match_key, round, entrant, place, chips, games, forfeited,"
        " process_lost, decisions, latency FROM matches JOIN match_seats"
        " USING (tournament_id, match_index) WHERE tournament_id = ?"
        " AND match_index BETWEEN ? AND ? ORDER BY match_index, entrant",
        span,
    )
    for index, group in groupby(rows, key=itemgetter(0)):
        seats = list(group)
        table = games.get(index, _Games())
        yield MatchFigures(
            result=read_match(*(row[:9] for row in seats)),
            sandbox=levels[index],
            decisions={row[3]: row[9] for row in seats},
            latency={row[3]: histogram_from_json(row[10]) for row in seats},
            faults=faults.get(index, {}),
            ends=table.ends,
            seat_chips=(table.chips[0], table.chips[1], table.chips[2]),
            games=table.played,
        )


def _faults(
    connection: sqlite3.Connection, span: tuple[int, int, int]
) -> Mapping[int, Mapping[str, Mapping[str, int]]]:
    rows = connection.execute(
        "SELECT match_index, entrant, kind, count(*) FROM sessions JOIN faults"
        " ON sessions.id = session_id WHERE tournament_id = ?"
        " AND match_index BETWEEN ? AND ? AND charged GROUP BY match_index, entrant, kind",
        span,
    )
    found: dict[int, dict[str, dict[str, int]]] = {}
    for index, entrant, kind, count in rows:
        found.setdefault(index, {}).setdefault(entrant, {})[kind] = count
    return found


class _Games:
    """The games of one match, added up."""

    def __init__(self) -> None:
        self.played = 0
        self.chips = [0, 0, 0]
        self.ends: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, seats: Sequence[str], end: str, winner: int | None, burned: str) -> None:
        self.played += 1
        for seat, (name, is_burned) in enumerate(zip(seats, json.loads(burned), strict=True)):
            if winner is None:
                self.ends[name][end] += 1
            elif seat == winner:
                self.ends[name][f"{end} won"] += 1
            else:
                self.ends[name][f"{end} {'burned' if is_burned else 'lost'}"] += 1


def _games(connection: sqlite3.Connection, span: tuple[int, int, int]) -> Mapping[int, _Games]:
    found: dict[int, _Games] = defaultdict(_Games)
    seats: dict[int, list[str]] = defaultdict(list)
    for session, index, seat, entrant, chips in connection.execute(
        "SELECT sessions.id, match_index, seat, entrant, chips FROM sessions JOIN session_seats"
        " ON sessions.id = session_id WHERE tournament_id = ?"
        " AND match_index BETWEEN ? AND ? ORDER BY sessions.id, seat",
        span,
    ):
        seats[session].append(entrant)
        found[index].chips[seat] += chips
    for session, index, end, winner, burned in connection.execute(
        "SELECT sessions.id, match_index, termination, winner, burned FROM sessions JOIN games"
        " ON sessions.id = session_id WHERE tournament_id = ? AND match_index BETWEEN ? AND ?",
        span,
    ):
        found[index].add(seats[session], end, winner, burned)
    return found
