"""How much at once: fitted to the bots and the machine, never at the cost of a bot's time.

A bot that waits (for a disk, or because it sleeps) leaves its core to others, so more of them may
think at a time than there are cores; bots that compute may not. Where thinking bots are found to
stand waiting for a core, the harness was greedy and backs off.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import structlog
import trio

from tongits_harness.play.lane import Lane
from tongits_harness.play.slots import ComputeSlots

log = structlog.get_logger()

TABLES_FOR_AN_ENTRANT = 80
"""The larger the messages the cheaper, and most bots hold 256 games: with three at a table this
makes 240 for each."""
FEWEST_TABLES, MOST_TABLES = 16, 1024
MOST_SLOTS = 256
"""Bots thinking at a time, where nothing else is wanted."""
_EVERY_S = 1.0
_GREEDY = 0.25
"""Thinking bots wait for a core for more than this part of their time: there are too many."""
_EASY = 0.05
"""... and for less than this: there may be more."""
_BUSY = 0.8
"""More are tried only if this part of the slots is in use."""
_COMPUTES = 0.5
"""A bot that uses this part of a core while it thinks, or more, counts as one core."""
_LEAST_SHARE = 0.02
_SETTLING = 10
"""Looks that pass after a step back before more is tried again."""


def fitting_tables(entrants: int, matches: int, workers: int = 1) -> int:
    """Sessions to play at once, so that the messages to every bot are large.

    More than there are matches would only bring in the lanes of the next seating. Workers have bot
    processes of their own, so each needs as many tables as one alone.
    """
    wanted = min(TABLES_FOR_AN_ENTRANT * entrants * workers, max(matches, FEWEST_TABLES))
    return max(FEWEST_TABLES, min(wanted, MOST_TABLES))


def cores_for_bots() -> int:
    """All but the harness's own, at least one."""
    return max(1, (os.cpu_count() or 2) - 1)


@dataclass(frozen=True, slots=True)
class Look:
    """What thinking bots did over a while, as means."""

    thinking: float
    """Bots that were thinking."""
    cores: float
    """Cores that they used."""
    waiting: float
    """Of them, those that stood waiting for a core."""


def next_slots(now: int, look: Look, *, cores: int, least: int, most: int) -> int:
    """How many bots should think at a time after this look.

    Args:
        now: How many may.
        look: What was seen.
        cores: Cores that bots may use.
        least: Never fewer.
        most: Never more.
    """
    if look.thinking <= 0:
        return now
    if look.waiting > _GREEDY * look.thinking and now > least:
        return max(least, now - max(1, now // 4))
    if look.thinking < _BUSY * now or look.waiting > _EASY * look.thinking:
        return now
    share = look.cores / look.thinking
    fitting = cores if share >= _COMPUTES else int(cores / max(share, _LEAST_SHARE))
    return max(now, min(2 * now, fitting, most))


@dataclass(slots=True, eq=False)
class Pacer:
    """Looks at a hall's lanes and sets how many bots may think at a time."""

    slots: ComputeSlots
    lanes: Callable[[], Iterable[Lane]]
    most: int
    cores: int = field(default_factory=cores_for_bots)
    _least: int = 0
    _used_us: int = 0
    _waited_us: int = 0
    _patience: int = 0

    async def run(self) -> None:
        """Task: until cancelled."""
        self._least = min(self.slots.count, self.cores)
        while True:
            before_s = trio.current_time()
            self.slots.take_used_s()
            await trio.sleep(_EVERY_S)
            self.step(self._look(trio.current_time() - before_s))

    def step(self, look: Look) -> None:
        """Draws the conclusion of a look."""
        now = self.slots.count
        wanted = next_slots(now, look, cores=self.cores, least=self._least, most=self.most)
        self._patience = max(0, self._patience - 1)
        if wanted < now:
            self._patience = _SETTLING
            log.warning("slots_fewer", slots=wanted, waiting=look.waiting, thinking=look.thinking)
            self.slots.resize(wanted)
        elif wanted > now and not self._patience:
            log.info("slots_more", slots=wanted, thinking=look.thinking, cores=look.cores)
            self.slots.resize(wanted)

    def _look(self, seconds: float) -> Look:
        used_us = waited_us = 0
        for lane in self.lanes():
            use = lane.cpu_use()
            used_us += use.asked_us if use else 0
            waited_us += lane.run_queue_wait_us()
        used, self._used_us = used_us - self._used_us, used_us
        waited, self._waited_us = waited_us - self._waited_us, waited_us
        span_us = seconds * 1e6
        thinking = self.slots.take_used_s() / seconds
        return Look(thinking, max(0, used) / span_us, max(0, waited) / span_us)
