"""The hall: the tables of one process, where sessions are played on its own lanes.

It knows no database, no schedule and no rating: it takes plans from a queue and hands records to
whoever asked for them. Sessions that could not be judged fairly are played again.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog
import trio
from tongits_engine import Rules

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import RunFolder, StagedBot, open_run_folder, stage
from tongits_harness.faults import Fault
from tongits_harness.play.burners import Burners
from tongits_harness.play.house import House
from tongits_harness.play.incarnation import ProcessServices
from tongits_harness.play.lane import HouseServices
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.order import SessionQueue
from tongits_harness.play.pacing import Pacer
from tongits_harness.play.plan import SessionPlan
from tongits_harness.play.pondering import refuse_if_it_cannot_freeze
from tongits_harness.play.session import SessionSetup
from tongits_harness.play.slots import ComputeSlots
from tongits_harness.play.table import Table, Void
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.results.records import SessionRecord
from tongits_harness.results.suspension import is_barred

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class HallSetup:
    """What sessions are played with, and on what part of the machine."""

    bots: Mapping[str, Bot]
    """By entrant."""
    rules: Rules
    games: int
    """Of a session."""
    limits: PlayLimits
    process_limits: Limits
    tables: int
    """Sessions played at once."""
    processes: int
    """Bot processes alive at once."""
    compute_slots: int
    """Bot processes that may think at once, to begin with."""
    most_slots: int
    """... and at most: as many more as are found to fit (`pacing`)."""


@dataclass(frozen=True, slots=True)
class Reports:
    """Whom a hall tells of what; all are called on the event loop."""

    finished: Callable[[SessionRecord], None]
    void: Callable[[], None] = lambda: None
    """A session could not be judged fairly and will be played again."""
    changed: Callable[[], None] = lambda: None
    """There may be room for more: call `fill`."""


@dataclass(slots=True, eq=False)
class Hall:
    """Open tables; made by `open_hall`. `begin` gives it work, `fill` seats what has room."""

    setup: HallSetup
    house: House
    level: str
    """The isolation level of its bots, stored with every session."""
    _seed: bytes = b""
    _queue: SessionQueue | None = None
    _reports: Reports = field(default_factory=lambda: Reports(lambda _record: None))
    _tables: set[Table] = field(default_factory=set)
    _voids: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    _burners: Burners = field(default_factory=Burners)

    def begin(self, seed: bytes, queue: SessionQueue, reports: Reports) -> None:
        """Takes its plans from this queue from now on; nothing may be going on.

        Args:
            seed: The tournament's, 32 bytes.
            queue: What is to be played.
            reports: Who is told.
        """
        self._seed, self._queue, self._reports = seed, queue, reports

    @property
    def is_idle(self) -> bool:
        """Nothing is being played."""
        return not self._tables

    @property
    def note(self) -> str:
        """Nothing: it is this process."""
        return ""

    async def preflight(self, names: Iterable[str] | None = None) -> Mapping[str, Fault]:
        """Starts every bot (or those named) once; those that did not come up, with the reason."""
        return await self.house.preflight(names)

    def hold(self) -> None:
        """Nothing more will be seated: there is nothing to give back."""

    def bar(self, suspended: Mapping[str, int]) -> None:
        """Closes the tables of matches after the indices at which entrants were suspended."""
        self.drop(lambda plan: is_barred(plan.match, suspended))

    def fill(self) -> None:
        """Seats as many sessions of the queue as there is room for."""
        queue = self._queue
        if queue is None:
            return
        queue.drop_barred()
        while len(self._tables) < self.setup.tables:
            plan = queue.take(self.house.can_seat)
            if plan is None:
                return
            table = Table(
                self._session_setup(plan),
                self.house.seat(plan),
                self._ended,
                voids=self._voids.get(_key(plan), ()),
                sandbox=self.level,
            )
            self._tables.add(table)
            table.open()

    def drop(self, is_unwanted: Callable[[SessionPlan], bool] = lambda _plan: True) -> None:
        """Closes the tables whose session is not wanted any more."""
        for table in [table for table in self._tables if is_unwanted(table.setup.plan)]:
            table.close()
            self._tables.discard(table)

    def _session_setup(self, plan: SessionPlan) -> SessionSetup:
        setup = self.setup
        return SessionSetup(plan, setup.rules, self._seed, setup.games, setup.limits)

    def _ended(self, table: Table, result: SessionRecord | Void) -> None:
        self._tables.discard(table)
        if isinstance(result, Void):
            self._play_again(table, result)
        else:
            self._voids.pop(_key(result.plan), None)
            self._reports.finished(result)
        self._reports.changed()

    def _play_again(self, table: Table, void: Void) -> None:
        plan = table.setup.plan
        log.warning("session_void", match=plan.match.key, seating=plan.seating, reason=void.reason)
        if void.burner is not None:
            self._burners.note(void.burner, void.head)
        self._voids[_key(plan)] = (*self._voids.get(_key(plan), ()), void.head)
        for lane in table.lanes:
            lane.restart(f"a session was void: {void.reason}")
        if self._queue is not None:
            self._queue.put_back(plan)
        self._reports.void()


@asynccontextmanager
async def open_hall(
    setup: HallSetup, sandbox: Sandbox, changed: Callable[[], None] = lambda: None
) -> AsyncIterator[Hall]:
    """A hall with bots staged and no process started; everything of it ends with the block.

    Args:
        setup: What is played with.
        sandbox: How the bots are kept apart.
        changed: Called when a process has ended: there is room for another.

    Raises:
        ConfigError: pondering is off and this machine cannot freeze a bot.
    """
    refuse_if_it_cannot_freeze(sandbox, setup.process_limits)
    with open_run_folder() as folder:
        staged = await trio.to_thread.run_sync(_stage_all, setup.bots, folder)
        async with Spawner() as spawner, trio.open_nursery() as nursery:
            processes = ProcessServices(
                sandbox=sandbox,
                spawner=spawner,
                folder=folder,
                process_limits=setup.process_limits,
                limits=setup.limits,
                lag=LagMeter(),
            )
            nursery.start_soon(processes.lag.run)
            services = HouseServices(processes, ComputeSlots(setup.compute_slots), changed)
            house = House(services, staged, nursery, process_cap=setup.processes)
            if setup.most_slots > setup.compute_slots:
                pacer = Pacer(
                    services.slots, lambda: house.lanes, setup.most_slots, setup.compute_slots
                )
                nursery.start_soon(pacer.run)
            yield Hall(setup, house, str(sandbox.level))
            nursery.cancel_scope.cancel()


def _stage_all(bots: Mapping[str, Bot], folder: RunFolder) -> dict[str, StagedBot]:
    return {name: stage(bot, folder) for name, bot in bots.items()}


def _key(plan: SessionPlan) -> tuple[int, int]:
    return plan.match.index, plan.seating
