"""How long one waits: for a word of help, and for the first session of `tongits demo`."""

import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence

from tests.bench.figures import Figure, Skipped
from tests.bench.sections.tournament import DEMO
from tests.bench.sizes import Sizes
from tests.bench.tournament import Order, play, samples, scratch

_WAYS = {
    "bare python": ["-c", "pass"],
    "import grpc, trio": ["-c", "import grpc, trio"],
    "tongits --help": ["-m", "tongits_harness.cli", "--help"],
    "tongits leaderboard --help": ["-m", "tongits_harness.cli", "leaderboard", "--help"],
}


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    walls: dict[str, list[float]] = defaultdict(list)
    cpus: dict[str, list[float]] = defaultdict(list)
    for _ in range(sizes.starts):
        for name, words in _WAYS.items():
            wall, cpu = _run(words)
            walls[name].append(wall * 1e3)
            cpus[name].append(cpu * 1e3)
    for name in _WAYS:
        yield Figure(f"startup/{name}", "ms", tuple(walls[name]), better="lower")
        yield Figure(f"startup/{name}/CPU", "ms", tuple(cpus[name]), better="lower", clock="cpu")
    firsts = tuple(_first_session_s(sizes.demo_matches) for _ in range(sizes.long_rounds))
    yield Figure("startup/demo, first session stored", "s", firsts, better="lower")


def _run(words: Sequence[str]) -> tuple[float, float]:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL, timeout=120)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _first_session_s(matches: int) -> float:
    """What `demo` plays: its bots, rules, seatings and games."""
    with scratch() as results:
        return play(Order("demo", samples(DEMO), matches), results).first_s
