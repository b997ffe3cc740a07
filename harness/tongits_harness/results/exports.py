"""Tables for other tools: what each holds, and its rows. They are views of the database.

Any program that reads SQLite can ask the views `v_matches`, `v_games`, `v_actions` and `v_faults`
itself; their columns are the ones described here.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

Value = str | int | float | None

_MATCH = (
    ("tournament", "name of the tournament"),
    ("match_index", "position of the match in the schedule, from 0"),
    ("match_key", "names the match and its shuffles"),
)
_GAME = (
    *_MATCH,
    ("seating", "which seating of the match, from 0"),
    ("game", "which game of the session, from 0"),
)


@dataclass(frozen=True, slots=True)
class Export:
    """One table."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Name and meaning, in order."""
    order: str
    """Columns that put its rows in order."""

    @property
    def view(self) -> str:
        """Its name in the database."""
        return f"v_{self.name}"

    @property
    def header(self) -> list[str]:
        """The names of its columns."""
        return [name for name, _ in self.columns]


EXPORTS = (
    Export(
        "matches",
        (
            *_MATCH,
            ("round", "pass over all triples, from 0"),
            ("sandbox", "weakest isolation level of its sessions"),
            ("entrant", "one of the three: a match has three rows"),
            ("place", "1 to 3; equal chips share the better place, a forfeit is 3"),
            ("chips", "chips over all games of the match, antes and pot included"),
            ("games", "games the chips are of"),
            ("forfeited", "1 if lost by faults"),
            ("process_lost", "1 if a charged fault ended its process"),
            ("decisions", "decisions that were asked of it"),
            ("finished_at", "seconds since the epoch"),
        ),
        "match_index, entrant",
    ),
    Export(
        "games",
        (
            *_GAME,
            ("dealer", "seat of the dealer"),
            *((f"seat{n}", f"entrant at seat {n}") for n in range(3)),
            ("termination", "tongits, draw_uncontested, draw_contested, stock_out or void"),
            ("winner", "seat of the winner; empty if nobody won"),
            *((f"payment{n}", f"chips won or paid by seat {n}, without the pot") for n in range(3)),
            *((f"chips{n}", f"the same of seat {n} with antes and pot") for n in range(3)),
            *((f"deadwood{n}", f"points left in the hand of seat {n}") for n in range(3)),
            ("actions", "how many actions were taken"),
            ("deck_digest", "SHA-256 of the 52 card bytes of the shuffle, top first"),
        ),
        "match_index, seating, game",
    ),
    Export(
        "actions",
        (
            *_GAME,
            ("step", "number of the action in the game, from 0"),
            ("action", "its text, as `tongits referee` reads it"),
            ("source", "d decided by the bot, f forced, x fallback after a fault"),
            ("think_us", "charged time in microseconds; 0 where nobody was asked"),
        ),
        "match_index, seating, game, step",
    ),
    Export(
        "faults",
        (
            *_MATCH,
            ("seating", "which seating of the match, from 0"),
            ("seat", "seat of the entrant"),
            ("entrant", "whose fault it is"),
            ("game", "which game of the session, from 0"),
            ("step", "the action it stood in the way of"),
            ("kind", "TIMEOUT, CRASH, ILLEGAL_ACTION, BAD_MESSAGE, NO_HANDSHAKE, RESOURCE_LIMIT"),
            ("phase", "what was going on"),
            ("blame", "bot or harness"),
            ("charged", "1 if it counts against the entrant"),
            ("forfeit", "1 if the match was lost by it"),
            ("process_lost", "1 if the process ended"),
            ("message", "what happened, in words"),
        ),
        "match_index, seating, game, step",
    ),
)


def rows_of(
    connection: sqlite3.Connection, export: Export, tournament: str
) -> Iterator[tuple[Value, ...]]:
    """The rows of one tournament, in a fixed order.

    Raises:
        sqlite3.OperationalError: The database has an older format, without views.
    """
    return iter(
        connection.execute(
            f"SELECT {', '.join(export.header)} FROM {export.view} WHERE tournament = ?"  # noqa: S608
            f" ORDER BY {export.order}",
            (tournament,),
        )
    )
