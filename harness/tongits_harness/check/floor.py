"""Where a check plays: services, lanes and tables of its own, and the book of ended processes."""

import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import RunFolder, StagedBot, open_run_folder
from tongits_harness.check.options import CheckOptions
from tongits_harness.faults import Fault
from tongits_harness.play.house import House
from tongits_harness.play.incarnation import Incarnation, ProcessServices
from tongits_harness.play.lane import HouseServices, Lane
from tongits_harness.play.session import SessionSetup
from tongits_harness.play.slots import ComputeSlots
from tongits_harness.play.table import Table, Void
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.results.records import SessionRecord

_PROCESSES = 1 << 10
_FIRST_TABLES = 1
_RETIRING_S = 8.0
"""A killed process is gone in milliseconds; one that is just being started is not waited for."""


@dataclass(frozen=True, slots=True)
class Ended:
    """One process of the bot, as it was when it was gone."""

    incarnation: Incarnation
    exit: str
    by_itself: bool
    """It was neither ended by us nor killed."""
    printed: tuple[int, int]
    """Bytes on stdout and stderr."""
    memory_peak_kib: int | None
    refused_processes: int
    """How often it wanted more processes or threads than it may have."""


@dataclass(slots=True, eq=False)
class Floor:
    """Services of one check; made by `open_floor`."""

    services: HouseServices
    folder: RunFolder
    sandbox: Sandbox
    nursery: trio.Nursery
    ended: list[Ended] = field(default_factory=list)
    """Every process that has ended, of samples too."""
    rss_kib: int = 0
    """Largest resident memory seen where the kernel does not count it."""
    _parted: trio.Event = field(default_factory=trio.Event)

    def open_lane(self, staged: StagedBot, capacity: int) -> Lane:
        """A lane that lives as long as the floor."""
        lane = Lane(self.services, staged, 0, capacity)
        self.nursery.start_soon(lane.run)
        return lane

    def weigh(self, lane: Lane) -> None:
        """Looks at the memory of a live process."""
        if lane.now is not None and lane.now.process is not None:
            self.rss_kib = max(self.rss_kib, lane.now.process.rss_kib())

    async def retire(self, lane: Lane, reason: str, *, farewell_s: float = 0.0) -> None:
        """Ends a lane's process and waits until it is gone."""
        self.weigh(lane)
        with trio.move_on_after(farewell_s + _RETIRING_S):
            while lane.now is not None:
                parted = self._parted
                lane.restart(reason, farewell_s=farewell_s)
                await parted.wait()

    def part(self, incarnation: Incarnation) -> None:
        """Writes down what an ended process leaves."""
        process = incarnation.process
        if process is not None:
            by_itself = process.killed is None and incarnation.ended_because is None
            self.ended.append(
                Ended(
                    incarnation,
                    process.exit.text if process.exit else "unknown",
                    by_itself,
                    (process.stdout.total, process.stderr.total),
                    process.usage().memory_peak_kib,
                    process.usage().refused_processes,
                )
            )
        parted, self._parted = self._parted, trio.Event()
        parted.set()


@asynccontextmanager
async def open_floor(sandbox: Sandbox, options: CheckOptions) -> AsyncIterator[Floor]:
    """The floor of one check; all its processes end with it."""
    with open_run_folder() as folder:
        async with Spawner() as spawner, trio.open_nursery() as nursery:
            processes = ProcessServices(
                sandbox, spawner, folder, options.process_limits, options.limits, LagMeter()
            )
            slots = ComputeSlots(max(1, (os.cpu_count() or 2) - 1))
            services = HouseServices(processes, slots, changed=lambda: None)
            floor = Floor(services, folder, sandbox, nursery)
            services.parted = floor.part
            nursery.start_soon(processes.lag.run)
            yield floor
            nursery.cancel_scope.cancel()


@dataclass(slots=True, eq=False)
class Play:
    """Sessions at tables, as in a tournament; made by `open_play`."""

    floor: Floor
    house: House
    tables: int
    is_enough: Callable[[Sequence[SessionRecord]], bool]
    failed: Mapping[str, Fault]
    """Bots that did not come up, with the reason: nothing can be played."""
    records: list[SessionRecord] = field(default_factory=list)
    setups: list[SessionSetup] = field(default_factory=list)
    """Of the records, in their order."""
    voids: int = 0
    _waiting: deque[tuple[SessionSetup, tuple[str, ...]]] = field(default_factory=deque)
    _open: dict[Table, tuple[str, ...]] = field(default_factory=dict)
    _changed: trio.Event = field(default_factory=trio.Event)

    async def run(self, setups: Sequence[SessionSetup], patience_s: float) -> None:
        """Plays these sessions; what is not finished in time, or when it is enough, is dropped."""
        self._waiting = deque((setup, ()) for setup in setups)
        try:
            with trio.move_on_after(patience_s):
                while (self._waiting or self._open) and not self.is_enough(self.records):
                    self._changed = trio.Event()
                    self._seat()
                    await self._changed.wait()
        finally:
            for table in self._open:
                table.close()
            self._open.clear()

    def _seat(self) -> None:
        # A few first: what they find of a slow or dying bot is known soon.
        tables = self.tables if self.records else min(self.tables, _FIRST_TABLES)
        while self._waiting and len(self._open) < tables:
            setup, voids = self._waiting[0]
            if not self.house.can_seat(setup.plan):
                return
            self._waiting.popleft()
            lanes, level = self.house.seat(setup.plan), str(self.floor.sandbox.level)
            table = Table(setup, lanes, self._ended, voids=voids, sandbox=level)
            self._open[table] = voids
            table.open()

    def _ended(self, table: Table, result: SessionRecord | Void) -> None:
        voids = self._open.pop(table)
        if isinstance(result, Void):
            self.voids += 1
            for lane in table.lanes:
                lane.restart(f"a session was void: {result.reason}")
            self._waiting.append((table.setup, (*voids, result.head)))
        else:
            self.records.append(result)
            self.setups.append(table.setup)
        self._changed.set()


@asynccontextmanager
async def open_play(
    floor: Floor,
    bots: Mapping[str, StagedBot],
    tables: int,
    is_enough: Callable[[Sequence[SessionRecord]], bool],
) -> AsyncIterator[Play]:
    """Bots that have come up side by side, and tables for them."""
    async with trio.open_nursery() as nursery:
        house = House(floor.services, bots, nursery, process_cap=_PROCESSES)
        yield Play(floor, house, tables, is_enough, await house.preflight())
        async with trio.open_nursery() as retiring:
            for lane in house.lanes:
                retiring.start_soon(floor.retire, lane, "the games of the check are over")
        nursery.cancel_scope.cancel()
