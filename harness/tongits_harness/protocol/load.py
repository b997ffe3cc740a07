"""Who had the processors while a decision was late: the scheduler's counters at two moments.

A bot may compute while nothing is asked of it, but only with what the others leave. Where a
decision is late because its process, or the harness, was kept from a core, and a bot of which
nothing was asked used the time that was lacking, that bot is the reason.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from tongits_harness.faults import Fault

_BURNT_SHARE = 0.5
"""A bot is the reason of a wait if it used this share of its length, of any cores,"""
_LEAST_SHARE = 0.25
"""and this share of a core over the whole time that was looked at."""


@dataclass(frozen=True, slots=True)
class CpuUse:
    """CPU time of a process, from its start on."""

    asked_us: int
    """While it was being started or something was asked of it."""
    idle_us: int
    """While nothing was."""

    def beyond(self, since: "CpuUse", allowance_us: float) -> int:
        """What it used more than it was entitled to: idle, nothing; asked, the allowance."""
        asked_us = self.asked_us - since.asked_us - allowance_us
        return self.idle_us - since.idle_us + max(0, round(asked_us))


class Computing(Protocol):
    """Something with a process that computes: a lane."""

    @property
    def entrant(self) -> str:
        """Whose it is."""

    def cpu_use(self, *, anew: bool = False) -> CpuUse | None:
        """What its process has used; None if there is none. `anew` takes time and misses less."""

    def condemn(self, fault: Fault) -> None:
        """Ends the process and charges the fault to its next decision."""


@dataclass(frozen=True, slots=True)
class Burner:
    """A bot that kept another's process, or the harness, from a core."""

    lane: Computing
    """Where it used most."""
    used_us: int
    """All that its processes used beyond what they were entitled to."""
    waited_us: int
    """How long the other waited."""
    window_us: int
    """How long was looked at."""

    @property
    def entrant(self) -> str:
        """Who it is."""
        return self.lane.entrant


def longest_wait_us(before: Mapping[int, int], after: Mapping[int, int]) -> int:
    """How long one thread has waited for a core meanwhile; waits of several threads overlap.

    Both map threads to how long they have waited since they began.
    """
    return max((us - before.get(thread, 0) for thread, us in after.items()), default=0)


def find_burner(
    before: Mapping[Computing, CpuUse],
    after: Mapping[Computing, CpuUse],
    *,
    window_us: int,
    waited_us: int,
    cores: float,
) -> Burner | None:
    """The bot that used most of what was lacking, if any used that much.

    Args:
        before: What all processes had used.
        after: What they have used now.
        window_us: The time between.
        waited_us: How much of it somebody was kept from a core.
        cores: What a process may use while something is asked of it.
    """
    # A process that came up meanwhile was busy with that.
    lanes = {
        lane: use.beyond(before[lane], cores * window_us)
        for lane, use in after.items()
        if lane in before
    }
    totals: Counter[str] = Counter()
    for lane, us in lanes.items():
        totals[lane.entrant] += us
    for entrant, us in totals.most_common(1):
        if us >= max(waited_us * _BURNT_SHARE, window_us * _LEAST_SHARE, 1):
            own = [lane for lane in lanes if lane.entrant == entrant]
            return Burner(max(own, key=lanes.__getitem__), us, waited_us, window_us)
    return None
