"""What can be asked of the stored results. Reading only; everything comes in schedule order."""

import difflib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from tongits_harness.errors import CannotContinueError, ConfigError
from tongits_harness.results.browse import (
    PAGE,
    ListedFault,
    ListedMatch,
    MatchFilter,
    last_indices,
    list_faults,
    list_matches,
)
from tongits_harness.results.connection import (
    DamagedRecordError,
    damaged,
    database_path,
    naming_errors,
    open_for_reading,
)
from tongits_harness.results.exports import Export, Value, rows_of
from tongits_harness.results.fair_play_rows import FairPlayRows
from tongits_harness.results.figures import (
    FaultCount,
    FaultSummary,
    MatchRows,
    Progress,
    SeatFigures,
)
from tongits_harness.results.fold import MatchFigures, Standing
from tongits_harness.results.integrity import WHOLE_MIB, integrity_problems, read_edges
from tongits_harness.results.match_result import MatchResult
from tongits_harness.results.progress_rows import read_progress
from tongits_harness.results.records import SessionRecord, StageRecord, TournamentRecord
from tongits_harness.results.result_rows import read_match, read_match_rows, read_summary
from tongits_harness.results.session_rows import (
    SESSION_COLUMNS,
    histogram_from_json,
    read_session,
)
from tongits_harness.results.stage_rows import read_stages
from tongits_harness.results.standing_rows import (
    load_checkpoint,
    match_figures,
    read_standing,
    standing_seed,
)
from tongits_harness.results.tournament_rows import TOURNAMENT_COLUMNS, read_tournament

_PART = 500
"""Matches asked for at once."""


