"""Several worker processes play what one would have played, whatever happens to them."""

import os
import random
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.arena import (
    BAD,
    EXIT_BOT,
    EXIT_INTERRUPTED,
    SAMPLES,
    Arena,
    Running,
    timeless,
)
from tests.e2e.cup import SESSIONS, cup, same
from tests.e2e.traces import processes_of, traces_of, wait_until

pytestmark = pytest.mark.process

PROGRAM = "tongits_harness.play.workers.worker"
PATIENCE_S = 90.0
KILLS = 30
"""In the long test."""


def workers_of(running: Running) -> list[int]:
    """Pids of the worker processes of a run."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            words = (entry / "cmdline").read_text().split("\0")
            if PROGRAM in words and str(running.pid) in words:
                found.append(int(entry.name))
    return found


def start(arena: Arena, workers: int, *words: object) -> Running:
    words = words or ("run", cup(arena))
    return arena.start(*words, "--workers", workers, "--progress", "none")


def kill(running: Running, chance: random.Random, count: int) -> int:
    """Ends so many workers with SIGKILL, as far as there are; how many."""
    alive = workers_of(running)
    chosen = chance.sample(alive, min(count, len(alive)))
    for pid in chosen:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(chosen)


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_comes_to_the_same(arena, uninterrupted, workers):
    assert start(arena, workers).wait(PATIENCE_S).rc == 0

    same(arena, uninterrupted)
    arena.run("verify", timeout=PATIENCE_S)


def test_workers_that_are_killed_cost_what_they_had_not_finished(arena, uninterrupted):
    chance = random.Random(1)
    running = start(arena, 2)
    for aim, count in (1, 1), (5, 2), (9, 1):
        wait_until(lambda a=aim: arena.sessions_stored() >= a, patience_s=PATIENCE_S)
        assert kill(running, chance, count)

    done = running.wait(PATIENCE_S)

    assert done.rc == 0, done.err
    same(arena, uninterrupted)
    arena.run("verify", timeout=PATIENCE_S)


@pytest.mark.soak
def test_thirty_kills_of_workers_at_random_moments_change_nothing(arena, uninterrupted):
    chance, kills = random.Random(30), 0

    while kills < KILLS:
        shutil.rmtree(arena.results, ignore_errors=True)
        running = start(arena, chance.choice([2, 3]))
        kills += kill_until_it_ends(arena, running, chance)
        assert running.wait().rc == 0, running.errors()
        same(arena, uninterrupted)


def kill_until_it_ends(arena: Arena, running: Running, chance: random.Random) -> int:
    """Ends workers at random moments; how many."""
    kills = 0
    while not running.ends_within(chance.uniform(0.5, 4)):
        kills += kill(running, chance, chance.choice([1, 1, 2, 3]))
        aim = arena.sessions_stored() + 1  # else there are too many deaths in a row
        wait_until(
            lambda a=aim: arena.sessions_stored() >= a or not running.is_running,
            patience_s=PATIENCE_S,
        )
    return kills


def test_an_entrant_is_suspended_after_the_same_match_as_without_workers(arena):
    names = ("greedy", "caller", "cautious")
    bots = {"bad": BAD / "crash_mid_game"} | {name: SAMPLES / name for name in names}
    settings = {
        "rounds": 4, "seatings": 1, "machine__tables": 1,
        "limits__decision_s": 30.0, "limits__bank_s": 900.0, "limits__start_s": 60.0,
    }  # fmt: skip
    file, alone = arena.file(bots, **settings), arena.work / "alone"

    for results, workers in (alone, 1), (arena.results, 2):
        words = ("run", file, "--workers", workers, "--progress", "none")
        done = arena.start(*words, results=results).wait(PATIENCE_S)
        assert done.rc == 0, done.err

    one, two = (
        timeless(arena.run("leaderboard", "--json", results=results).out)
        for results in (alone, arena.results)
    )
    assert one == two
    assert "suspended" in arena.run("leaderboard").out
    arena.run("verify", timeout=PATIENCE_S)


def test_a_run_goes_on_with_another_number_of_workers(arena, uninterrupted):
    running = start(arena, 2)
    wait_until(lambda: arena.sessions_stored() > 0, patience_s=PATIENCE_S)
    running.signal(signal.SIGINT)
    done = running.wait()
    assert done.rc == EXIT_INTERRUPTED, done.err
    assert 0 < arena.sessions_stored() < SESSIONS
    assert traces_of(arena.tmp) == []

    assert start(arena, 3, "resume").wait(PATIENCE_S).rc == 0

    same(arena, uninterrupted)


def test_workers_and_their_bots_end_with_the_run_that_started_them(arena):
    running = start(arena, 2)
    wait_until(lambda: arena.sessions_stored() > 0, patience_s=PATIENCE_S)
    assert len(workers_of(running)) == 2
    arena.was_killed = True

    os.kill(running.pid, signal.SIGKILL)
    running.wait()

    assert wait_until(lambda: not workers_of(running), patience_s=10)
    assert wait_until(lambda: not processes_of(arena.tmp), patience_s=10)


def test_a_bot_that_does_not_come_up_is_named_as_without_workers(arena):
    bots = {name: SAMPLES / name for name in ("greedy", "random")}
    file = arena.file({**bots, "broken": BAD / "crash_at_start"}, rounds=1)

    done = start(arena, 2, "run", file).wait(PATIENCE_S)

    assert done.rc == EXIT_BOT
    assert "broken did not come up" in done.err
    assert "exit: exited with status" in done.err
    assert done.is_clean()
    assert not arena.results.joinpath("arena.db").exists()
