"""The terminal is closed, or a signal comes where no record may be lost: on the real command."""

import os
import pty
import signal
import sqlite3
import subprocess
from contextlib import closing

import pytest
from tongits_harness.cli.status import resume_command

from tests.e2e.arena import EXIT_INTERRUPTED, SAMPLES, TONGITS
from tests.e2e.traces import traces_of, wait_until

pytestmark = pytest.mark.process
BOTS = [SAMPLES / name for name in ("random", "greedy", "cautious")]


def words(arena, *more):
    return [
        "run", *map(str, BOTS), "--name", "cup", "--rounds", "200", "--results",
        str(arena.results), *more,
    ]  # fmt: skip


def integrity(arena):
    with closing(sqlite3.connect(arena.results / "arena.db")) as database:
        return database.execute("PRAGMA integrity_check").fetchone()[0]


@pytest.mark.parametrize("style", ["auto"])
def test_a_closed_terminal_stops_the_run_as_a_signal_does(arena, style):
    """Its output has nowhere to go then: that must not end it before its sessions are stored."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TMPDIR": str(arena.tmp), "TERM": "xterm"}
    running = subprocess.Popen(
        ["setsid", "--ctty", str(TONGITS), *words(arena, "--progress", style)],  # noqa: S607
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=arena.work, env=env,
    )  # fmt: skip
    os.close(theirs)
    try:
        wait_until(lambda: arena.sessions_stored() > 0, patience_s=90)
        os.close(ours)
        code = running.wait(60)
    finally:
        running.kill()
        running.wait()

    assert code == EXIT_INTERRUPTED
    assert traces_of(arena.tmp) == []
    assert integrity(arena) == "ok"
    status = arena.run("status").out
    assert resume_command(arena.results, "cup") in status
    arena.run("verify")


@pytest.mark.parametrize("second", [signal.SIGTERM])
def test_another_signal_stops_at_once_and_what_is_stored_stays(arena, second):
    running = arena.start(*words(arena, "--progress", "none")[:-4], "--progress", "none")
    wait_until(lambda: arena.sessions_stored() > 0, patience_s=90)
    running.signal(signal.SIGHUP)
    wait_until(lambda: "once more stops at once" in running.errors())
    stored = arena.sessions_stored()

    running.signal(second)
    done = running.wait(30)

    assert done.rc == EXIT_INTERRUPTED, done.err
    assert done.is_clean(), done.err
    assert resume_command(arena.results, "cup") in done.err
    assert arena.sessions_stored() >= stored
    assert traces_of(arena.tmp) == []
    arena.run("verify")
