"""The results database, for writing: one transaction a session."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tongits_harness.errors import ConfigError
from tongits_harness.play.plan import SEATINGS, MatchPlan
from tongits_harness.results.connection import (
    database_path,
    naming_errors,
    open_for_writing,
    transaction,
)
from tongits_harness.results.fold import Standing
from tongits_harness.results.in_place import InPlace
from tongits_harness.results.latency import add_histograms
from tongits_harness.results.left_off import (
    LeftOff,
    PlansFrom,
    matches_beyond,
    sessions_beyond,
    settle,
)
from tongits_harness.results.match_result import (
    MatchResult,
    SeatOutcome,
    seat_outcomes,
    settle_match,
)
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.records import SessionRecord, StageRecord, TournamentRecord
from tongits_harness.results.secret import check_tournament_name, is_committed
from tongits_harness.results.session_rows import (
    check_session,
    histogram_from_json,
    histogram_to_json,
    insert_details,
)
from tongits_harness.results.stage_rows import insert_stage
from tongits_harness.results.standing_rows import (
    load_checkpoint,
    match_figures,
    save_checkpoint,
    standing_seed,
)
from tongits_harness.results.tournament_rows import insert_tournament

SANDBOX_LEVELS = ("none", "partial", "contained", "full")
"""Isolation levels, weakest first."""


class Store:
    """An open results database; used by the thread that opened it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._in_place = InPlace.taken(path)
        self.read = ResultsReader(connection, path)

    def create_tournament(self, tournament: TournamentRecord) -> None:
        """Begin a tournament.

        Raises:
            ConfigError: The name is taken or cannot be used, or `settings["seatings"]` is not one
                of 1, 3 and 6.
        """
        check_tournament_name(tournament.name)
        seatings = tournament.settings.get("seatings")
        if seatings not in SEATINGS:
            raise ConfigError(f"seatings = {seatings!r} cannot be used: take 1, 3 or 6")
        try:
            with naming_errors(self._path), transaction(self._connection):
                insert_tournament(self._connection, tournament)
        except sqlite3.IntegrityError:
            raise ConfigError(
                f"tournament {tournament.name!r} is in {self._path} already: choose another name,"
                f" or go on with `tongits resume --tournament {tournament.name}`"
            ) from None

    def tournament(self, name: str | None) -> TournamentRecord:
        """As `ResultsReader.tournament`."""
        return self.read.tournament(name)

    def tournaments(self) -> tuple[TournamentRecord, ...]:
        """As `ResultsReader.tournaments`."""
        return self.read.tournaments()

    def stored_sessions(self, name: str) -> frozenset[tuple[int, int]]:
        """As `ResultsReader.stored_sessions`."""
        return self.read.stored_sessions(name)

    def matches(self, name: str) -> tuple[MatchResult, ...]:
        """As `ResultsReader.matches`."""
        return self.read.matches(name)

    def add_session(self, name: str, record: SessionRecord) -> bool:
        """Store a session, and with a match's last session the match; False if it is there.

        Raises:
            ValueError: The record contradicts itself or what is stored.
            CannotContinueError: It could not be written; the database is as before.
        """
        check_session(record)
        self.check_in_place()
        id_ = self.read.id_of(name)
        with self.together():
            session_id = self._insert_session(id_, record)
            if session_id is None:
                return False
            insert_details(self._connection, session_id, record)
            self._complete_match(id_, record.plan.match)
        return True

    @contextmanager
    def together(self) -> Iterator[None]:
        """Makes one transaction of what the block adds: a commit waits for the disk.

        Within another such block it does nothing.

        Raises:
            CannotContinueError: It could not be written; the database is as before the block.
        """
        if self._connection.in_transaction:
            yield
            return
        with naming_errors(self._path), transaction(self._connection):
            yield

    def check_in_place(self) -> None:
        """Does nothing, unless the file was taken away or replaced since it was opened.

        Raises:
            CannotContinueError: It was; says what is lost.
        """
        self._in_place.check()

    def checkpoint(self, name: str, until: int | None = None) -> None:
        """Keep the standing after the match of that index (all matches for None), for readers.

        Every match up to there must be stored that ever will be. It is derived: losing it costs
        time only.
        """
        tournament, id_ = self.read.tournament(name), self.read.id_of(name)
        seed = standing_seed(tournament)
        with naming_errors(self._path), transaction(self._connection):
            standing = load_checkpoint(self._connection, id_, seed)
            if standing is None:
                standing = Standing([entrant.name for entrant in tournament.entrants], seed)
            for match in match_figures(self._connection, id_, standing.last, until):
                standing.add(match)
            save_checkpoint(self._connection, id_, standing)

    def leave_off(self, name: str, plans_from: PlansFrom) -> LeftOff:
        """What is stored of a tournament that is taken up; its checkpoint is brought up to date.

        Args:
            name: The tournament.
            plans_from: Gives its planned matches from an index on.

        Raises:
            CannotContinueError: The database cannot be written.
        """
        id_ = self.read.id_of(name)
        standing = self.settle(name, plans_from)
        sessions = sessions_beyond(self._connection, id_, standing.last)
        matches = matches_beyond(self._connection, id_, standing.last)
        complete = {match.index for match in matches}
        progress = self.read.progress(name)
        return LeftOff(
            standing=standing,
            matches=matches,
            sessions=sessions,
            partial={
                index: tuple(
                    outcome
                    for session in self.read.sessions(name, index)
                    for outcome in seat_outcomes(session)
                )
                for index in sorted({index for index, _ in sessions} - complete)
            },
            sessions_stored=progress.sessions,
            matches_stored=progress.matches,
        )

    def settle(self, name: str, plans_from: PlansFrom) -> Standing:
        """The standing after all settled matches, which becomes the checkpoint.

        Raises:
            CannotContinueError: The database cannot be written.
        """
        tournament = self.read.tournament(name)
        names = [entrant.name for entrant in tournament.entrants]
        standing = Standing(names, standing_seed(tournament))
        with naming_errors(self._path):
            return settle(self._connection, self.read.id_of(name), standing, plans_from)

    def add_stage(self, name: str, stage: StageRecord) -> None:
        """Store what was decided to be played next.

        Raises:
            ValueError: It does not follow the stage before.
            CannotContinueError: It could not be written; the database is as before.
        """
        self.check_in_place()
        with naming_errors(self._path), transaction(self._connection):
            insert_stage(self._connection, self.read.id_of(name), stage)

    def finish_tournament(self, name: str, revealed_secret_hex: str) -> None:
        """Mark the tournament as played to its end, and publish its secret.

        Raises:
            ValueError: The secret is not the one committed to.
        """
        tournament = self.read.tournament(name)
        if not is_committed(bytes.fromhex(revealed_secret_hex), tournament.commitment):
            raise ValueError(f"tournament {name}: the secret is not the one committed to")
        with naming_errors(self._path), transaction(self._connection):
            self._connection.execute(
                "UPDATE tournaments SET secret = ?, finished_at = coalesce(finished_at, ?)"
                " WHERE name = ?",
                (revealed_secret_hex, time.time(), name),
            )
        self.checkpoint(name)

    def _insert_session(self, id_: int, record: SessionRecord) -> int | None:
        plan = record.plan
        self._check_plan(id_, record)
        row = self._connection.execute(
            "INSERT INTO sessions (tournament_id, match_index, seating, match_key, round, voids,"
            " sandbox, started_at, finished_at) VALUES (?,?,?,?,?,?,?,?,?)"
            " ON CONFLICT (tournament_id, match_index, seating) DO NOTHING RETURNING id",
            (
                id_,
                plan.match.index,
                plan.seating,
                plan.match.key,
                plan.match.round,
                record.voids,
                record.sandbox,
                record.started_at,
                record.finished_at,
            ),
        ).fetchone()
        return None if row is None else int(row[0])

    def _check_plan(self, id_: int, record: SessionRecord) -> None:
        match = record.plan.match
        if record.sandbox not in SANDBOX_LEVELS:
            raise ValueError(f"match {match.key}: unknown sandbox level {record.sandbox!r}")
        seatings, secret = self._connection.execute(
            "SELECT seatings, secret FROM tournaments WHERE id = ?", (id_,)
        ).fetchone()
        if secret is not None:
            raise ValueError(f"match {match.key}: the tournament is finished")
        if not 0 <= record.plan.seating < seatings:
            raise ValueError(f"match {match.key}: seating {record.plan.seating} of {seatings}")
        keys = self._connection.execute(
            # With DISTINCT, SQLite walks all sessions in the order of another index.
            "SELECT match_key FROM sessions WHERE tournament_id = ? AND match_index = ?",
            (id_, match.index),
        ).fetchall()
        if wrong := {key for (key,) in keys} - {match.key}:
            raise ValueError(f"match {match.index} is stored as {wrong}, not {match.key}")

    def _complete_match(self, id_: int, match: MatchPlan) -> None:
        rows = self._connection.execute(
            "SELECT entrant, chips, (SELECT count(*) FROM games WHERE session_id = sessions.id),"
            " forfeited, EXISTS (SELECT 1 FROM faults WHERE session_id = sessions.id"
            " AND faults.entrant = session_seats.entrant AND charged AND process_lost),"
            " decisions, latency, sandbox, finished_at"
            " FROM sessions JOIN session_seats ON session_id = sessions.id"
            " WHERE tournament_id = ? AND match_index = ?",
            (id_, match.index),
        ).fetchall()
        (seatings,) = self._connection.execute(
            "SELECT seatings FROM tournaments WHERE id = ?", (id_,)
        ).fetchone()
        if len(rows) != 3 * seatings:
            return
        result = settle_match(match, (SeatOutcome(*row[:3], *map(bool, row[3:5])) for row in rows))
        sandbox = min((row[7] for row in rows), key=SANDBOX_LEVELS.index)
        self._connection.execute(
            "INSERT INTO matches VALUES (?,?,?,?,?,?)",
            (id_, match.index, match.key, match.round, sandbox, max(row[8] for row in rows)),
        )
        self._insert_outcomes(id_, result, rows)

    def _insert_outcomes(
        self, id_: int, result: MatchResult, rows: list[tuple[object, ...]]
    ) -> None:
        for outcome in result.outcomes:
            own = [row for row in rows if row[0] == outcome.entrant]
            latency = add_histograms(histogram_from_json(str(row[6])) for row in own)
            self._connection.execute(
                "INSERT INTO match_seats VALUES (?,?,?,?,?,?,?,?,?,?)",
                (
                    id_,
                    result.index,
                    outcome.entrant,
                    outcome.place,
                    outcome.chips,
                    outcome.games,
                    outcome.forfeited,
                    outcome.process_lost,
                    sum(int(str(row[5])) for row in own),
                    histogram_to_json(latency),
                ),
            )


@contextmanager
def open_store(results_dir: Path, *, create: bool) -> Iterator[Store]:
    """The database of a results folder, for writing; with `create`, made if it is not there.

    Raises:
        ConfigError: No database (without `create`), or a file that is none of ours.
        CannotContinueError: Newer format, folder not writable, locked, disk full, damaged.
    """
    with open_for_writing(results_dir, create=create) as connection:
        yield Store(connection, database_path(results_dir))
