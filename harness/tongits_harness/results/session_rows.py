"""Sessions as rows and back. Text of bots is kept as it came; showing it safely is the reader's."""

import json
import sqlite3
from collections.abc import Mapping

from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.plan import MatchPlan, SessionPlan
from tongits_harness.results.records import FaultRecord, GameRecord, SeatRecord, SessionRecord

SESSION_COLUMNS = (
    "id, match_index, seating, match_key, round, voids, sandbox, started_at, finished_at"
)
_GAME_COLUMNS = (
    "dealer, deck_digest, actions, sources, elapsed_us, notes, termination, winner, deadwood,"
    " burned, payments, chips, view_digests"
)
_FAULT_COLUMNS = (
    "seat, entrant, game, step, charged, forfeit, process_lost, kind, blame, phase, message,"
    " evidence, observation"
)


def check_session(record: SessionRecord) -> None:
    """Nothing that cannot be true goes into the database.

    Raises:
        ValueError: The record contradicts itself.
    """
    name = f"session {record.plan.match.key}/{record.plan.seating}"
    if tuple(seat.entrant for seat in record.seats) != record.plan.seats:
        raise ValueError(f"{name}: seats differ from its plan")
    if tuple(sorted(record.plan.seats)) != record.plan.match.entrants:
        raise ValueError(f"{name}: seats are not its match's entrants")
    if sum(seat.chips for seat in record.seats) != 0:
        raise ValueError(f"{name}: chips do not sum to 0")
    for number, seat in enumerate(record.seats):
        if seat.chips != sum(game.chips[number] for game in record.games):
            raise ValueError(f"{name}: chips of seat {number} are not those of its games")
    for game in record.games:
        if not len(game.actions) == len(game.sources) == len(game.elapsed_us):
            raise ValueError(f"{name}: a source letter and a time for each action are needed")


def insert_details(connection: sqlite3.Connection, session_id: int, record: SessionRecord) -> None:
    """Write the seats, games and faults of a session whose own row is there."""
    connection.executemany(
        "INSERT INTO session_seats VALUES (?,?,?,?,?,?,?,?,?)",
        ((session_id, number, *_seat_row(seat)) for number, seat in enumerate(record.seats)),
    )
    connection.executemany(
        "INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        ((session_id, number, *_game_row(game)) for number, game in enumerate(record.games)),
    )
    connection.executemany(
        "INSERT INTO faults VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        ((session_id, number, *_fault_row(fault)) for number, fault in enumerate(record.faults)),
    )


def read_session(connection: sqlite3.Connection, row: tuple[object, ...]) -> SessionRecord:
    """The session of a row of SESSION_COLUMNS, with everything that belongs to it."""
    session_id, index, seating, key, round_, voids, sandbox, started_at, finished_at = row
    seats = tuple(_seat(seat) for seat in _rows(connection, "session_seats", session_id))
    a, b, c = seats
    names = sorted(seat.entrant for seat in seats)
    match = MatchPlan(_int(index), str(key), _int(round_), (names[0], names[1], names[2]))
    return SessionRecord(
        plan=SessionPlan(match, _int(seating), (a.entrant, b.entrant, c.entrant)),
        games=tuple(_game(game) for game in _rows(connection, "games", session_id)),
        seats=(a, b, c),
        faults=tuple(_fault(fault) for fault in _rows(connection, "faults", session_id)),
        voids=_int(voids),
        sandbox=str(sandbox),
        started_at=float(started_at),  # type: ignore[arg-type]  # REAL column
        finished_at=float(finished_at),  # type: ignore[arg-type]  # REAL column
    )


def to_json(value: object) -> str:
    """Compact JSON in ASCII, so that even broken text from a bot can be stored."""
    return _encode(value)


def histogram_to_json(histogram: Mapping[int, int]) -> str:
    """A latency histogram as stored."""
    return to_json(dict(sorted(histogram.items())))


def histogram_from_json(text: str) -> dict[int, int]:
    """The inverse of `histogram_to_json`."""
    return {int(bucket): count for bucket, count in json.loads(text).items()}


