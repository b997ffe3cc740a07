"""Who had the processors while a decision was late: the scheduler's counters at two moments.

A bot may compute while nothing is asked of it, but only with what the others leave. Where a
decision is late because its process was kept from a core, and bots of whom nothing was asked used
the time that it lacked, the one that used most of it is the reason.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tongits_harness.faults import Fault

_BURNT_SHARE = 0.5
"""A bot is the reason of a wait if it used this share of its length, of any cores."""


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

    def cpu_use(self) -> CpuUse | None:
        """What its process has used; None if there is none."""

    def condemn(self, fault: Fault) -> None:
        """Ends the process and charges the fault to its next decision."""


@dataclass(frozen=True, slots=True)
class Burner:
    """A bot that kept another's process from a core."""

    lane: Computing
    """Where it used most."""
    used_us: int
    """All that its processes used beyond what they were entitled to."""
    waited_us: int
    """How long the other's process waited."""
    window_us: int

    @property
    def entrant(self) -> str:
        """Who it is."""
        return self.lane.entrant


@dataclass(frozen=True, slots=True)
class Load:
    """The counters at one moment."""

    waits_us: Mapping[int, int] = field(default_factory=dict)
    """Thread of the judged process -> how long it has waited for a core, ready to run."""
    used: Mapping[Computing, CpuUse] = field(default_factory=dict)
    """All processes of the run."""
    cores: float = 1.0
    """What a process may use while something is asked of it."""

    def waited_us(self, since: "Load") -> int:
        """How long one thread has waited since then; waits of several threads overlap."""
        waits = (us - since.waits_us.get(thread, 0) for thread, us in self.waits_us.items())
        return max(waits, default=0)

    def burner(self, since: "Load", window_us: int) -> Burner | None:
        """The bot that used most of what the judged process lacked, if any did."""
        waited_us, lanes = self.waited_us(since), {}
        for lane, use in self.used.items():
            if lane in since.used:  # a process that came up meanwhile was busy with that
                lanes[lane] = use.beyond(since.used[lane], self.cores * window_us)
        totals: Counter[str] = Counter()
        for lane, us in lanes.items():
            totals[lane.entrant] += us
        for entrant, us in totals.most_common(1):
            if us > 0 and us >= waited_us * _BURNT_SHARE:
                own = [lane for lane in lanes if lane.entrant == entrant]
                return Burner(max(own, key=lanes.__getitem__), us, waited_us, window_us)
        return None
