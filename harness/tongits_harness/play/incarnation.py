"""One bot process of a lane, from spawn to reaping, and whose doing its end was."""

import math
import os
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import trio

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.process import BotProcess, open_process
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.bots.seat import SeatFolder, open_seat_folder
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import RunFolder, StagedBot
from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.census import Census
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.pondering import Pondering
from tongits_harness.play.warm_up import warm_up_asks
from tongits_harness.protocol.conversation import Conversation, Stage
from tongits_harness.protocol.handshake import Terms
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.protocol.link import TableLink
from tongits_harness.protocol.load import Burner

_EXIT_GRACE_S = 2.0
"""How long a process may take to end after its stream has, before it is stopped: an interpreter
that dies of an exception closes the stream first, and on a busy machine is slow with the rest."""
_REAPING_S = 1.0
"""How long evidence of an end waits for the end."""
_UNIX_SOCKETS = Path("/proc/net/unix")
_CONNECTED = "03"
_DOOR_LOOK_S = 0.1
_ENDING_LIMITS = ("memory", "cpu")
"""Limits that end a process by themselves; a refused thread may be lived with."""
_STARVED_SHARE = 0.25
"""A start that took too long is the machine's fault if the process was kept from a core for this
share of the limit."""


def _starts() -> trio.Semaphore:
    """As many starts at once as there are cores, but two."""
    return trio.Semaphore(max(2, os.cpu_count() or 1))


@dataclass(frozen=True, slots=True)
class ProcessServices:
    """What starting a bot process needs; shared by all lanes of a run."""

    sandbox: Sandbox
    spawner: Spawner
    folder: RunFolder
    process_limits: Limits
    limits: PlayLimits
    lag: LagMeter
    is_timed: bool = True
    """Whether clocks run; bots are told the usual limits all the same."""
    census: Census = field(default_factory=Census)
    """What all processes have used of the processors."""
    starts: trio.Semaphore = field(default_factory=_starts)
    """Processes that may be starting at a time: runtimes that start slowly do not slow each other
    down beyond their start limit."""

    def limits_of(self, staged: StagedBot) -> Limits:
        """The run's limits, with the memory the bot asks for where that is less."""
        asked = staged.bot.manifest.memory or self.process_limits.memory_mib
        return replace(self.process_limits, memory_mib=min(asked, self.process_limits.memory_mib))


