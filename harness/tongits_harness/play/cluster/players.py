"""A Dask cluster as players: batches of sessions go out as bytes, records come back as bytes.

Dask runs a batch at least once: what was lost with its worker is played again, by other bot
processes. Each session is taken once: what is not outstanding any more is ignored.
"""

import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog
import trio

from tongits_harness.errors import CannotContinueError
from tongits_harness.faults import Fault
from tongits_harness.play.cluster.address import check_address
from tongits_harness.play.cluster.bundle import pack
from tongits_harness.play.cluster.task import MISSING, keep_bots, play_batch
from tongits_harness.play.hall import HallSetup, Reports
from tongits_harness.play.order import SessionQueue
from tongits_harness.play.plan import SessionPlan
from tongits_harness.play.workers.channel import whole_messages
from tongits_harness.play.workers.crew import DEATHS
from tongits_harness.play.workers.messages import (
    Begin,
    Failed,
    Finished,
    FromWorker,
    Know,
    Logged,
    MessageError,
    Open,
    Order,
    Play,
    Ready,
    ToWorker,
    Voided,
    error_of,
    to_bytes,
)
from tongits_harness.results.suspension import is_barred

if TYPE_CHECKING:
    from distributed import Client

log = structlog.get_logger()

CONNECT_S = 15.0
"""How long the scheduler may take to answer."""
_LOOK_S = 2.0
"""How often workers are counted."""
_AHEAD = 2
"""Batches under way for each thread of the cluster."""
_TABLES = 4
"""A batch holds at most so many sessions for each table: its bots start anew for each batch."""
_PLAIN = ["dask", "msgpack", "error"]
"""What may come from the cluster: bytes and numbers, nothing that runs code when it is read."""

Key = tuple[int, int]


@dataclass(slots=True, eq=False)
class Cluster:
    """Made by `open_cluster`; to a tournament it is what a `Hall` is (`players.Players`)."""

    client: "Client"
    order: Order
    bundles: Mapping[str, bytes]
    """The bots, packed; a host gets each once."""
    changed: Callable[[], None]
    nursery: trio.Nursery
    threads: int = 0
    """Of all workers, when they were last counted."""
    _queue: SessionQueue | None = None
    _reports: Reports = field(default_factory=lambda: Reports(lambda _record: None))
    _begin: Begin | None = None
    _capacities: Mapping[str, int] = field(default_factory=dict)
    _outstanding: dict[Key, SessionPlan] = field(default_factory=dict)
    _batches: int = 0
    _unfit: set[str] = field(default_factory=set)
    _hosts: set[str] = field(default_factory=set)
    _is_holding: bool = False
    _losses: int = 0
    _deaths: int = 0
    _limiter: trio.CapacityLimiter = field(default_factory=lambda: trio.CapacityLimiter(4096))

    async def preflight(self) -> Mapping[str, Fault]:
        """Starts every bot once, on one of the workers.

        Raises:
            TongitsError: No worker can play, for instance for want of a sandbox.
        """
        while True:
            said = await self._run([Open(self.order, tuple(self.order.bots))])
            for message in said:
                if isinstance(message, Ready):
                    self._capacities = message.capacities
                    return message.failed

    def begin(self, seed: bytes, queue: SessionQueue, reports: Reports) -> None:
        """Plays from this queue from now on."""
        self._begin, self._queue, self._reports = Begin(seed.hex()), queue, reports

    @property
    def is_idle(self) -> bool:
        """No session is under way."""
        return not self._outstanding

    @property
    def note(self) -> str:
        """How the cluster is, for whoever watches."""
        unfit = f", {len(self._unfit)} left out" if self._unfit else ""
        lost = f", {self._losses} batches lost" if self._losses else ""
        return (
            f"{len(self._hosts)} workers with {self.threads} threads{unfit},"
            f" {self._batches} batches under way{lost}"
        )

    def fill(self) -> None:
        """Sends out as many batches as the cluster can use, of like size."""
        queue = self._queue
        free = max(1, self.threads) * _AHEAD - self._batches
        if queue is None or self._is_holding or free <= 0:
            return
        queue.drop_barred()
        most = self.order.tables * _TABLES * free
        sessions = [plan for _ in range(most) if (plan := queue.take(lambda _plan: True))]
        size = math.ceil(len(sessions) / free)
        for start in range(0, len(sessions), max(1, size)):
            batch = sessions[start : start + size]
            self._outstanding.update((_key(plan), plan) for plan in batch)
            self._batches += 1
            self.nursery.start_soon(self._play, tuple(batch))

    def hold(self) -> None:
        """Sends out no more."""
        self._is_holding = True

    def bar(self, suspended: Mapping[str, int]) -> None:
        """Waits no more for what cannot count."""
        for key, plan in list(self._outstanding.items()):
            if is_barred(plan.match, suspended):
                del self._outstanding[key]

    def drop(self) -> None:
        """Waits for nothing any more; workers finish their batch for nobody."""
        self._outstanding.clear()

    async def count(self) -> None:
        """Task: keeps count of the cluster's threads, for workers come and go."""
        while True:
            hosts = await trio.to_thread.run_sync(self.client.nthreads, abandon_on_cancel=True)
            self._hosts = set(hosts)
            threads = sum(count for host, count in hosts.items() if host not in self._unfit)
            if threads != self.threads:
                log.info("cluster", workers=len(hosts), threads=threads)
                self.threads = threads
                self.changed()
            await trio.sleep(_LOOK_S)

    async def _play(self, batch: tuple[SessionPlan, ...]) -> None:
        messages: list[ToWorker] = [Open(self.order), Know(self._capacities), Play(batch)]
        if self._begin is not None:
            messages.insert(1, self._begin)
        for message in await self._run(messages):
            if isinstance(message, Finished):
                if self._outstanding.pop(_key(message.record.plan), None) is not None:
                    self._deaths = 0
                    self._reports.finished(message.record)
            elif isinstance(message, Voided):
                self._reports.void()
        self._batches -= 1
        self._put_back(batch)
        self._reports.changed()

    async def _run(self, messages: Sequence[ToWorker]) -> list[FromWorker]:
        """What a worker said to these messages; nothing if it could not play and others may.

        Raises:
            TongitsError: No worker is left that can play, or too many batches were lost in a row.
        """
        batch = b"".join(map(to_bytes, messages))
        while (answer := await self._submit(play_batch, batch)) is not None:
            host, said = _heard(answer)
            failed = next((message for message in said if isinstance(message, Failed)), None)
            if failed is None:
                return said
            if failed.error != MISSING:
                self._unfit.add(host)
                self._lost(f"{host}: {failed.message}", failed)
                return []
            await self._send_bots(host, failed.details)
        return []

    async def _send_bots(self, host: str, names: tuple[str, ...]) -> None:
        bundles = [self.bundles[name] for name in names]
        opening = to_bytes(Open(self.order))
        answer = await self._submit(keep_bots, opening, names, bundles, workers=[host])
        for message in whole_messages(bytearray(answer or b"")):
            if isinstance(message, Failed):
                self._unfit.add(host)
                self._lost(f"{host}: {message.message}", message)

    async def _submit(
        self, task: Callable[..., bytes], *words: object, workers: list[str] | None = None
    ) -> bytes | None:
        """What a task on the cluster came to; None if it was lost."""
        if workers is None and self._unfit:
            workers = sorted(self._hosts - self._unfit)
        future = self.client.submit(task, *words, pure=False, workers=workers)
        try:
            answer = await trio.to_thread.run_sync(
                future.result, abandon_on_cancel=True, limiter=self._limiter
            )
        except Exception as error:  # whatever Dask says of a lost task
            self._lost(f"{type(error).__name__}: {error}", None)
            return None
        else:
            return bytes(answer)
        finally:
            future.release()  # type: ignore[no-untyped-call]

    def _lost(self, why: str, failed: Failed | None) -> None:
        self._deaths += 1
        self._losses += 1
        log.warning("batch_lost", reason=why)
        nobody_left = bool(self._hosts) and not self._hosts - self._unfit
        if self._deaths > DEATHS or nobody_left:
            kind = CannotContinueError if failed is None else type(error_of(failed))
            raise kind(
                f"the cluster cannot play: {why}; what was stored is safe, mend the workers and go "
                "on with `tongits resume --cluster`",
                details=failed.details if failed else (),
            )

    def _put_back(self, batch: tuple[SessionPlan, ...]) -> None:
        for plan in reversed(batch):
            if self._outstanding.pop(_key(plan), None) is not None and self._queue is not None:
                self._queue.put_back(plan)


