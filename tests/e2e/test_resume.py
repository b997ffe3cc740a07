"""Stopping and killing a run at any moment loses nothing and changes nothing of the outcome."""

import random
import shlex
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tongits_harness.results.secret import commit_secret

from tests.e2e.arena import (
    BAD,
    EXIT_CONFIG,
    EXIT_INTERRUPTED,
    NO_FOLDER,
    SAMPLES,
    SEED,
    Arena,
    Running,
)
from tests.e2e.cup import SESSIONS, Outcome, cup, same
from tests.e2e.traces import traces_of, wait_until

pytestmark = pytest.mark.process

KILLS = 50
"""In the long test."""


def state(arena: Arena) -> str:
    """How far it is: nothing stored, begun, or finished."""
    try:
        rows = arena.rows("SELECT finished_at FROM tournaments")
    except sqlite3.OperationalError:  # no database, or one without tables
        return "nothing"
    if not rows:
        return "nothing"
    return "begun" if rows[0]["finished_at"] is None else "finished"


def go_on(arena: Arena, file: Path) -> Running:
    """What an organiser types after a power cut."""
    words = ("resume",) if state(arena) == "begun" else ("run", file)
    return arena.start(*words, "--progress", "none")


def killed(arena: Arena, file: Path, chance: random.Random) -> bool:
    """Goes on and ends it with SIGKILL at a random moment; False if it had finished before."""
    aim = arena.sessions_stored() + chance.choice([0, 0, 1, 2, 4, 8])
    running = go_on(arena, file)
    if aim > arena.sessions_stored():
        wait_until(lambda: arena.sessions_stored() >= aim or not running.is_running, patience_s=90)
        ended = running.ends_within(chance.uniform(0, 0.2))
    else:
        ended = running.ends_within(chance.uniform(0, 3))
    if ended:
        return False
    arena.was_killed = True
    running.stop()
    assert [trace for trace in traces_of(arena.tmp) if trace.startswith("process")] == []
    return True


def finish(arena: Arena, file: Path) -> None:
    if state(arena) != "finished":
        assert go_on(arena, file).wait(120).rc == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_kills_at_random_moments_leave_the_outcome_as_it_would_have_been(
    arena, uninterrupted, seed
):
    file, chance = cup(arena), random.Random(seed)

    killed(arena, file, chance)
    killed(arena, file, chance)
    finish(arena, file)

    same(arena, uninterrupted)


@pytest.mark.soak
def test_fifty_kills_at_random_moments_leave_the_outcome_as_it_would_have_been(
    arena, uninterrupted
):
    chance, kills = random.Random(50), 0

    while kills < KILLS:
        shutil.rmtree(arena.results, ignore_errors=True)
        file = cup(arena)
        while kills < KILLS and killed(arena, file, chance):
            kills += 1
        finish(arena, file)
        same(arena, uninterrupted)


@pytest.mark.parametrize(
    "signals", [(signal.SIGINT,), (signal.SIGTERM,), (signal.SIGINT, signal.SIGINT)]
)
def test_a_run_that_is_stopped_tells_how_to_resume_and_has_lost_nothing(
    arena, uninterrupted, signals
):
    running = arena.start("run", cup(arena), "--progress", "none")
    wait_until(lambda: arena.sessions_stored() > 0, patience_s=90)

    done = interrupted(running, signals)

    assert done.rc == EXIT_INTERRUPTED, done.err
    assert done.is_clean(), done.err
    assert 0 < arena.sessions_stored() < SESSIONS
    assert traces_of(arena.tmp) == []
    arena.run(*resume_words(done.err), results=NO_FOLDER, timeout=120)
    same(arena, uninterrupted)


def interrupted(running: Running, signals: tuple[signal.Signals, ...]):
    for number, one in enumerate(signals):
        running.signal(one)
        if number + 1 < len(signals):
            wait_until(lambda: "once more stops at once" in running.errors())
    return running.wait()


def resume_words(told: str) -> list[str]:
    """The words of the command that a stopped run has printed, without `tongits`."""
    (command,) = [line for line in told.splitlines() if "tongits resume" in line]
    return shlex.split(command[command.index("tongits resume") :].strip("`"))[1:]


@pytest.fixture
def finished(arena: Arena, uninterrupted: Outcome, undisturbed: Arena) -> Arena:
    """A copy of the results of the finished tournament."""
    shutil.copytree(undisturbed.results, arena.results)
    return arena


def test_a_finished_tournament_is_not_resumed(finished):
    done = finished.run("resume", code=EXIT_CONFIG)

    assert "cup is finished" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_run_killed_between_its_last_session_and_its_end_is_finished_by_resume(
    finished, uninterrupted
):
    """Only the publication of the secret is left to do."""
    with closing(sqlite3.connect(finished.results / "arena.db")) as connection:
        connection.execute("UPDATE tournaments SET finished_at = NULL, secret = NULL")
        connection.commit()
    commit_secret(finished.results, "cup", bytes.fromhex(SEED))

    finished.run("resume", "--progress", "none")

    same(finished, uninterrupted)


def test_a_tournament_finished_without_a_suspended_entrant_is_not_resumed(arena):
    bots = {
        "bad": BAD / "crash_mid_game",
        "greedy": SAMPLES / "greedy",
        "random": SAMPLES / "random",
    }
    arena.run("run", arena.file(bots, rounds=5, seatings=1, machine__tables=1))
    assert arena.rows("SELECT finished_at FROM tournaments")[0]["finished_at"]

    done = arena.run("resume", code=EXIT_CONFIG)

    assert "cup is finished" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_tournament_is_not_resumed_with_a_bot_that_has_changed_or_is_gone(arena):
    mine = Path(shutil.copytree(SAMPLES / "random", arena.work / "mine"))
    bots = {"mine": mine, "greedy": SAMPLES / "greedy", "random": SAMPLES / "random"}
    file = arena.file(bots, rounds=20, machine__tables=1)
    running = arena.start("run", file, "--progress", "none")
    wait_until(lambda: arena.sessions_stored() > 0, patience_s=90)
    interrupted(running, (signal.SIGINT, signal.SIGINT))
    before = arena.rows("SELECT * FROM sessions")

    with (mine / "random_bot.py").open("a") as program:
        program.write("# better now\n")
    changed = arena.run("resume", code=EXIT_CONFIG).err
    shutil.rmtree(mine)
    gone = arena.run("resume", code=EXIT_CONFIG).err

    assert "mine changed" in changed
    assert str(mine) in changed
    assert str(mine) in gone
    assert len((changed + gone).splitlines()) == 2
    assert arena.rows("SELECT * FROM sessions") == before
