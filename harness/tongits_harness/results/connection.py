"""Connections to `arena.db`, and SQLite's complaints as one-line errors that name path and cure."""

import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from tongits_harness.errors import CannotContinueError, ConfigError, TongitsError
from tongits_harness.results.schema import check_format, create_tables, upgrade

DATABASE = "arena.db"
BUSY_TIMEOUT_MS = 10_000
"""How long to wait for another program's transaction; ours last milliseconds."""


def database_path(results_dir: Path) -> Path:
    """Where the database of a results folder lies."""
    return results_dir / DATABASE


@contextmanager
def open_for_writing(results_dir: Path, *, create: bool) -> Iterator[sqlite3.Connection]:
    """A connection for one writing thread: WAL, every commit on disk before it returns.

    Raises:
        ConfigError: No database (unless `create`), or a file that is none of ours.
        CannotContinueError: Newer format, folder not writable, locked, disk full, damaged.
    """
    path = database_path(results_dir)
    if create:
        _make_folder(results_dir)
    else:
        _require(path)
    with naming_errors(path), closing(_connect(path, "rwc" if create else "rw")) as connection:
        if not check_format(connection, path) and not create:
            raise _no_tournament(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        with transaction(connection):
            if not check_format(connection, path):
                create_tables(connection)
            upgrade(connection)
        yield connection


@contextmanager
def open_for_reading(results_dir: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection that sees the database as it is now, whatever a run adds meanwhile.

    Raises:
        ConfigError: No database, a file that is none of ours, or one without a tournament.
        CannotContinueError: Newer format, not readable, damaged.
    """
    path = database_path(results_dir)
    _require(path)
    with naming_errors(path), closing(_connect_reader(path)) as connection:
        if not check_format(connection, path):
            raise _no_tournament(path)
        connection.execute("BEGIN")
        yield connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing of what the block writes."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def naming_errors(path: Path) -> Iterator[None]:
    """Turn what the machine or the file does to SQLite into errors for a person."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        named = _named(error, path)
        if named is None:
            raise
        raise named from error


def _named(error: sqlite3.DatabaseError, path: Path) -> TongitsError | None:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_NOTADB:
            return ConfigError(
                f"{path} is no results database: move it away, or choose another folder with"
                " --results"
            )
        case sqlite3.SQLITE_FULL:
            return CannotWriteNowError(
                f"disk full: cannot write {path} ({free_space(path)})",
                "what was stored before is safe; free some space and go on with `tongits resume`",
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return CannotWriteNowError(
                f"{path} is locked by another program", "close it, then retry"
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return CannotContinueError(
                f"cannot open {path} ({error}): make the file and its folder accessible, or choose"
                " another folder with --results"
            )
        case sqlite3.SQLITE_IOERR:
            return CannotWriteNowError(
                f"cannot read or write {path} ({error}; {free_space(path)})",
                "what was stored before is safe; check the disk and its free space",
            )
        case sqlite3.SQLITE_CORRUPT:
            return damaged(path, str(error))
    if isinstance(error, sqlite3.OperationalError) and "decode to UTF-8" in str(error):
        return damaged(path, "text that is no UTF-8")
    return None


def damaged(path: Path, what: str) -> CannotContinueError:
    """The error that says what is wrong with a database, and how to save what it holds."""
    return CannotContinueError(f"{path} is damaged ({what}): {salvage_advice(path)}")


def salvage_advice(path: Path) -> str:
    """How a person gets back what a damaged database still holds."""
    name = shlex.quote(str(path))
    return (
        f"restore it from a backup, or save what is readable with `sqlite3 {name} .recover |"
        f" sqlite3 {shlex.quote(str(path.with_name('rescued.db')))}`, put that in its place and"
        " look with `tongits verify`"
    )


def free_space(path: Path) -> str:
    """How much room is left where a file lies, in words."""
    try:
        room = os.statvfs(path.parent)
    except OSError as error:
        return f"free space unknown: {error.strerror}"
    if room.f_files and not room.f_favail:
        return "no file can be added there"
    return f"{room.f_bavail * room.f_frsize // 1024} KiB free there"


class CannotWriteNowError(CannotContinueError):
    """The same may succeed in a while: the disk is full, or another program is in the way."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(f"{what}: {cure}")
        self.what = what


class DamagedRecordError(CannotContinueError):
    """Rows that make no session."""

    def __init__(self, path: Path, match: int, seating: int, what: str) -> None:
        super().__init__(
            f"{path} is damaged (match {match} seating {seating}: {what}): {salvage_advice(path)}"
        )
        self.match, self.seating, self.what = match, seating, what


def _require(path: Path) -> None:
    try:
        found = path.is_file()
    except PermissionError as error:
        raise CannotContinueError(f"cannot look into {path.parent}: {error.strerror}") from error
    if not found:
        raise ConfigError(
            f"no results at {path}: play a tournament first (`tongits demo`), or name the folder"
            " with --results"
        )


def _no_tournament(path: Path) -> ConfigError:
    return ConfigError(f"{path} holds no tournament yet: begin one with `tongits run`")


def _make_folder(results_dir: Path) -> None:
    try:
        results_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotContinueError(
            f"cannot make the results folder {results_dir}: {error.strerror}; choose another with"
            " --results"
        ) from error


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?{_uri_options(mode)}", uri=True, isolation_level=None
    )
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    return connection


def _uri_options(mode: str) -> str:
    return "mode=ro&immutable=1" if mode == "immutable" else f"mode={mode}"


_NO_SHARED_MEMORY = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)


def _connect_reader(path: Path) -> sqlite3.Connection:
    """A read-only connection; in a folder where we may write nothing, one without shared memory."""
    connection = _connect(path, "ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        log = path.with_name(path.name + "-wal")
        is_idle = not log.exists() or log.stat().st_size == 0
        if not is_idle or error.sqlite_errorcode & 0xFF not in _NO_SHARED_MEMORY:
            raise
        return _connect(path, "immutable")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection
