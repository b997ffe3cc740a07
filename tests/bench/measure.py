"""Timing for the benchmarks: interleaved rounds, medians with spread, ratios within one run."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """Work per second of process CPU time over several rounds."""

    median: float
    spread: float
    """Half of the distance between best and worst, as a share of the median."""

    @classmethod
    def of(cls, values: list[float]) -> "Rate":
        middle = statistics.median(values)
        return cls(middle, (max(values) - min(values)) / 2 / middle if middle else 0.0)

    def __str__(self) -> str:
        return f"{self.median:12,.0f} /s  ±{self.spread:4.0%}"


def interleaved(works: Mapping[str, Callable[[], int]], rounds: int) -> dict[str, Rate]:
    """Runs every work once to warm up, then all of them in turn, `rounds` times.

    Each work returns how many units it did; the rate is per second of this process's CPU time, so
    that other load on the machine disturbs it less.
    """
    for work in works.values():
        work()
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.process_time()
            units = work()
            rates[name].append(units / (time.process_time() - start))
    return {name: Rate.of(values) for name, values in rates.items()}