@asynccontextmanager
async def open_cluster(
    setup: HallSetup, level: str, address: str, changed: Callable[[], None]
) -> AsyncIterator[Cluster]:
    """Players on the cluster behind a scheduler.

    Args:
        setup: What is played with; each worker adds the cores it has.
        level: Isolation level that every worker must be able to make.
        address: Of the scheduler, as `tcp://host:8786` or `tls://host:8786`.
        changed: Called when there may be room for more.

    Raises:
        ConfigError: The address cannot be used, or Dask is not installed.
        CannotContinueError: No scheduler answers there.
    """
    distributed = check_address(address)
    try:
        client = await trio.to_thread.run_sync(
            lambda: distributed.Client(
                address, timeout=CONNECT_S, set_as_default=False, deserializers=_PLAIN
            )
        )
    except (OSError, TimeoutError) as error:
        raise CannotContinueError(
            f"no Dask scheduler answers at {address}: {error}; start one (`dask scheduler`), or "
            "correct --cluster"
        ) from error
    try:
        bundles = {name: pack(bot) for name, bot in setup.bots.items()}
        async with trio.open_nursery() as nursery:
            cluster = Cluster(client, Order.of(setup, level), bundles, changed, nursery)
            nursery.start_soon(cluster.count)
            yield cluster
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(CONNECT_S):
            await trio.to_thread.run_sync(client.close, abandon_on_cancel=True)


def _key(plan: SessionPlan) -> Key:
    return plan.match.index, plan.seating


def _heard(answer: bytes) -> tuple[str, list[FromWorker]]:
    """The host that speaks, and what it says; its log lines are passed on."""
    host, said = "?", list[FromWorker]()
    for message in whole_messages(bytearray(answer)):
        match message:
            case Logged(event="batch"):
                host = str(message.fields.get("host"))
            case Logged():
                getattr(log, message.level, log.info)(message.event, host=host, **message.fields)
            case Ready() | Finished() | Voided() | Failed():
                said.append(message)
            case _:
                raise MessageError(f"{message.kind} is nothing that a worker says")
    return host, said
