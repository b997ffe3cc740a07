"""How far a tournament is, out of the database: counted only where it is not settled."""

import sqlite3

from tongits_harness.results.figures import Progress
from tongits_harness.results.records import TournamentRecord
from tongits_harness.results.stage_rows import why_ended
from tongits_harness.results.standing_rows import load_checkpoint, standing_seed


def read_progress(
    connection: sqlite3.Connection, id_: int, tournament: TournamentRecord
) -> Progress:
    """How far the tournament is."""
    seatings, planned, finished_at, secret = connection.execute(
        "SELECT seatings, matches_planned, finished_at, secret FROM tournaments WHERE id = ?",
        (id_,),
    ).fetchone()
    whole = _whole(connection, id_, tournament)
    (voids,) = connection.execute(
        "SELECT coalesce(sum(voids), 0) FROM sessions WHERE tournament_id = ? AND voids > 0",
        (id_,),
    ).fetchone()
    return Progress(
        sessions=whole * seatings + _count(connection, "sessions", id_, whole),
        sessions_planned=planned * seatings,
        matches=whole + _count(connection, "matches", id_, whole),
        matches_planned=planned,
        voids=voids,
        finished_at=finished_at,
        secret=secret,
        ended=why_ended(connection, id_),
    )


def _whole(connection: sqlite3.Connection, id_: int, tournament: TournamentRecord) -> int:
    """Matches at the beginning of the schedule that are all complete, as the checkpoint says.

    Of settled matches all are complete until an entrant is suspended.
    """
    standing = load_checkpoint(connection, id_, standing_seed(tournament))
    return 0 if standing is None else 1 + min(standing.last, *standing.suspended.values(), 2**62)


def _count(connection: sqlite3.Connection, table: str, id_: int, first: int) -> int:
    query = f"SELECT count(*) FROM {table} WHERE tournament_id = ? AND match_index >= ?"  # noqa: S608
    return int(connection.execute(query, (id_, first)).fetchone()[0])
