"""A crew: worker processes on this machine that play a tournament's sessions between them.

A worker that dies costs what it had not finished: that goes back into the queue, and a fresh
process takes its place, so that no bot process meets a shuffle twice.
"""

import math
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import structlog
import trio

from tongits_harness.errors import CannotContinueError
from tongits_harness.faults import Fault
from tongits_harness.play.hall import HallSetup, Reports
from tongits_harness.play.order import SessionQueue
from tongits_harness.play.plan import SessionPlan
from tongits_harness.play.workers.messages import (
    Bar,
    Begin,
    Failed,
    Finished,
    FromWorker,
    GivenBack,
    Hold,
    Know,
    Logged,
    Open,
    Order,
    Play,
    Ready,
    ToWorker,
    Voided,
    error_of,
)
from tongits_harness.play.workers.process import WorkerProcess, open_worker
from tongits_harness.results.suspension import is_barred

log = structlog.get_logger()

DEATHS = 5
"""Workers that may die in a row without one finished session between them."""
_IN_HAND = 1.5
"""Sessions in a worker's hands for each of its tables: the next ones wait there."""
_CHUNKS = 4
"""A worker is handed sessions by this part of its tables."""

Key = tuple[int, int]


@dataclass(slots=True, eq=False)
class Member:
    """One place in the crew, held by one worker process after the other."""

    number: int
    start: tuple[str, ...]
    """Bots that its first process starts in preflight."""
    process: WorkerProcess | None = None
    outstanding: dict[Key, SessionPlan] = field(default_factory=dict)
    opened: trio.Event = field(default_factory=trio.Event)
    """Set once a process of it has been ready."""
    ready: Ready | None = None
    """What the first of them said."""
    can_play: bool = False
    """Its process is ready."""

    def send(self, message: ToWorker) -> None:
        """Tells its process, if there is one."""
        if self.process is not None:
            self.process.channel.send(message)


