"""A damaged database is detected and named, with the way to save what it holds."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from tongits_harness.cli import main
from tongits_harness.results import integrity, queries
from tongits_harness.results.queries import open_reader
from tongits_harness.results.store import open_store
from tongits_harness.runs import prepare_resume

from tests.harness.results.builders import match_plan, match_sessions, tournament

PAGE = 4096
EXIT_TEMPORARY = 75


def damage(results, pages=None):
    """Overwrites the heads of some pages, of all but the first by default."""
    path = results / "arena.db"
    content = bytearray(path.read_bytes())
    for page in pages or range(1, len(content) // PAGE):
        content[page * PAGE : page * PAGE + 200] = b"\xa5" * 200
    path.write_bytes(content)


def run(results, *words):
    done = CliRunner().invoke(main, [*words, "--results", str(results)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def named(done, results):
    line = done.stderr.splitlines()[-1]
    assert done.exit_code == EXIT_TEMPORARY, done.output
    assert line.startswith(f"error: {results}/arena.db is damaged (")
    assert f"sqlite3 {results}/arena.db .recover" in line


def test_any_damaged_page_is_found_by_verify(finished):
    whole = (finished / "arena.db").read_bytes()
    pages = len(whole) // PAGE
    for page in range(1, pages, max(1, pages // 15)):
        (finished / "arena.db").write_bytes(whole)
        damage(finished, [page])
        named(run(finished, "verify"), finished)


@pytest.mark.parametrize("command", ["leaderboard", "status", "matches", "resume", "verify"])
def test_every_command_names_the_damage(finished, command):
    damage(finished)
    named(run(finished, command), finished)


@pytest.mark.parametrize("whole_mib", [integrity.WHOLE_MIB, 0])
def test_a_tournament_is_not_resumed_on_a_damaged_page(tmp_path, monkeypatch, whole_mib):
    """Which nobody may have read for months; in a large file it is one that is written to."""
    monkeypatch.setattr(queries, "WHOLE_MIB", whole_mib)
    with open_store(tmp_path, create=True) as store:
        store.create_tournament(tournament())
        for record in match_sessions(match_plan(), (5, 0, -5)):
            store.add_session("cup", record)
    with closing(sqlite3.connect(tmp_path / "arena.db")) as database:
        (page,) = database.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'faults'"
        ).fetchone()
    damage(tmp_path, [page - 1])

    with pytest.raises(Exception, match=r"damaged.*\.recover"):
        prepare_resume(tmp_path, None)


def test_text_that_is_no_text_is_damage(finished):
    with closing(sqlite3.connect(finished / "arena.db")) as database, database:
        database.execute("UPDATE entrants SET language = CAST(x'ff' AS TEXT)")
    named(run(finished, "leaderboard"), finished)


@pytest.mark.parametrize("torn", [False, True])
def test_what_a_killed_run_left_in_the_journal_is_read(tmp_path, torn):
    """A journal that the machine's end has torn loses its last transaction, never a part of one."""
    with open_store(tmp_path / "run", create=True) as store:
        store.create_tournament(tournament())
        for index in range(4):
            for record in match_sessions(match_plan(index), (5, 0, -5)):
                store.add_session("cup", record)
        (tmp_path / "killed").mkdir()
        for name in ("arena.db", "arena.db-wal"):
            shutil.copy(tmp_path / "run" / name, tmp_path / "killed" / name)
    journal = tmp_path / "killed" / "arena.db-wal"
    if torn:
        journal.write_bytes(journal.read_bytes()[: -PAGE // 2])

    with open_reader(tmp_path / "killed") as reader:
        sessions = list(reader.sessions("cup"))
        assert reader.integrity_problems() == ()
    assert len(sessions) == (11 if torn else 12)
    with open_store(tmp_path / "killed", create=False) as store:
        done = store.stored_sessions("cup")
        for record in match_sessions(match_plan(3), (5, 0, -5)):
            stored = (record.plan.match.index, record.plan.seating) in done
            assert store.add_session("cup", record) is not stored
        assert len(store.matches("cup")) == 4
