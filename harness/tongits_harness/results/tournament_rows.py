"""Tournaments and their entrants as rows and back."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import replace

from tongits_harness.results.records import EntrantRecord, TournamentRecord
from tongits_harness.results.session_rows import to_json

TOURNAMENT_COLUMNS = (
    "id, name, rules, parameters, settings, commitment, matches_planned, created_at"
)


def as_stored(tournament: TournamentRecord) -> TournamentRecord:
    """The tournament as it will be read back: JSON knows no tuples, so (13, 12) becomes [13, 12].

    What is about to be played is compared with what was begun in this form.
    """
    return replace(
        tournament,
        parameters=_through_json(tournament.parameters),
        settings=_through_json(tournament.settings),
        entrants=tuple(
            replace(entrant, manifest=_through_json(entrant.manifest))
            for entrant in tournament.entrants
        ),
    )


def insert_tournament(connection: sqlite3.Connection, tournament: TournamentRecord) -> None:
    """Write a tournament and its entrants, inside the caller's transaction."""
    cursor = connection.execute(
        "INSERT INTO tournaments (name, rules, parameters, settings, seatings, commitment,"
        " matches_planned, created_at) VALUES (?,?,?,?,?,?,?,?)",
        (
            tournament.name,
            tournament.rules,
            to_json(dict(tournament.parameters)),
            to_json(dict(tournament.settings)),
            tournament.settings["seatings"],
            tournament.commitment,
            tournament.matches_planned,
            tournament.created_at,
        ),
    )
    connection.executemany(
        "INSERT INTO entrants VALUES (?,?,?,?,?,?,?)",
        ((cursor.lastrowid, *_entrant_row(entrant)) for entrant in tournament.entrants),
    )


def read_tournament(connection: sqlite3.Connection, row: tuple[object, ...]) -> TournamentRecord:
    """The tournament of a row of TOURNAMENT_COLUMNS, with its entrants."""
    id_, name, rules, parameters, settings, commitment, matches_planned, created_at = row
    entrants = connection.execute(
        "SELECT name, version, declared_version, language, source, manifest FROM entrants"
        " WHERE tournament_id = ? ORDER BY name",
        (id_,),
    )
    return TournamentRecord(
        name=str(name),
        rules=str(rules),
        parameters=json.loads(str(parameters)),
        settings=json.loads(str(settings)),
        entrants=tuple(_entrant(*entrant) for entrant in entrants),
        commitment=str(commitment),
        matches_planned=matches_planned,  # type: ignore[arg-type]  # INTEGER column
        created_at=created_at,  # type: ignore[arg-type]  # REAL column
    )


def _entrant_row(entrant: EntrantRecord) -> tuple[object, ...]:
    return (
        entrant.name,
        entrant.version,
        entrant.declared_version,
        entrant.language,
        entrant.source,
        to_json(dict(entrant.manifest)),
    )


def _entrant(
    name: str, version: str, declared: str, language: str, source: str, manifest: str
) -> EntrantRecord:
    return EntrantRecord(name, version, declared, language, source, json.loads(manifest))


def _through_json(values: Mapping[str, object]) -> dict[str, object]:
    read: dict[str, object] = json.loads(to_json(dict(values)))
    return read
