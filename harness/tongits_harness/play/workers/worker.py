"""A worker: `python -m tongits_harness.play.workers.worker`, its orders on stdin.

It plays what it is given in a hall of its own and says on stdout what came of it. It ends when
stdin does, or with whoever started it; its bots end with it.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog
import trio

from tongits_harness.bots.sandbox import open_sandbox
from tongits_harness.collector import seldom_collected
from tongits_harness.errors import TongitsError
from tongits_harness.play.hall import Hall, Reports, open_hall
from tongits_harness.play.order import SessionQueue
from tongits_harness.play.plan import SessionPlan
from tongits_harness.play.workers.channel import Channel
from tongits_harness.play.workers.messages import (
    BEAT_S,
    Alive,
    Bar,
    Begin,
    Failed,
    Finished,
    FromWorker,
    GivenBack,
    Hold,
    Know,
    Logged,
    MessageError,
    Open,
    Play,
    Ready,
    ToWorker,
    Voided,
)
from tongits_harness.results.records import SessionRecord
from tongits_harness.results.suspension import is_barred

_PR_SET_PDEATHSIG = 1
_LAST_WORDS_S = 5.0


@dataclass(slots=True, eq=False)
class Worker:
    """Plays what comes over its channel."""

    channel: Channel
    _hall: Hall = field(init=False)
    _queue: SessionQueue = field(init=False)
    _suspended: Mapping[str, int] = field(default_factory=dict)
    _changed: trio.Event = field(default_factory=trio.Event)

    async def run(self) -> None:
        """Plays until the orders end."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.channel.run)
            nursery.start_soon(self._beat)
            try:
                await self._work()
            except* TongitsError as group:
                error = _first(group)
                self.channel.send(Failed(type(error).__name__, str(error), error.details))
            with trio.move_on_after(_LAST_WORDS_S):
                await self.channel.drained()
            nursery.cancel_scope.cancel()

    async def _beat(self) -> None:
        while True:
            self.channel.send(Alive())
            await trio.sleep(BEAT_S)

    async def _work(self) -> None:
        first = await self.channel.receive()
        if first is None:
            return
        if not isinstance(first, Open):
            raise MessageError(f"{first.kind} before open")
        sandbox = open_sandbox(first.order.level)
        setup = await trio.to_thread.run_sync(first.order.setup)
        async with open_hall(setup, sandbox, self._notice) as self._hall:
            self._queue = SessionQueue(iter(()), self._is_barred)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._play, first.start)
                while (message := await self.channel.receive()) is not None:
                    self._obey(message)
                    self._notice()
                self._hall.drop()
                nursery.cancel_scope.cancel()

    async def _play(self, start: tuple[str, ...]) -> None:
        failed = await self._hall.preflight(start)
        self.channel.send(Ready(failed, self._hall.house.capacities))
        while True:
            self._changed = trio.Event()
            self._hall.fill()
            await self._changed.wait()

    def _obey(self, message: ToWorker | FromWorker) -> None:
        match message:
            case Begin():
                reports = Reports(self._finished, self._voided, self._notice)
                self._hall.begin(bytes.fromhex(message.seed), self._queue, reports)
            case Play():
                self._queue.extend(message.sessions)
            case Bar():
                self._suspended = message.suspended
                self._hall.bar(message.suspended)
            case Know():
                self._hall.house.learn(message.capacities)
            case Hold():
                self.channel.send(GivenBack(self._queue.clear()))
            case _:
                raise MessageError(f"{message.kind} is nothing that a worker is told")

    def _is_barred(self, plan: SessionPlan) -> bool:
        return is_barred(plan.match, self._suspended)

    def _finished(self, record: SessionRecord) -> None:
        self.channel.send(Finished(record))

    def _voided(self) -> None:
        self.channel.send(Voided())

    def _notice(self) -> None:
        self._changed.set()


def _first(group: BaseExceptionGroup[TongitsError]) -> TongitsError:
    for error in group.exceptions:
        return _first(error) if isinstance(error, BaseExceptionGroup) else error
    raise ValueError("an empty group")


def _log_to(channel: Channel) -> None:
    """Events go to whoever gave the orders."""

    def pass_on(_logger: object, name: str, event: "structlog.typing.EventDict") -> str:
        fields = {key: _plain(value) for key, value in event.items() if key != "event"}
        channel.send(Logged(name, str(event.get("event", "")), fields))
        raise structlog.DropEvent

    structlog.configure(processors=[pass_on], cache_logger_on_first_use=False)


def _plain(value: object) -> object:
    return value if isinstance(value, int | float | bool | None) else str(value)


def _die_with_parent(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)


def main() -> None:
    """Runs a worker on stdin and stdout; the one argument is the pid to die with."""
    if len(sys.argv) > 1:
        _die_with_parent(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever gives the orders
    # What a library prints must not get between the messages.
    incoming, outgoing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    trio.run(_run_on, incoming, outgoing)


async def _run_on(incoming: int, outgoing: int) -> None:
    channel = Channel(incoming, outgoing)
    _log_to(channel)
    with seldom_collected():
        await Worker(channel).run()


if __name__ == "__main__":
    main()
