"""Memory and descriptors of a run with real bots in their sandboxes."""

import os
import sqlite3
from pathlib import Path

import pytest

from tests.e2e.arena import SAMPLES
from tests.e2e.traces import wait_until

MATCHES = 3000
STEPS = 6
SLOPE_KIB = 3.0
"""What a match of the second half may leave behind.

The engine's tables of what a hand can do are filled as hands come up, to some 4 MiB in tens of
thousands of games; that nothing grows after that is shown by `test_memory`.
"""
LONGEST_S = 3600


@pytest.mark.soak
def test_memory_stays_level_over_three_thousand_matches_of_real_bots(arena, capsys):
    bots = {name: SAMPLES / name for name in ("random", "greedy", "cautious", "caller")}
    file = arena.file(bots, matches=MATCHES, rounds=MATCHES // 4)
    running = arena.start("run", file, "--progress", "none")
    samples = []

    for step in range(1, STEPS):
        _wait_for(arena, running, MATCHES * step // STEPS)
        assert running.is_running, running.errors()
        samples.append(_sample(arena, running.pid))
        with capsys.disabled():
            print("\n{} matches: RSS {} KiB, {} descriptors".format(*samples[-1]), end="")  # noqa: T201
    done = running.wait(LONGEST_S)

    assert done.rc == 0, done.err
    assert arena.rows("SELECT * FROM faults") == []
    middle, last = samples[len(samples) // 2], samples[-1]
    slope = (last[1] - middle[1]) / (last[0] - middle[0])
    with capsys.disabled():
        print(f"\nslope of the second half {slope * 1024:.0f} bytes a match, {done.seconds:.0f} s")  # noqa: T201
    assert slope < SLOPE_KIB
    assert abs(last[2] - samples[0][2]) <= 8  # one process of a bot may just be replaced


def _wait_for(arena, running, matches: int) -> None:
    wait_until(lambda: _matches(arena) >= matches or running.ends_within(1.0), patience_s=LONGEST_S)


def _matches(arena) -> int:
    try:
        return arena.rows("SELECT count(*) AS n FROM matches")[0]["n"]
    except sqlite3.Error:  # it has not been made yet
        return 0


def _sample(arena, pid: int) -> tuple[int, int, int]:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    descriptors = len(os.listdir(f"/proc/{pid}/fd"))
    return _matches(arena), pages * os.sysconf("SC_PAGE_SIZE") // 1024, descriptors
