"""Stages as rows and back: what was decided to be played, in the order it was decided."""

import json
import sqlite3
from collections.abc import Iterator

from tongits_harness.results.records import StageRecord


def insert_stage(connection: sqlite3.Connection, id_: int, stage: StageRecord) -> None:
    """Write a stage, inside the caller's transaction.

    Raises:
        ValueError: It does not follow the one before.
    """
    last = connection.execute(
        "SELECT number + 1, first_match + matches FROM stages WHERE tournament_id = ?"
        " ORDER BY number DESC LIMIT 1",
        (id_,),
    ).fetchone()
    count, next_match = last or (0, 0)
    if (stage.number, stage.first) != (count, next_match):
        raise ValueError(
            f"stage {stage.number} from match {stage.first} where stage {count} from match"
            f" {next_match} comes next"
        )
    connection.execute(
        "INSERT INTO stages VALUES (?,?,?,?,?,?)",
        (
            id_,
            stage.number,
            stage.first,
            stage.matches,
            json.dumps(stage.chosen, separators=(",", ":")),
            stage.ended,
        ),
    )


def read_stages(
    connection: sqlite3.Connection, id_: int, entrants: int, first: int = 0
) -> Iterator[StageRecord]:
    """Stages in order, without those that end before match `first`; none in an older format.

    Raises:
        ValueError, TypeError: One of them is damaged.
    """
    try:
        rows = connection.execute(
            "SELECT number, first_match, matches, chosen, ended FROM stages"
            " WHERE tournament_id = ?1 AND (?2 = 0 OR first_match + matches > ?2) ORDER BY number",
            (id_, first),
        )
    except sqlite3.OperationalError:  # an older format has no such table
        return
    for number, first, matches, chosen, ended in rows:
        plans = tuple((a, b, c, round_) for a, b, c, round_ in json.loads(chosen))
        if not all(0 <= a < b < c < entrants for a, b, c, _ in plans):
            raise ValueError(f"stage {number} seats entrants that there are not")
        yield StageRecord(number, first, matches, plans, ended)


def why_ended(connection: sqlite3.Connection, id_: int) -> str:
    """Why nothing comes after the last stage; empty while something may."""
    try:
        row = connection.execute(
            "SELECT ended FROM stages WHERE tournament_id = ? ORDER BY number DESC LIMIT 1", (id_,)
        ).fetchone()
    except sqlite3.OperationalError:
        return ""
    return "" if row is None else str(row[0])
