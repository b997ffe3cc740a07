"""A hundred thousand matches of twelve games: does memory stay level, and what does each part take?

The players are functions in the same process, so that nothing but the harness is seen. The size is
`--matches`: the full one takes hours.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.bench.figures import BenchError, Figure, Skipped
from tests.bench.machine import ROOT
from tests.bench.sizes import Sizes

_GAMES = 12
_LIMIT_S = 24 * 3600


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.reference_run", str(sizes.memory_matches)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=_LIMIT_S,
    )  # fmt: skip
    if done.returncode != 0:
        raise BenchError(f"memory: {done.stderr.strip().splitlines()[-1:]}")
    *looks, end = [json.loads(line) for line in done.stdout.splitlines()]
    yield from figures(looks)
    yield _cost("memory/database", "KiB/match", end["database_kib"] / end["matches"], "none")


def figures(looks: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    """Growth is told of the second half: tables of bounded size fill in the first."""
    first, last = looks[0], looks[-1]
    middle = looks[len(looks) // 2]
    matches = last["matches"] - first["matches"]
    for one in looks:
        name = f"memory/RSS after {one['matches'] * 100 // last['matches']:3} %"
        note = f"{one['matches']} matches, {one['descriptors']} descriptors"
        yield _cost(name, "MiB", one["rss_kib"] / 1024, "none", note)
    growth = (last["rss_kib"] - middle["rss_kib"]) / (last["matches"] - middle["matches"])
    half = f"second half of {last['matches'] + 1}"  # counted from nought
    yield _cost(f"memory/growth, {half}", "bytes/match", growth * 1024, "none")
    held = last["descriptors"] - middle["descriptors"]
    yield _cost(f"memory/descriptors, {half}", "more", held, "none")
    seconds = last["at"] - first["at"]
    yield Figure(
        "memory/games", "games/s", (matches * _GAMES / seconds,), note=f"{matches} matches"
    )
    for stage in ("play", "store"):
        used = last["threads"][stage] - first["threads"][stage]
        yield _cost(f"memory/CPU {stage}", "us/game", used / matches / _GAMES * 1e6, "cpu")


def _cost(name: str, unit: str, value: float, clock: str, note: str = "") -> Figure:
    return Figure(name, unit, (value,), "lower", clock, note)  # type: ignore[arg-type]
