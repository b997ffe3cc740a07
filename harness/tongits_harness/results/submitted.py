"""Bots that were submitted, version by version, as rows and back."""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.results.connection import (
    database_path,
    naming_errors,
    open_for_reading,
    open_for_writing,
    transaction,
)
from tongits_harness.results.session_rows import to_json

_COLUMNS = (
    "name, number, digest, manifest_name, declared_version, language, author, source,"
    " submitted_at, verdict, is_accepted, disabled_at, reason, manifest, report"
)


@dataclass(frozen=True, slots=True)
class BotVersion:
    """One version of a submitted bot."""

    name: str
    number: int
    """Counted from 1 for each name."""
    digest: str
    """Of its files: what `Bot.digest` is, and the name of its folder."""
    manifest_name: str
    declared_version: str
    language: str
    author: str
    """As its manifest has it; empty if that has none."""
    source: str
    """What was submitted, in words."""
    submitted_at: float
    verdict: str
    is_accepted: bool
    """A rejected one is kept with its report and never seated."""
    disabled_at: float | None
    reason: str
    """Why it is disabled."""
    manifest: Mapping[str, object]
    report: Mapping[str, object]

    @property
    def title(self) -> str:
        """How it is called in tournaments: name@number."""
        return f"{self.name}@{self.number}"

    @property
    def may_be_seated(self) -> bool:
        """Whether tournaments may begin with it."""
        return self.is_accepted and self.disabled_at is None


class SubmittedBots:
    """The submitted bots of one results database, over one connection."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def versions(self, name: str | None = None) -> tuple[BotVersion, ...]:
        """Every version (of that name), by name and number; none where a database is older."""
        if not self._connection.execute(
            "SELECT 1 FROM sqlite_schema WHERE name = 'submitted_bots'"
        ).fetchone():
            return ()
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM submitted_bots"  # noqa: S608  # our own constant
            " WHERE ?1 IS NULL OR name = ?1 ORDER BY name, number",
            (name,),
        )
        return tuple(_version(row) for row in rows)

    def matches_played(self) -> dict[str, int]:
        """Digest -> complete matches of all tournaments in which it was seated."""
        rows = self._connection.execute(
            "SELECT version, count(*) FROM match_seats JOIN entrants"
            " ON entrants.tournament_id = match_seats.tournament_id AND name = entrant"
            " GROUP BY version"
        )
        return dict(rows.fetchall())

    def put(self, version: BotVersion) -> None:
        """Store a version, or what is now known of one that is stored."""
        values = (
            version.name,
            version.number,
            version.digest,
            version.manifest_name,
            version.declared_version,
            version.language,
            version.author,
            version.source,
            version.submitted_at,
            version.verdict,
            version.is_accepted,
            version.disabled_at,
            version.reason,
            to_json(dict(version.manifest)),
            to_json(dict(version.report)),
        )
        with naming_errors(self._path), transaction(self._connection):
            self._connection.execute(
                f"INSERT OR REPLACE INTO submitted_bots ({_COLUMNS})"  # noqa: S608  # constant
                f" VALUES ({','.join('?' * len(values))})",
                values,
            )

    def disable(self, name: str, number: int | None, reason: str) -> None:
        """Seat that version (all of the name for None) no more until it is enabled."""
        self._set_state(name, number, time.time(), reason)

    def enable(self, name: str, number: int | None) -> None:
        """Let it be seated again."""
        self._set_state(name, number, None, "")

    def _set_state(
        self, name: str, number: int | None, disabled_at: float | None, reason: str
    ) -> None:
        with naming_errors(self._path), transaction(self._connection):
            self._connection.execute(
                "UPDATE submitted_bots SET disabled_at = ?, reason = ?"
                " WHERE name = ? AND (?4 IS NULL OR number = ?4)",
                (disabled_at, reason, name, number),
            )


@contextmanager
def open_submitted(results_dir: Path, *, create: bool = False) -> Iterator[SubmittedBots]:
    """The submitted bots, to be changed; with `create`, in a database made if need be.

    Raises:
        ConfigError: No database (without `create`), or a file that is none of ours.
        CannotContinueError: Newer format, folder not writable, locked, disk full, damaged.
    """
    with open_for_writing(results_dir, create=create) as connection:
        yield SubmittedBots(connection, database_path(results_dir))


def submitted_versions(results_dir: Path, name: str | None = None) -> tuple[BotVersion, ...]:
    """Every version (of that name) as it is now; none where there is no database yet.

    Raises:
        ConfigError: A file that is no database of ours.
        CannotContinueError: Newer format, not readable, damaged.
    """
    path = database_path(results_dir)
    if not path.is_file() or path.stat().st_size == 0:
        return ()
    with open_for_reading(results_dir) as connection:
        return SubmittedBots(connection, path).versions(name)


def matches_played(results_dir: Path) -> dict[str, int]:
    """As `SubmittedBots.matches_played`."""
    with open_for_reading(results_dir) as connection:
        return SubmittedBots(connection, database_path(results_dir)).matches_played()


def _version(row: tuple[object, ...]) -> BotVersion:
    (name, number, digest, manifest_name, declared, language, author, source, submitted_at,
     verdict, is_accepted, disabled_at, reason, manifest, report) = row  # fmt: skip
    return BotVersion(
        name=str(name),
        number=int(str(number)),
        digest=str(digest),
        manifest_name=str(manifest_name),
        declared_version=str(declared),
        language=str(language),
        author=str(author),
        source=str(source),
        submitted_at=float(str(submitted_at)),
        verdict=str(verdict),
        is_accepted=bool(is_accepted),
        disabled_at=None if disabled_at is None else float(str(disabled_at)),
        reason=str(reason),
        manifest=json.loads(str(manifest)),
        report=json.loads(str(report)),
    )