@dataclass(slots=True, eq=False)
class Crew:
    """Made by `open_crew`; to a tournament it is what a `Hall` is (`players.Players`)."""

    order: Order
    workers: int
    changed: Callable[[], None]
    members: list[Member]
    _queue: SessionQueue | None = None
    _reports: Reports = field(default_factory=lambda: Reports(lambda _record: None))
    _suspended: Mapping[str, int] = field(default_factory=dict)
    _capacities: dict[str, int] = field(default_factory=dict)
    _seed: str = ""
    _is_holding: bool = False
    _deaths: int = 0
    """Since a session was finished."""
    _replaced: int = 0

    async def preflight(self) -> Mapping[str, Fault]:
        """Starts every bot once, shared out among the workers."""
        failed: dict[str, Fault] = {}
        for member in self.members:
            await member.opened.wait()
            if member.ready is not None:
                failed.update(member.ready.failed)
                own = {name: member.ready.capacities[name] for name in member.start}
                self._capacities.update(own)
        for member in self.members:
            member.send(Know(self._capacities))
        return dict(sorted(failed.items()))

    def begin(self, seed: bytes, queue: SessionQueue, reports: Reports) -> None:
        """Plays from this queue from now on."""
        self._seed, self._queue, self._reports = seed.hex(), queue, reports
        for member in self.members:
            member.send(Begin(self._seed))

    @property
    def is_idle(self) -> bool:
        """No worker has a session."""
        return not any(member.outstanding for member in self.members)

    def fill(self) -> None:
        """Hands out sessions in turn to those who have fewest."""
        queue = self._queue
        if queue is None or self._is_holding:
            return
        queue.drop_barred()
        chunk = max(1, self.order.tables // _CHUNKS)
        most = max(chunk, math.floor(self.order.tables * _IN_HAND))
        while member := self._least_busy(most - chunk):
            sessions = [plan for _ in range(chunk) if (plan := queue.take(lambda _plan: True))]
            if not sessions:
                return
            member.outstanding.update((_key(plan), plan) for plan in sessions)
            member.send(Play(tuple(sessions)))

    @property
    def note(self) -> str:
        """How the workers are, for whoever watches."""
        playing = sum(member.can_play for member in self.members)
        replaced = f", {self._replaced} replaced" if self._replaced else ""
        sessions = "+".join(str(len(member.outstanding)) for member in self.members)
        return f"{playing} of {self.workers} workers, {sessions} sessions in hand{replaced}"

    def hold(self) -> None:
        """Workers finish what is at their tables and give the rest back."""
        self._is_holding = True
        for member in self.members:
            member.send(Hold())

    def bar(self, suspended: Mapping[str, int]) -> None:
        """Drops what cannot count any more, in the workers too."""
        self._suspended = dict(suspended)
        for member in self.members:
            member.send(Bar(self._suspended))
            for key, plan in list(member.outstanding.items()):
                if is_barred(plan.match, suspended):
                    del member.outstanding[key]

    def drop(self) -> None:
        """Waits for nothing any more."""
        for member in self.members:
            member.outstanding.clear()

    def _least_busy(self, most: int) -> Member | None:
        able = [m for m in self.members if m.can_play and len(m.outstanding) <= most]
        return min(able, key=lambda member: len(member.outstanding), default=None)

    # --- one worker after the other --------------------------------------------------------------

    async def keep(self, member: Member) -> None:
        """Task: has a process in this place until cancelled.

        Raises:
            TongitsError: what a worker said before it ended.
            CannotContinueError: too many workers have died in a row.
        """
        start = member.start
        while True:
            async with open_worker(member.number) as process:
                member.process = process
                process.channel.send(Open(self.order, start))
                if self._seed:
                    process.channel.send(Begin(self._seed))
                if self._capacities:
                    process.channel.send(Know(self._capacities))
                if self._suspended:
                    process.channel.send(Bar(self._suspended))
                while (message := await process.hear()) is not None:
                    self._take(member, process, message)
                member.process, member.can_play = None, False
            self._bury(member, process)
            start = start if member.ready is None else ()

    def _take(self, member: Member, process: WorkerProcess, message: ToWorker | FromWorker) -> None:
        match message:
            case Ready():
                member.ready = member.ready or message
                member.can_play = True
                member.opened.set()
                self.changed()
            case Finished():
                if member.outstanding.pop(_key(message.record.plan), None) is not None:
                    self._deaths = 0
                    self._reports.finished(message.record)
                self._reports.changed()
            case Voided():
                self._reports.void()
            case GivenBack():
                self._put_back(member, [_key(plan) for plan in message.sessions])
            case Logged():
                process.pass_on(message)
            case Failed():
                raise error_of(message)

    def _put_back(self, member: Member, keys: list[Key]) -> None:
        for key in reversed(keys):
            plan = member.outstanding.pop(key, None)
            if plan is not None and self._queue is not None:
                self._queue.put_back(plan)
        self._reports.changed()

    def _bury(self, member: Member, process: WorkerProcess) -> None:
        self._deaths += 1
        self._replaced += 1
        log.warning("worker_died", worker=member.number, exit=process.exit_text)
        if self._deaths > DEATHS:
            raise CannotContinueError(
                f"{self._deaths} workers died one after the other without a finished session, the "
                f"last one {process.exit_text}: play with fewer (--workers 1), or see what ends "
                "them; what was stored is safe, go on with `tongits resume`",
                details=process.last_words,
            )
        self._put_back(member, list(member.outstanding))


@asynccontextmanager
async def open_crew(
    setup: HallSetup, level: str, workers: int, changed: Callable[[], None]
) -> AsyncIterator[Crew]:
    """Workers that are being started; they and their bots end with the block.

    Args:
        setup: What is played with; tables, processes and slots are shared out.
        level: Isolation level of the bots.
        workers: How many.
        changed: Called when there may be room for more.
    """
    shared = replace(
        setup,
        tables=max(1, setup.tables // workers),
        processes=max(3, setup.processes // workers),
        compute_slots=max(1, setup.compute_slots // workers),
        most_slots=max(1, setup.most_slots // workers),
    )
    names = list(setup.bots)
    members = [Member(n, tuple(names[n::workers])) for n in range(workers)]
    crew = Crew(Order.of(shared, level), workers, changed, members)
    async with trio.open_nursery() as nursery:
        for member in members:
            nursery.start_soon(crew.keep, member)
        yield crew
        nursery.cancel_scope.cancel()


def _key(plan: SessionPlan) -> Key:
    return plan.match.index, plan.seating
