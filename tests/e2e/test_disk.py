"""The real command on a file system that is really full."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.arena import EXIT_INTERRUPTED, EXIT_TEMPORARY, SAMPLES, Arena, timeless
from tests.e2e.disk import SmallDisk, open_small_disk
from tests.e2e.traces import traces_of, wait_until

pytestmark = pytest.mark.process


@pytest.fixture
def small_disk(arena: Arena) -> Iterator[SmallDisk]:
    """The results folder, as a small file system of its own."""
    with open_small_disk(arena.results, megabytes=12) as disk:
        if disk is None:
            pytest.skip("only root can mount a small file system")
        yield disk
        arena.stop_all()


def cup(arena: Arena, **settings: object) -> Path:
    bots = {name: SAMPLES / name for name in ("random", "greedy", "cautious")}
    return arena.file(
        bots, rounds=4, matches=4, seatings=3, games=2,
        limits__decision_s=30.0, limits__bank_s=900.0, limits__start_s=60.0, machine__tables=2,
        **settings,
    )  # fmt: skip


@pytest.fixture(scope="module")
def undisturbed(shared: Arena) -> str:
    """The leaderboard of the run that nothing befalls."""
    shared.run("run", cup(shared), "--progress", "none", timeout=120)
    return timeless(shared.run("leaderboard", "--json").out)


def fills_up(arena: Arena, disk: SmallDisk, **settings: object):
    """A run that has stored something when its disk becomes full, and says so."""
    running = arena.start("run", cup(arena, **settings), "--progress", "none")
    wait_until(lambda: arena.sessions_stored() > 0, patience_s=90)
    disk.fill()
    wait_until(lambda: "PAUSED" in running.errors() or not running.is_running, patience_s=90)
    assert running.is_running, running.errors()
    return running


def same(arena: Arena, undisturbed: str) -> None:
    assert timeless(arena.run("leaderboard", "--json").out) == undisturbed
    arena.run("verify")


def test_a_full_disk_pauses_the_run_until_there_is_room(arena, small_disk, undisturbed):
    running = fills_up(arena, small_disk)
    assert f"disk full: cannot write {arena.results}/arena.db (0 KiB free" in running.errors()
    stored = arena.sessions_stored()
    small_disk.free()

    done = running.wait(120)

    assert done.rc == 0, done.err
    assert done.is_clean(), done.err
    assert "can be written again: the run goes on" in done.err
    assert 0 < stored < arena.sessions_stored() == 12
    same(arena, undisturbed)


def test_a_disk_that_stays_full_ends_the_run(arena, small_disk):
    running = fills_up(arena, small_disk, machine__pause_s=0.5)

    done = running.wait()

    assert done.rc == EXIT_TEMPORARY, done.err
    assert done.is_clean(), done.err
    last = done.err.splitlines()[-1]
    assert last.startswith(f"error: disk full: cannot write {arena.results}/arena.db")
    assert "not stored and will be played again" in last
    assert "tongits resume" in last
    assert traces_of(arena.tmp) == []


def test_a_paused_run_that_is_asked_to_end_does_so_at_once_with_nothing_lost(
    arena, small_disk, undisturbed
):
    running = fills_up(arena, small_disk)

    running.signal(signal.SIGINT)
    done = running.wait(30)

    assert done.rc == EXIT_INTERRUPTED, done.err
    assert done.is_clean(), done.err
    last = done.err.splitlines()[-1]
    assert last.startswith("error: stopped during a pause (disk full")
    assert "all that was stored before is saved" in last
    assert "not stored and will be played again" in last
    small_disk.free()
    arena.run("resume", "--progress", "none", timeout=120)
    same(arena, undisturbed)


def test_a_run_is_not_begun_on_a_full_disk(arena, small_disk):
    small_disk.fill()

    done = arena.run("run", cup(arena), "--progress", "none", code=EXIT_TEMPORARY)

    assert "full" in done.err or "No space left" in done.err
    assert done.err.splitlines()[-1].startswith("error: ")
    small_disk.free()
    arena.run("run", cup(arena), "--dry-run")