def _plain(value: object) -> object:
    match value:
        case bytes():
            return value.hex()
        case Mapping():
            return dict(value)
        case _:
            return str(value)


_encode = json.JSONEncoder(separators=(",", ":"), default=_plain).encode


def _storable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


_QUERIES = {
    "session_seats": (
        "SELECT entrant, chips, forfeited, decisions, latency, bank_used_us, incarnations"
        " FROM session_seats WHERE session_id = ? ORDER BY seat"
    ),
    "games": f"SELECT {_GAME_COLUMNS} FROM games WHERE session_id = ? ORDER BY game",  # noqa: S608  # constants
    "faults": f"SELECT {_FAULT_COLUMNS} FROM faults WHERE session_id = ? ORDER BY number",  # noqa: S608  # constants
}


def _rows(
    connection: sqlite3.Connection, table: str, session_id: object
) -> list[tuple[object, ...]]:
    return connection.execute(_QUERIES[table], (session_id,)).fetchall()


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"not an integer: {value!r}")
    return value


def _seat_row(seat: SeatRecord) -> tuple[object, ...]:
    return (
        seat.entrant,
        seat.chips,
        seat.forfeited,
        seat.decisions,
        histogram_to_json(seat.latency),
        seat.bank_used_us,
        to_json(seat.incarnations),
    )


def _seat(row: tuple[object, ...]) -> SeatRecord:
    entrant, chips, forfeited, decisions, latency, bank_used_us, incarnations = row
    return SeatRecord(
        entrant=str(entrant),
        chips=_int(chips),
        forfeited=bool(forfeited),
        decisions=_int(decisions),
        latency=histogram_from_json(str(latency)),
        bank_used_us=_int(bank_used_us),
        incarnations=tuple(json.loads(str(incarnations))),
    )


def _game_row(game: GameRecord) -> tuple[object, ...]:
    return (
        game.dealer,
        game.deck_digest,
        "\n".join(game.actions),
        game.sources,
        to_json(game.elapsed_us),
        to_json(dict(sorted(game.notes.items()))),
        game.termination,
        game.winner,
        to_json(game.deadwood),
        to_json(game.burned),
        to_json(game.payments),
        to_json(game.chips),
        to_json(game.view_digests),
    )


def _game(row: tuple[object, ...]) -> GameRecord:
    dealer, digest, actions, sources, elapsed, notes, termination, winner, *seats = row
    deadwood, burned, payments, chips, views = (tuple(json.loads(str(text))) for text in seats)
    return GameRecord(
        dealer=_int(dealer),
        deck_digest=str(digest),
        actions=tuple(str(actions).splitlines()),
        sources=str(sources),
        elapsed_us=tuple(json.loads(str(elapsed))),
        notes={int(step): note for step, note in json.loads(str(notes)).items()},
        termination=str(termination),
        winner=None if winner is None else _int(winner),
        deadwood=deadwood,
        burned=burned,
        payments=payments,
        chips=chips,
        view_digests=views,
    )


def _fault_row(record: FaultRecord) -> tuple[object, ...]:
    fault = record.fault
    return (
        record.seat,
        record.entrant,
        record.game,
        record.step,
        record.charged,
        record.forfeit,
        record.process_lost,
        fault.kind.value,
        fault.blame.value,
        fault.phase.value,
        _storable(fault.message),
        to_json(dict(fault.evidence)),
        record.observation,
    )


def _fault(row: tuple[object, ...]) -> FaultRecord:
    seat, entrant, game, step, charged, forfeit, lost, kind, blame, phase, message, *rest = row
    evidence, observation = rest
    return FaultRecord(
        seat=_int(seat),
        entrant=str(entrant),
        game=_int(game),
        step=_int(step),
        charged=bool(charged),
        forfeit=bool(forfeit),
        process_lost=bool(lost),
        fault=Fault(
            kind=FaultKind(str(kind)),
            blame=Blame(str(blame)),
            phase=Phase(str(phase)),
            message=str(message),
            evidence=json.loads(str(evidence)),
        ),
        observation=bytes(observation),  # type: ignore[call-overload]  # BLOB column
    )
