"""Several worker processes play what one would have played, whatever happens to them."""

import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.arena import BAD, EXIT_BOT, EXIT_INTERRUPTED, SAMPLES, Arena, Running
from tests.e2e.cup import SESSIONS, cup, same
from tests.e2e.traces import processes_of, traces_of, wait_until

pytestmark = pytest.mark.process

PROGRAM = "tongits_harness.play.workers.worker"
PATIENCE_S = 90.0


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


def kill_one(running: Running, chance: random.Random) -> bool:
    """Ends a worker with SIGKILL; False if there was none."""
    alive = workers_of(running)
    if alive:
        with suppress(ProcessLookupError):
            os.kill(chance.choice(alive), signal.SIGKILL)
    return bool(alive)


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_comes_to_the_same(arena, uninterrupted, workers):
    assert start(arena, workers).wait(PATIENCE_S).rc == 0

    same(arena, uninterrupted)
    arena.run("verify", timeout=PATIENCE_S)


def test_a_worker_that_is_killed_costs_what_it_had_not_finished(arena, uninterrupted):
    chance = random.Random(1)
    running = start(arena, 2)
    for aim in (1, 5, 9):
        wait_until(lambda a=aim: arena.sessions_stored() >= a, patience_s=PATIENCE_S)
        assert kill_one(running, chance)

    done = running.wait(PATIENCE_S)

    assert done.rc == 0, done.err
    same(arena, uninterrupted)
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
