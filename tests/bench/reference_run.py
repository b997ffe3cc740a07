"""A long tournament of reference players in one process: `python -m tests.bench.reference_run N`.

All is real but the bots, which are functions here. Prints a line of JSON at every tenth.
"""

import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.durability.in_process import Sample, play

STAGES = 10


def main(matches: int) -> None:
    step = max(1, matches // STAGES)
    due = iter([*range(0, matches - 1, step), matches - 1])
    waiting = [next(due)]

    def look(plan) -> None:  # type: ignore[no-untyped-def]  # a SessionPlan
        if waiting and plan.match.index >= waiting[0]:
            waiting[:] = [index for index in (next(due, None),) if index is not None]
            _tell(plan.match.index)

    with tempfile.TemporaryDirectory(prefix="bench-") as folder, pytest.MonkeyPatch.context() as mp:
        play(Path(folder), mp, on_seat=look, rounds=matches, seatings=6, games=2)
        size = (Path(folder) / "arena.db").stat().st_size / 1024
    print(json.dumps({"matches": matches, "database_kib": size}))


def _tell(matches: int) -> None:
    sample = Sample.taken(matches)
    print(
        json.dumps(
            {
                "matches": matches,
                "at": time.time(),
                "rss_kib": sample.rss_kib,
                "descriptors": sample.descriptors,
                "threads": _threads_s(),
            }
        ),
        flush=True,
    )


def _threads_s() -> dict[str, float]:
    """CPU seconds of the event loop's thread and of all others: those that store."""
    used = {"play": 0.0, "store": 0.0}
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):
            name = "play" if int(task.name) == os.getpid() else "store"
            used[name] += int((task / "schedstat").read_text().split()[0]) / 1e9
    return used


if __name__ == "__main__":
    main(int(sys.argv[1]))