class ResultsReader:
    """Reads one database over one connection, on the thread that opened it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def tournaments(self) -> tuple[TournamentRecord, ...]:
        """All tournaments, oldest first."""
        names = self._connection.execute("SELECT name FROM tournaments ORDER BY id").fetchall()
        return tuple(self.tournament(name) for (name,) in names)

    def tournament(self, name: str | None) -> TournamentRecord:
        """The tournament of that name; the latest if None.

        Raises:
            ConfigError: There is none.
        """
        row = self._connection.execute(
            f"SELECT {TOURNAMENT_COLUMNS} FROM tournaments"  # noqa: S608  # our own constant
            " WHERE ?1 IS NULL OR name = ?1 ORDER BY id DESC LIMIT 1",
            (name,),
        ).fetchone()
        if row is None:
            raise self._unknown(name)
        return read_tournament(self._connection, row)

    def progress(self, name: str) -> Progress:
        """How far the tournament is."""
        return read_progress(self._connection, self.id_of(name), self.tournament(name))

    def stored_sessions(self, name: str) -> frozenset[tuple[int, int]]:
        """(match index, seating) of every stored session."""
        rows = self._connection.execute(
            "SELECT match_index, seating FROM sessions WHERE tournament_id = ?",
            (self.id_of(name),),
        )
        return frozenset(rows)

    def matches(self, name: str) -> tuple[MatchResult, ...]:
        """All complete matches, counted or not."""
        return tuple(rows.result for rows in self.match_rows(name))

    def match_rows(self, name: str) -> Iterator[MatchRows]:
        """All complete matches with what is stored beside their results, one after the other."""
        rows = self._connection.execute(
            "SELECT match_index, match_key, round, entrant, place, chips, games, forfeited,"
            " process_lost, sandbox, decisions, latency FROM matches JOIN match_seats"
            " USING (tournament_id, match_index) WHERE tournament_id = ?"
            " ORDER BY match_index, entrant",
            (self.id_of(name),),
        )
        return map(read_match_rows, rows, rows, rows)

    def standing(self, tournament: TournamentRecord) -> Standing:
        """All that is derived from the complete matches of a tournament."""
        names = [entrant.name for entrant in tournament.entrants]
        return read_standing(
            self._connection, self.id_of(tournament.name), names, standing_seed(tournament)
        )

    def is_checkpoint_true(self, tournament: TournamentRecord) -> bool:
        """Whether the stored checkpoint, if any, is what the matches up to it give."""
        id_, seed = self.id_of(tournament.name), standing_seed(tournament)
        stored = load_checkpoint(self._connection, id_, seed)
        if stored is None:
            return True
        made = Standing([entrant.name for entrant in tournament.entrants], seed)
        for match in match_figures(self._connection, id_, made.last, stored.last):
            made.add(match)
        return made.to_bytes() == stored.to_bytes()

    def stages(self, name: str, first: int = 0) -> Iterator[StageRecord]:
        """Stages of a tournament whose format decides in stages, in order.

        Args:
            name: The tournament.
            first: Stages that end before the match of this index are left out.

        Raises:
            CannotContinueError: One of them cannot be read.
        """
        entrants = len(self.tournament(name).entrants)
        try:
            yield from read_stages(self._connection, self.id_of(name), entrants, first)
        except (ValueError, TypeError) as error:
            raise damaged(self._path, f"tournament {name}: {error}") from error

    def figures(self, name: str, after: int, until: int) -> Iterator[MatchFigures]:
        """Complete matches after an index and up to another with their figures, in order."""
        return match_figures(self._connection, self.id_of(name), after, until)

    def seat_figures(self, name: str) -> Iterator[SeatFigures]:
        """Decisions and latency of every entrant in every complete match."""
        rows = self._connection.execute(
            "SELECT match_index, entrant, decisions, latency FROM match_seats"
            " WHERE tournament_id = ? ORDER BY match_index, entrant",
            (self.id_of(name),),
        )
        for index, entrant, decisions, latency in rows:
            yield SeatFigures(index, entrant, decisions, histogram_from_json(latency))

    def fair_play_rows(self, name: str) -> FairPlayRows:
        """What the fair play report asks for beside the results."""
        return FairPlayRows(self._connection, self.id_of(name))

    def fault_counts(self, name: str, indices: Iterable[int]) -> Iterator[FaultCount]:
        """Charged faults of these matches by match, entrant and kind, of all stored sessions."""
        for part in _parts(indices):
            rows = self._connection.execute(
                "SELECT match_index, entrant, kind, count(*) FROM faults"  # noqa: S608  # numbers
                " JOIN sessions ON sessions.id = session_id WHERE tournament_id = ? AND charged"
                f" AND match_index IN ({part})"
                " GROUP BY match_index, entrant, kind ORDER BY match_index, entrant, kind",
                (self.id_of(name),),
            )
            yield from (FaultCount(*row) for row in rows)

    def results_of(self, name: str, indices: Iterable[int]) -> Iterator[tuple[MatchResult, str]]:
        """These complete matches in schedule order, each with its weakest isolation level."""
        for part in _parts(indices):
            rows = self._connection.execute(
                "SELECT match_index, match_key, round, entrant, place, chips, games, forfeited,"  # noqa: S608
                " process_lost, sandbox FROM matches JOIN match_seats"
                " USING (tournament_id, match_index) WHERE tournament_id = ?"
                f" AND match_index IN ({part}) ORDER BY match_index, entrant",
                (self.id_of(name),),
            )
            for three in zip(rows, rows, rows, strict=True):
                yield read_match(*(row[:9] for row in three)), str(three[0][9])

    def last_indices(
        self, name: str, wanted: MatchFilter, limit: int | None = None
    ) -> tuple[list[int], int]:
        """Indices of the last complete matches that fit, in schedule order, and how many fit."""
        return last_indices(self._connection, self.id_of(name), wanted, limit)

    def fault_summaries(self, name: str) -> tuple[FaultSummary, ...]:
        """Faults by entrant, kind and phase, of all stored sessions; the latest as example."""
        # With a single max(), SQLite takes the bare columns from the row that has the maximum.
        rows = self._connection.execute(
            "SELECT entrant, kind, phase, charged, count(*), match_index, match_key, seating, seat,"
            " game, step, message, evidence, observation,"
            " max(match_index * 1000000 + seating * 100000 + number)"
            " FROM faults CROSS JOIN sessions ON sessions.id = session_id WHERE tournament_id = ?"
            " GROUP BY entrant, kind, phase, charged ORDER BY entrant, kind, phase, charged DESC",
            (self.id_of(name),),
        )
        return tuple(read_summary(row) for row in rows)

    def matches_of(self, name: str, entrants: Sequence[str]) -> tuple[MatchResult, ...]:
        """Complete matches of just these three."""
        indices, _ = self.last_indices(name, MatchFilter(bots=tuple(sorted(entrants))))
        return tuple(match for match, _ in self.results_of(name, indices))

    def latest_finishes(self, name: str, limit: int = 500) -> tuple[float, ...]:
        """When the sessions stored last were finished, seconds since the epoch."""
        rows = self._connection.execute(
            # Whatever is played now has been stored last; by the index, all would be sorted.
            "SELECT finished_at FROM (SELECT tournament_id, finished_at FROM sessions"
            " ORDER BY id DESC LIMIT ?2) WHERE tournament_id = ?1",
            (self.id_of(name), limit),
        )
        return tuple(at for (at,) in rows)

    def export(self, table: Export, name: str) -> Iterator[tuple[Value, ...]]:
        """The rows of a table for other tools.

        Raises:
            CannotContinueError: The database was written by an older version and holds no views.
        """
        try:
            return rows_of(self._connection, table, name)
        except sqlite3.OperationalError as error:
            raise CannotContinueError(
                f"{self._path} was begun by an older version and has no views yet: `tongits resume`"
                " or any other writing command adds them"
            ) from error

    def neighbours(self, name: str, index: int) -> tuple[str | None, str | None]:
        """Keys of the complete matches before and after a match in the schedule."""
        before, after = (
            self._connection.execute(
                f"SELECT match_key FROM matches WHERE tournament_id = ? AND match_index {sign} ?"  # noqa: S608
                f" ORDER BY match_index {order} LIMIT 1",
                (self.id_of(name), index),
            ).fetchone()
            for sign, order in (("<", "DESC"), (">", "ASC"))
        )
        return before and before[0], after and after[0]

    def list_matches(self, name: str, wanted: MatchFilter) -> tuple[tuple[ListedMatch, ...], int]:
        """One part of the complete matches that fit, and how many fit."""
        return list_matches(self._connection, self.id_of(name), wanted)

    def list_faults(
        self, name: str, *, entrant: str = "", kind: str = "", limit: int = PAGE
    ) -> tuple[ListedFault, ...]:
        """The latest faults, newest first."""
        return list_faults(
            self._connection, self.id_of(name), entrant=entrant, kind=kind, limit=limit
        )

    def sessions(self, name: str, index: int | None = None) -> Iterator[SessionRecord]:
        """Stored sessions of one match or of all, by match and seating."""
        return self._sessions(
            "tournament_id = ?1 AND (?2 IS NULL OR match_index = ?2)", (self.id_of(name), index)
        )

    def integrity_problems(self) -> tuple[str, ...]:
        """What SQLite's own check finds wrong with the file, the first problems only."""
        return integrity_problems(self._connection)

    def check_soundness(self) -> None:
        """Do nothing, unless the file is damaged; of a large one only its ends are looked at.

        Raises:
            CannotContinueError: It is.
        """
        if self._path.stat().st_size > WHOLE_MIB * 1024 * 1024:
            with naming_errors(self._path):
                read_edges(self._connection)
        elif problems := self.integrity_problems():
            raise damaged(self._path, problems[0])

    def find_match(self, name: str, text: str) -> int:
        """The index of the match meant by an index, a key or the beginning of a key.

        Raises:
            ConfigError: No stored match, or several, fit.
        """
        id_, wanted = self.id_of(name), text.removeprefix("#")
        is_number = wanted.isascii() and wanted.isdecimal() and len(wanted) < 19
        by_index = int(wanted) if is_number else -1
        row = self._connection.execute(
            "SELECT match_index FROM sessions WHERE tournament_id = ?1 AND match_key = ?2"
            " UNION SELECT match_index FROM sessions WHERE tournament_id = ?1 AND match_index = ?3"
            " LIMIT 1",
            (id_, text if text.isascii() else "", by_index if str(by_index) == wanted else -1),
        ).fetchone()
        return int(row[0]) if row is not None else self._by_prefix(name, text)

    def _by_prefix(self, name: str, text: str) -> int:
        """The match whose key begins so; keys are ASCII."""
        found: list[tuple[int, str]] = []
        if text.isascii():
            found = self._connection.execute(
                "SELECT match_index, match_key FROM sessions WHERE tournament_id = ?"
                " AND match_key >= ? AND match_key < ? GROUP BY match_key ORDER BY match_index",
                (self.id_of(name), text, text + "\x7f"),
            ).fetchall()
        if len(found) == 1:
            return int(found[0][0])
        if found:
            raise ConfigError(
                f"match {text!r} could be any of {len(found)} matches of {name!r}: give more of its"
                f" key, for instance {found[0][1]}"
            )
        raise ConfigError(f"no match {text!r} in tournament {name!r}: `tongits matches` lists them")

    def id_of(self, name: str) -> int:
        """The row number of a tournament.

        Raises:
            ConfigError: There is none of that name.
        """
        row = self._connection.execute(
            "SELECT id FROM tournaments WHERE name = ?", (name,)
        ).fetchone()
        if row is None:
            raise self._unknown(name)
        return int(row[0])

    def _sessions(self, where: str, values: tuple[object, ...]) -> Iterator[SessionRecord]:
        rows = self._connection.execute(
            f"SELECT {SESSION_COLUMNS} FROM sessions WHERE {where}"  # noqa: S608  # our own constants
            " ORDER BY match_index, seating",
            values,
        )
        # Not a generator: after a damaged record the next one can be read.
        return map(self._session, rows)

    def _session(self, row: tuple[object, ...]) -> SessionRecord:
        try:
            return read_session(self._connection, row)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DamagedRecordError(
                self._path, int(str(row[1])), int(str(row[2])), str(error)
            ) from error

    def _unknown(self, name: str | None) -> ConfigError:
        rows = self._connection.execute("SELECT name FROM tournaments ORDER BY id").fetchall()
        names = [known for (known,) in rows]
        if name is None or not names:
            return ConfigError(
                f"{self._path} holds no tournament yet: begin one with `tongits run`"
            )
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"it holds {', '.join(names[-5:])}"
        return ConfigError(f"no tournament {name!r} in {self._path}: {hint}")


def _parts(indices: Iterable[int]) -> Iterator[str]:
    """Numbers as SQL lists of some length."""
    remaining = iter(sorted(indices))
    while part := list(islice(remaining, _PART)):
        yield ",".join(map(str, part))


@contextmanager
def open_reader(results_dir: Path) -> Iterator[ResultsReader]:
    """The stored results as they are now; a run may go on writing meanwhile.

    Raises:
        ConfigError: No database, a file that is none of ours, or one without a tournament.
        CannotContinueError: Newer format, not readable, damaged.
    """
    with open_for_reading(results_dir) as connection:
        yield ResultsReader(connection, database_path(results_dir))
