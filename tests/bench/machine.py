"""The machine under the benchmark: how quick it is now, how crowded, which commit it runs."""

import os
import platform
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.figures import Crowding, Report

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results" / "bench"
"""Below a folder that git ignores."""
_TURNS = 1_000_000
_CALIBRATIONS = 5


@contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """What this thread starts within the block stays on that core; on any for None."""
    if core is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def last_core() -> int:
    """Where one core is meant; the first one also serves interrupts."""
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0


def calibrate() -> tuple[float, float]:
    """Turns a second of CPU time of a fixed loop, in millions; and wall time by CPU time."""
    wall, cpu = time.perf_counter(), time.process_time()
    total = 0
    for turn in range(_TURNS):
        total += turn & 7
    cpu = time.process_time() - cpu
    return _TURNS / cpu / 1e6, (time.perf_counter() - wall) / cpu


class Look:
    """Looks at the machine before and after; `crowding` is what was seen."""

    def __init__(self) -> None:
        self._load = os.getloadavg()[0]
        self._seen = [calibrate() for _ in range(_CALIBRATIONS)]

    def crowding(self) -> Crowding:
        seen = [*self._seen, *(calibrate() for _ in range(_CALIBRATIONS))]
        return Crowding(
            calibration=tuple(speed for speed, _ in seen),
            wall_over_cpu=max(
                sorted(ratio for _, ratio in half)[_CALIBRATIONS // 2]
                for half in (seen[:_CALIBRATIONS], seen[_CALIBRATIONS:])
            ),
            load=(self._load, os.getloadavg()[0]),
        )


def new_report(commit: str | None = None) -> Report:
    """A report without sections, of the checkout or of the commit named."""
    return Report(
        commit=commit or _git("rev-parse", "--short=12", "HEAD") or "unknown",
        is_changed=commit is None and bool(_git("status", "--porcelain", "-uno")),
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        processor=_processor(),
        cores=os.cpu_count() or 1,
    )


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", *words],  # noqa: S607  # as the person's path has it
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return done.stdout.strip()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
