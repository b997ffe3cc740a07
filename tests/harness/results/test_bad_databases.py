"""Every way the database can be unusable is one line that names the path and the cure."""

import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tongits_harness.errors import CannotContinueError, ConfigError
from tongits_harness.results import connection
from tongits_harness.results.queries import open_reader
from tongits_harness.results.store import open_store

from tests.harness.results.builders import match_plan, match_sessions, tournament


@contextmanager
def one_line(kind, *words):
    with pytest.raises(kind) as caught:
        yield
    text = str(caught.value)
    assert "\n" not in text
    assert "arena.db" in text
    for word in words:
        assert word in text


def opened(results, how):
    if how == "read":
        with open_reader(results) as reader:
            reader.tournaments()
    else:
        with open_store(results, create=how == "create"):
            pass


WAYS = pytest.mark.parametrize("how", ["read", "write", "create"])


def execute(path, *statements):
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


@pytest.mark.parametrize("how", ["read", "write"])
def test_no_database(tmp_path, how):
    with one_line(ConfigError, "no results", "--results"):
        opened(tmp_path / "nowhere", how)
    assert not (tmp_path / "nowhere").exists()


@WAYS
def test_a_file_that_is_no_database(tmp_path, how):
    (tmp_path / "arena.db").write_text("just some words, long enough to be looked at\n" * 50)
    with one_line(ConfigError, "no results database"):
        opened(tmp_path, how)


@WAYS
def test_a_database_of_another_program(tmp_path, how):
    execute(tmp_path / "arena.db", "CREATE TABLE cats (name TEXT)")
    with one_line(ConfigError, "another program"):
        opened(tmp_path, how)


@WAYS
def test_a_database_of_a_newer_version(tmp_path, how):
    opened(tmp_path, "create")
    execute(tmp_path / "arena.db", "PRAGMA user_version = 99")
    with one_line(CannotContinueError, "newer", "99", "upgrade"):
        opened(tmp_path, how)


@pytest.mark.parametrize("how", ["read", "write"])
def test_a_blank_file(tmp_path, how):
    (tmp_path / "arena.db").touch()
    with one_line(ConfigError, "holds no tournament yet"):
        opened(tmp_path, how)


def test_a_blank_file_is_made_a_database(tmp_path):
    (tmp_path / "arena.db").touch()
    opened(tmp_path, "create")
    with open_reader(tmp_path) as reader:
        assert reader.tournaments() == ()
        with one_line(ConfigError, "holds no tournament yet"):
            reader.tournament(None)


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "results").write_text("a file")
    with pytest.raises(CannotContinueError, match="cannot make the results folder"):
        opened(tmp_path / "results", "create")


def test_a_locked_database(tmp_path, monkeypatch):
    opened(tmp_path, "create")
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 1)
    with closing(sqlite3.connect(tmp_path / "arena.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with one_line(CannotContinueError, "locked"):
            opened(tmp_path, "write")
        with open_reader(tmp_path) as reader:
            assert reader.tournaments() == ()


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path):
    with open_store(tmp_path, create=True) as store:
        store.create_tournament(tournament())
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        stored = 0
        with one_line(CannotContinueError, "disk full", "resume"):
            for index in range(1000):
                for record in match_sessions(match_plan(index), (5, 0, -5)):
                    store.add_session("cup", record)
                    stored += 1
        assert stored > 0
        assert len(store.stored_sessions("cup")) == stored
        store._connection.execute(f"PRAGMA max_page_count = {pages + 400}")
        assert store.add_session("cup", match_sessions(match_plan(999), (5, 0, -5))[0])


def test_a_damaged_database(tmp_path):
    with open_store(tmp_path, create=True) as store:
        store.create_tournament(tournament())
        for index in range(10):
            for record in match_sessions(match_plan(index), (5, 0, -5)):
                store.add_session("cup", record)
    path = tmp_path / "arena.db"
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with one_line(CannotContinueError, "damaged"), open_reader(tmp_path) as reader:
        reader.matches("cup")


PROGRAM = """
import os, sys, pathlib
from tongits_harness.errors import TongitsError
from tongits_harness.results.queries import open_reader
from tongits_harness.results.store import open_store
if os.getuid() == 0:
    os.setuid(65534)
results = pathlib.Path(sys.argv[1])
with open_reader(results) as reader:
    print(len(reader.matches("cup")))
try:
    with open_store(results, create=True):
        pass
except TongitsError as error:
    print(error.exit_code, error)
"""


def test_a_folder_without_write_permission_can_be_read_and_is_named():
    """In a process of another user where the tests run as root, whom no permission stops."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder)
        with open_store(results, create=True) as store:
            store.create_tournament(tournament())
            for record in match_sessions(match_plan(), (5, 0, -5)):
                store.add_session("cup", record)
        results.chmod(0o555)
        try:
            done = subprocess.run(
                [sys.executable, "-c", PROGRAM, str(results)],
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            results.chmod(0o700)
    assert done.stderr == ""
    count, line = done.stdout.splitlines()
    assert count == "1"
    assert line.startswith("75 cannot open")
    assert "arena.db" in line
