"""What pages list: matches and faults in parts, newest first, with filters. SQL only."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PAGE = 50
"""Rows of a part."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches are wanted; None and "" leave a condition out."""

    bots: tuple[str, ...] = ()
    """All of these took part."""
    fault: str = ""
    """A charged fault of this kind ("any": of any kind) happened, to the first of `bots` if any."""
    end: str = ""
    """A game ended like this: tongits, draw_uncontested, draw_contested, stock_out, void."""
    part: int = 0
    """Which part of PAGE matches, from 0."""
    newest_first: bool = True


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """One entrant of a listed match."""

    entrant: str
    place: int
    chips: int
    forfeited: bool


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """One complete match."""

    index: int
    key: str
    round: int
    sandbox: str
    finished_at: float
    seats: tuple[ListedSeat, ListedSeat, ListedSeat]
    """In order of the places, then of the names."""
    faults: int
    """Charged faults of all three."""


@dataclass(frozen=True, slots=True)
class ListedFault:
    """One fault."""

    entrant: str
    kind: str
    phase: str
    charged: bool
    forfeit: bool
    match_index: int
    match_key: str
    seating: int
    seat: int
    game: int
    step: int
    message: str
    evidence: Mapping[str, object]


def list_matches(
    connection: sqlite3.Connection, id_: int, wanted: MatchFilter
) -> tuple[tuple[ListedMatch, ...], int]:
    """One part of the matches that fit, and how many fit."""
    chosen = _Chosen(connection, id_, wanted)
    indices = chosen.indices(PAGE, PAGE * wanted.part, newest_first=wanted.newest_first)
    return tuple(_match(connection, id_, index) for index in indices), chosen.count()


def last_indices(
    connection: sqlite3.Connection, id_: int, wanted: MatchFilter, limit: int | None
) -> tuple[list[int], int]:
    """Indices of the last matches that fit (all for None), in schedule order, and how many fit."""
    chosen = _Chosen(connection, id_, wanted)
    return chosen.indices(-1 if limit is None else limit)[::-1], chosen.count()


class _Chosen:
    """The matches that fit a filter, as a query: of one bot by its seats, which have an index."""

    def __init__(self, connection: sqlite3.Connection, id_: int, wanted: MatchFilter) -> None:
        self._connection = connection
        conditions, self._values = _conditions(wanted, id_)
        table = "match_seats" if wanted.bots else "matches"
        self._from = f"FROM {table} WHERE {conditions}"

    def indices(self, limit: int, offset: int = 0, *, newest_first: bool = True) -> list[int]:
        order = "DESC" if newest_first else "ASC"
        rows = self._connection.execute(
            f"SELECT match_index {self._from} ORDER BY match_index {order} LIMIT ? OFFSET ?",
            (*self._values, limit, offset),
        )
        return [index for (index,) in rows]

    def count(self) -> int:
        query = f"SELECT count(*) {self._from}"  # of constants
        return int(self._connection.execute(query, self._values).fetchone()[0])


def list_faults(
    connection: sqlite3.Connection,
    id_: int,
    *,
    entrant: str = "",
    kind: str = "",
    limit: int = PAGE,
) -> tuple[ListedFault, ...]:
    """The latest faults in schedule order, newest first."""
    rows = connection.execute(
        "SELECT entrant, kind, phase, charged, forfeit, match_index, match_key, seating, seat,"
        " game, step, message, evidence FROM sessions JOIN faults ON sessions.id = session_id"
        " WHERE (session_id, number) IN (SELECT session_id, number"
        # CROSS JOIN: the faults are walked, which are few, and not the sessions.
        " FROM faults CROSS JOIN sessions ON sessions.id = session_id"
        " WHERE tournament_id = ?1 AND (?2 = '' OR entrant = ?2) AND (?3 = '' OR kind = ?3)"
        " ORDER BY match_index DESC, seating DESC, number DESC LIMIT ?4)"
        " ORDER BY match_index DESC, seating DESC, number DESC",
        (id_, entrant, kind, limit),
    )
    return tuple(_fault(row) for row in rows)


def _fault(row: Sequence[Any]) -> ListedFault:
    entrant, kind, phase, charged, forfeit, *place, message, evidence = row
    index, key, seating, seat, game, step = place
    return ListedFault(
        entrant=entrant,
        kind=kind,
        phase=phase,
        charged=bool(charged),
        forfeit=bool(forfeit),
        match_index=index,
        match_key=key,
        seating=seating,
        seat=seat,
        game=game,
        step=step,
        message=message,
        evidence=json.loads(evidence),
    )


def _conditions(wanted: MatchFilter, id_: int) -> tuple[str, list[str | int]]:
    """Conditions on a match (with bots: on the seat of the first of them in it).

    The other bots are looked up match by match, for there the index has the answer; no other
    condition refers to a row of what is chosen from, so that each is worked out once.
    """
    parts = ["tournament_id = ?"]
    values: list[str | int] = [id_]
    for number, bot in enumerate(wanted.bots):
        if number == 0:
            parts.append(" AND entrant = ?")
            values.append(bot)
            continue
        parts.append(
            " AND EXISTS (SELECT 1 FROM match_seats AS other WHERE other.tournament_id = ?"
            " AND other.match_index = match_seats.match_index AND other.entrant = ?)"
        )
        values += [id_, bot]
    if wanted.fault:
        bot = wanted.bots[0] if wanted.bots else ""
        parts.append(
            " AND match_index IN (SELECT match_index FROM faults CROSS JOIN sessions"
            " ON sessions.id = session_id WHERE tournament_id = ? AND charged"
            " AND (? = 'any' OR kind = ?) AND (? = '' OR entrant = ?))"
        )
        values += [id_, wanted.fault, wanted.fault, bot, bot]
    if wanted.end:
        parts.append(
            " AND match_index IN (SELECT match_index FROM sessions JOIN games"
            " ON sessions.id = session_id WHERE tournament_id = ? AND termination = ?)"
        )
        values += [id_, wanted.end]
    return "".join(parts), values


def _match(connection: sqlite3.Connection, id_: int, index: int) -> ListedMatch:
    key, round_, sandbox, finished_at = connection.execute(
        "SELECT match_key, round, sandbox, finished_at FROM matches WHERE tournament_id = ?"
        " AND match_index = ?",
        (id_, index),
    ).fetchone()
    seats = connection.execute(
        "SELECT entrant, place, chips, forfeited FROM match_seats WHERE tournament_id = ?"
        " AND match_index = ? ORDER BY place, entrant",
        (id_, index),
    ).fetchall()
    (faults,) = connection.execute(
        "SELECT count(*) FROM sessions JOIN faults ON sessions.id = session_id"
        " WHERE tournament_id = ? AND match_index = ? AND charged",
        (id_, index),
    ).fetchone()
    a, b, c = (ListedSeat(name, place, chips, bool(lost)) for name, place, chips, lost in seats)
    return ListedMatch(index, key, round_, sandbox, finished_at, (a, b, c), faults)