class Incarnation:
    """A process and the conversation with it. `live` is its whole life."""

    def __init__(
        self,
        services: ProcessServices,
        staged: StagedBot,
        *,
        capacity: int,
        answered: Callable[[], None],
        ready: Callable[[], None],
    ) -> None:
        self.services = services
        self.staged = staged
        self.talk: Conversation | None = None
        self.process: BotProcess | None = None
        self.pondering: Pondering | None = None
        """Tells the process when to think; there once it is ready."""
        self.ended_because: str | None = None
        """Why we ended it, if we did."""
        self._farewell_s = 0.0
        self._capacity = capacity
        self._answered = answered
        self._ready = ready

    @property
    def is_ready(self) -> bool:
        """Decisions may be asked."""
        return self.talk is not None and self.talk.stage is Stage.READY

    def end(self, reason: str, *, farewell_s: float = 0.0) -> None:
        """Ends it without blame; with a farewell it is given so long to end by itself."""
        self.ended_because, self._farewell_s = reason, farewell_s
        if self.talk is not None:
            self.talk.finish()

    async def live(self, uid_slot: int) -> Fault | None:
        """Runs from spawn to reaping and says what ended it; None if we did.

        Raises:
            SpawnFailedError: the sandbox could not be set up: the machine's fault.
        """
        services = self.services
        uid = services.sandbox.bot_uid(uid_slot)
        await services.starts.acquire()
        with ExitStack() as starting, open_seat_folder(services.folder, uid) as seat:
            starting.callback(services.starts.release)
            link = TableLink(str(seat.socket_path), self._wake)
            try:
                seat.claim()
                self.talk = talk = self._converse(link, token := secrets.token_hex(16))
                async with open_process(
                    services.sandbox,
                    services.spawner,
                    self.staged,
                    seat,
                    token=token,
                    limits=services.limits_of(self.staged),
                    slot=uid_slot,
                ) as process:
                    self.process = process
                    talk.run_queue_waits_us = process.run_queue_waits_us
                    talk.process_evidence = lambda: evidence(process)
                    return await self._serve(process, talk, seat, link, starting)
            finally:
                with trio.CancelScope(shield=True):
                    await link.close()

    def _converse(self, link: TableLink, token: str) -> Conversation:
        services = self.services
        terms = Terms(
            token, self._capacity, services.limits, warm_up_asks(), is_timed=services.is_timed
        )
        return Conversation(
            link,
            terms,
            services.lag,
            self._answered,
            entrant=self.staged.bot.name,
            burner=self._burner,
        )

    def _burner(self, since_ns: int, waited_us: int) -> Burner | None:
        cores = self.services.process_limits.cpu_cores
        return self.services.census.burner(since_ns=since_ns, waited_us=waited_us, cores=cores)

    def _wake(self) -> None:
        if self.talk is not None:
            self.talk.wake()

    async def _serve(
        self,
        process: BotProcess,
        talk: Conversation,
        seat: SeatFolder,
        link: TableLink,
        starting: ExitStack,
    ) -> Fault | None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_finish_on_exit, process, talk)
            fault = await self._start(process, talk, seat)
            starting.close()
            if fault is None:
                process.check_uid()
                seat.unlink_socket()
                is_allowed = self.services.process_limits.may_ponder
                self.pondering = Pondering(process, is_allowed=is_allowed)
                if not talk.outstanding:  # a table may have been quicker than this task
                    self.pondering.rest()
                self._ready()
                nursery.start_soon(talk.watch)
                await talk.over.wait()
                if self.ended_because is not None and self._farewell_s:
                    await self._bid_farewell(process, link)
                fault = await self._why(process, talk)
            nursery.cancel_scope.cancel()
        return fault

    async def _start(
        self, process: BotProcess, talk: Conversation, seat: SeatFolder
    ) -> Fault | None:
        limit_s = self.services.limits.start_s if self.services.is_timed else math.inf
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_close_door, seat)
            nursery.start_soon(_cancel_when, talk.over, nursery.cancel_scope)
            with trio.move_on_after(limit_s) as in_time:
                await talk.ready.wait()
            nursery.cancel_scope.cancel()
        if talk.ready.is_set():
            return None
        if in_time.cancelled_caught:
            return await self._slow_start(process, talk, limit_s)
        fault = await self._why(process, talk)
        if fault is not None and fault.kind is FaultKind.CRASH:
            return replace(fault, kind=FaultKind.NO_HANDSHAKE)
        return fault

    async def _slow_start(self, process: BotProcess, talk: Conversation, limit_s: float) -> Fault:
        is_hello_due = talk.stage is Stage.HELLO
        what = "no Hello" if is_hello_due else "the warm-up requests were not answered"
        waited_s = max(process.run_queue_waits_us().values(), default=0) / 1e6
        starved = waited_s > limit_s * _STARVED_SHARE
        fault = Fault(
            FaultKind.NO_HANDSHAKE,
            Blame.HARNESS if starved else Blame.BOT,
            Phase(talk.stage.value),
            f"{what} within the start limit of {limit_s:g} s",
            {"limit_ms": limit_s * 1e3, "run_queue_wait_ms": waited_s * 1e3},
        )
        return await _stop(process, "it did not start in time", fault)

    async def _bid_farewell(self, process: BotProcess, link: TableLink) -> None:
        """Ends the stream, as at the end of a run, and waits for the process to see it."""
        if process.can_freeze:
            process.thaw()
        with trio.move_on_after(self._farewell_s):
            link.end()
            await process.exited.wait()

    async def _why(self, process: BotProcess, talk: Conversation) -> Fault | None:
        """Whose doing the end was; the bot's unless a record of ours says otherwise."""
        if self.ended_because is not None:
            process.kill(self.ended_because)
            return None
        phase = Phase.DECISION if talk.outstanding else Phase.IDLE
        if not talk.ready.is_set():
            phase = Phase.WARM_UP if talk.has_greeted else Phase.HANDSHAKE
        if process.limit_hit in _ENDING_LIMITS:
            return await _stop(process, f"{process.limit_hit} limit", _at_limit(process, phase))
        if talk.fault is not None:
            return await _stop(process, "it broke the protocol", talk.fault)
        if talk.silent:
            process.kill("a decision was left unanswered for ten limits")
        with trio.move_on_after(_EXIT_GRACE_S):
            await process.exited.wait()
        if process.exit is None:
            message = (
                "the bot's stream ended while its process was running "
                "(it was closed, held a message over 2 MiB, or bytes that are no HTTP/2)"
            )
            fault = Fault(FaultKind.BAD_MESSAGE, Blame.BOT, phase, message)
            return await _stop(process, "its stream ended while it was running", fault)
        if process.limit_hit is not None:
            return _with_evidence(_at_limit(process, phase), process)
        blame = Blame.HARNESS if process.ended_by_machine else Blame.BOT
        message = f"the process {process.exit.text}"
        return _with_evidence(Fault(FaultKind.CRASH, blame, phase, message), process)


def _at_limit(process: BotProcess, phase: Phase) -> Fault:
    message = f"the process reached its limit: {process.limit_hit}"
    return Fault(FaultKind.RESOURCE_LIMIT, Blame.BOT, phase, message)


async def _finish_on_exit(process: BotProcess, talk: Conversation) -> None:
    await process.exited.wait()
    talk.wake()
    talk.finish()


async def _close_door(seat: SeatFolder) -> None:
    """Takes the socket away once a connection has been made: there is no second one.

    gRPC keeps what a connection sent before it was refused until the server ends, so a bot that may
    dial again and again fills the harness's memory. The kernel has no event for this.
    """
    while not _is_dialled(seat):  # noqa: ASYNC110  # nothing tells, so it has to be looked at
        await trio.sleep(_DOOR_LOOK_S)
    seat.unlink_socket()


def _is_dialled(seat: SeatFolder) -> bool:
    """Whether the kernel lists a connection to the seat's socket."""
    lines = _UNIX_SOCKETS.read_text().splitlines()
    suffix = f" {seat.socket_path}"
    return any(line.endswith(suffix) and line.split()[5] == _CONNECTED for line in lines)


async def _cancel_when(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


async def _stop(process: BotProcess, reason: str, fault: Fault) -> Fault:
    """Stops the process and adds what is known of it then."""
    process.kill(reason)
    with trio.move_on_after(_REAPING_S):
        await process.exited.wait()
    return _with_evidence(fault, process)


def _with_evidence(fault: Fault, process: BotProcess) -> Fault:
    return replace(fault, evidence={**fault.evidence, **evidence(process)})


def evidence(process: BotProcess) -> dict[str, object]:
    """What an author needs to know of a process: argv, how it ended, what it printed last."""
    return {
        "argv": list(process.argv),
        "exit": process.exit.text if process.exit else "still running",
        "stopped_because": process.killed,
        **process.evidence(),
        "stderr": process.stderr.tail(20),
        "stdout": process.stdout.tail(5),
    }
