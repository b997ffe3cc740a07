"""The watch over one bot's limits, where the kernel does not end a bot as a whole by itself.

It polls what is cheap to read; a bot that has not run since the last look cannot have grown, so an
idle one costs a few microseconds. A limit that is passed is written down before the kill.
"""

from typing import Protocol

import trio

from tongits_harness.bots import accounting
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs import Usage
from tongits_harness.bots.rungs.base import HELPER_PROCESSES

_POLL_S = 0.1
"""Between two looks; a program that fills memory takes longer than this for 512 MiB."""
_GROUP_POLL_S = 2.0
"""The same where the kernel holds the limits and only what it left over is to be ended."""


class Watched(Protocol):
    """A bot process, as the watch sees it."""

    @property
    def pid(self) -> int:
        """Of the root of its family."""

    def usage(self) -> Usage:
        """What its group has counted."""

    def cpu_time_us(self) -> int:
        """CPU time of all of it."""

    def counted_cpu_us(self) -> int | None:
        """The same as its group counts it, at the cost of one file read."""

    def kill_at_limit(self, limit: str) -> None:
        """Ends it for having passed a limit."""


class FamilyMeter:
    """A family of processes and its memory, looked at anew only if one of them has run."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._clocks: dict[int, int] = {}
        self._ended_ns = 0
        self.kib = 0
        """Resident memory, at least what is in use: shared pages count once for each process."""
        self.processes = 0

    def look(self) -> None:
        """Measures, if anything can have changed."""
        if not self._clocks or any(
            accounting.process_ns(pid) != clock for pid, clock in self._clocks.items()
        ):
            family = accounting.family_of(self._pid)
            before, self._clocks = self._clocks, {pid: accounting.process_ns(pid) for pid in family}
            self._ended_ns += sum(ns for pid, ns in before.items() if pid not in self._clocks)
            self.kib = sum(map(accounting.process_rss_kib, family))
            self.processes = len(family)

    def cpu_us(self) -> int | None:
        """CPU time of what was there at the last look; None before the first."""
        if not self._clocks:
            return None
        alive_ns = sum(max(ns, accounting.process_ns(pid)) for pid, ns in self._clocks.items())
        return (self._ended_ns + alive_ns) // 1000


async def watch_limits(
    process: Watched, limits: Limits, meter: FamilyMeter, *, is_in_group: bool
) -> None:
    """Task: ends the bot when it passes a limit, until cancelled.

    Args:
        process: The bot.
        limits: What it may use.
        meter: Of its family.
        is_in_group: Whether a group holds its memory and processes.
    """
    limit_kib = limits.memory_mib * 1024
    counted_us: int | None = None
    while True:
        await trio.sleep(_GROUP_POLL_S if is_in_group else _POLL_S)
        if is_in_group:
            before, counted_us = counted_us, process.counted_cpu_us()
            has_run = before is None or counted_us != before
            if has_run and process.usage().memory_kills:  # the kernel ends one, others may be left
                process.kill_at_limit("memory")
        else:
            meter.look()
            if meter.processes > limits.processes + HELPER_PROCESSES:
                process.kill_at_limit("processes")
            if meter.kib > limit_kib and await _exact_kib(process.pid) > limit_kib:
                process.kill_at_limit("memory")
        if limits.cpu_s is not None and process.cpu_time_us() > limits.cpu_s * 1_000_000:
            process.kill_at_limit("cpu")


async def _exact_kib(pid: int) -> int:
    """With every shared page counted once; takes milliseconds, so in a thread."""
    return await trio.to_thread.run_sync(accounting.memory_kib, pid)
