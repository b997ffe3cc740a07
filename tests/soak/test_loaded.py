"""Honest bots on a machine that has other things to do: nobody loses a decision to that."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.e2e.arena import SAMPLES

MATCHES = 500
HONEST = ("random", "greedy", "cautious", "caller")
LONGEST_S = 3600
SPIN = "while True: pass"


@pytest.fixture
def busy_cores() -> Iterator[None]:
    """Keeps every core busy with work of the same priority as the run's."""
    spinners = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(os.cpu_count() or 1)]
    yield
    for spinner in spinners:
        spinner.kill()
        spinner.wait()


@pytest.mark.soak
def test_honest_bots_lose_nothing_on_time_while_all_cores_are_busy(arena, busy_cores, capsys):
    file = arena.file({name: SAMPLES / name for name in HONEST}, rounds=MATCHES // 4)

    done = arena.run("run", file, "--progress", "none", timeout=LONGEST_S)

    (sums,) = arena.rows("SELECT count(*) AS sessions, sum(voids) AS voids FROM sessions")
    (matches,) = arena.rows("SELECT count(*) AS n FROM matches")
    (asked,) = arena.rows("SELECT sum(decisions) AS n FROM match_seats")
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{matches['n']} matches, {sums['sessions']} sessions, {asked['n']} decisions in"
            f" {done.seconds:.0f} s, {sums['voids']} voids"
        )
    assert matches["n"] == MATCHES
    assert arena.rows("SELECT * FROM faults") == []
