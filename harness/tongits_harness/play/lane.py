"""A lane: the life of one entrant's processes at one seating number.

Lane k of an entrant only ever plays seating k, so none of its processes is dealt a shuffle twice
(design section 4). A lane starts its process when something is asked of it, replaces it when it is
lost, and charges a loss to the one decision that was being answered.
"""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import structlog
import trio

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.process import BotProcess, open_process
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.bots.seat import open_seat_folder
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import RunFolder, StagedBot
from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.slots import ComputeSlots
from tongits_harness.play.warm_up import warm_up_asks
from tongits_harness.protocol.conversation import Conversation, Pending, Stage
from tongits_harness.protocol.decisions import Failed, SeatGame
from tongits_harness.protocol.handshake import Terms
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.protocol.link import TableLink

log = structlog.get_logger()

_EXIT_GRACE_S = 0.5
"""How long a process may take to end after its stream has, before it is stopped."""
_QUIET_LOSSES = 3
"""Losses in a row without one answer after which the next decision in line is charged."""


class Sitter(Protocol):
    """A table, as a lane sees it."""

    def incarnated(self, lane: "Lane", incarnation: str) -> None:
        """A process of the lane has been told of a game of this table."""


@dataclass(slots=True)
class HouseServices:
    """What all lanes of a run share; made once in `tournament`."""

    sandbox: Sandbox
    spawner: Spawner
    folder: RunFolder
    process_limits: Limits
    limits: PlayLimits
    slots: ComputeSlots
    lag: LagMeter
    changed: Callable[[], None]
    """Called when a lane's process has ended: there is room for another."""
    uid_slots: list[int] = field(default_factory=lambda: list(range(4000, -1, -1)))


@dataclass(frozen=True, slots=True)
class StartReport:
    """How the latest start went; `fault` is None if the process is ready."""

    fault: Fault | None
    concurrent_games: int


class Lane:
    """One entrant at one seating. Tables `submit` decisions; `run` is the lane's task."""

    def __init__(
        self, services: HouseServices, staged: StagedBot, seating: int, capacity: int
    ) -> None:
        self.services = services
        self.staged = staged
        self.seating = seating
        self.capacity = capacity
        self.sitters: set[Sitter] = set()
        self.last_used = 0.0
        self.processes_started = 0
        self._queue: deque[tuple[Pending, Sitter]] = deque()
        self._asked: dict[Pending, Sitter] = {}
        self._games_seen: set[bytes] = set()
        self._wanted = trio.Event()
        self._started = trio.Event()
        self._report: StartReport | None = None
        self._talk: Conversation | None = None
        self._process: BotProcess | None = None
        self._holding = False
        self._requested = False
        self._restart: str | None = None
        self._losses = 0

    @property
    def entrant(self) -> str:
        """The entrant's name."""
        return self.staged.bot.name

    @property
    def is_open(self) -> bool:
        """A process is alive or being started."""
        return self._talk is not None or self._wanted.is_set()

    # --- used by tables --------------------------------------------------------------------------

    def submit(self, pending: Pending, sitter: Sitter) -> None:
        """Takes a decision; it is sent with the next batch."""
        self._queue.append((pending, sitter))
        self._wanted.set()
        self._want_slot()

    def leave(self, sitter: Sitter) -> None:
        """The table is done or void: nothing of it is asked any more."""
        self.sitters.discard(sitter)
        self._queue = deque(item for item in self._queue if item[1] is not sitter)

    def tell_over(self, game_id: bytes, over: bytes) -> None:
        """Passes on that a game has ended."""
        self._games_seen.discard(game_id)
        if self._talk is not None:
            self._talk.tell_over(game_id, over)

    def restart(self, reason: str) -> None:
        """Ends the process; if anything is owed it is asked again of a new one."""
        if self._talk is not None:
            self._restart = reason
            self._talk.finish()

    async def start(self) -> StartReport:
        """Starts a process if there is none and tells how that went."""
        self._wanted.set()
        await self._started.wait()
        if self._report is None:
            raise RuntimeError("a start was reported without its report")
        return self._report

    # --- sending ---------------------------------------------------------------------------------

    def _want_slot(self) -> None:
        ready = self._talk is not None and self._talk.stage is Stage.READY
        if ready and self._queue and not self._holding and not self._requested:
            self._requested = True
            self.services.slots.request(self)

    def granted(self) -> None:
        """Sends everything that waits, in one message (`slots.Waiting`)."""
        self._requested, self._holding = False, True
        talk, process = self._talk, self._process
        if talk is None or process is None or talk.stage is not Stage.READY or not self._queue:
            self._release()
            return
        batch = list(self._queue)
        self._queue.clear()
        for pending, sitter in batch:
            self._asked[pending] = sitter
            sitter.incarnated(self, process.incarnation)
        talk.ask([pending for pending, _ in batch], self._known)

    def _known(self, game: SeatGame) -> bool:
        if game.game_id in self._games_seen:
            return True
        self._games_seen.add(game.game_id)
        return False

    def _answered(self) -> None:
        self._asked.clear()
        self._losses = 0
        self._release()

    def _release(self) -> None:
        if self._holding:
            self._holding = False
            self.services.slots.release()
        self._want_slot()

    # --- the life of processes -------------------------------------------------------------------

    async def run(self) -> None:
        """Task: keeps a process while one is wanted, until cancelled."""
        while True:
            await self._wanted.wait()
            uid_slot = self.services.uid_slots.pop()
            try:
                await self._live(uid_slot)
            finally:
                self.services.uid_slots.append(uid_slot)

    async def _live(self, uid_slot: int) -> None:
        """One process from spawn to reaping, and what its end means."""
        services = self.services
        uid = services.sandbox.bot_uid(uid_slot)
        with open_seat_folder(services.folder, uid) as seat:
            link = TableLink(str(seat.socket_path), self._wake)
            try:
                seat.claim()
                token = secrets.token_hex(16)
                self._talk = talk = self._converse(link, token)
                self.processes_started += 1
                async with open_process(
                    services.sandbox,
                    services.spawner,
                    self.staged,
                    seat,
                    token=token,
                    limits=services.process_limits,
                    slot=uid_slot,
                ) as process:
                    self._process = process
                    talk.run_queue_wait_us = process.run_queue_wait_us
                    fault = await self._serve(process, talk, seat.unlink_socket)
            finally:
                self._talk = self._process = None
                with trio.CancelScope(shield=True):
                    await link.close()
        self._part(talk, fault)
        services.changed()

    def _converse(self, link: TableLink, token: str) -> Conversation:
        terms = Terms(token, self.capacity, self.services.limits, warm_up_asks())
        return Conversation(link, terms, self.services.lag, self._answered)

    def _wake(self) -> None:
        if self._talk is not None:
            self._talk.wake()

    async def _serve(
        self, process: BotProcess, talk: Conversation, accepted: Callable[[], None]
    ) -> Fault | None:
        """Runs the conversation to its end and says what ended it (None: we did)."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_finish_on_exit, process, talk)
            fault = await self._start(process, talk)
            if fault is None:
                process.check_uid()
                accepted()
                self._report_start(None, talk)
                nursery.start_soon(talk.watch)
                self._want_slot()
                await talk.over.wait()
                fault = await self._why(process, talk)
            nursery.cancel_scope.cancel()
        return fault

    async def _start(self, process: BotProcess, talk: Conversation) -> Fault | None:
        limit_s = self.services.limits.start_s
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_cancel_when, talk.over, nursery.cancel_scope)
            with trio.move_on_after(limit_s) as in_time:
                await talk.ready.wait()
            nursery.cancel_scope.cancel()
        if talk.ready.is_set():
            return None
        if in_time.cancelled_caught:
            what = (
                "no Hello"
                if talk.stage is Stage.HELLO
                else "the warm-up requests were not answered"
            )
            message = f"{what} within the start limit of {limit_s:g} s"
            return _with_evidence(
                Fault(FaultKind.NO_HANDSHAKE, Blame.BOT, Phase(talk.stage.value), message), process
            )
        fault = await self._why(process, talk)
        if fault is not None and fault.kind is FaultKind.CRASH:
            return Fault(
                FaultKind.NO_HANDSHAKE, fault.blame, fault.phase, fault.message, fault.evidence
            )
        return fault

    async def _why(self, process: BotProcess, talk: Conversation) -> Fault | None:
        """Whose doing the end was; the bot's unless a record of ours says otherwise."""
        if self._restart is not None:
            process.kill(self._restart)
            return None
        phase = Phase.DECISION if talk.outstanding else Phase.IDLE
        if talk.ready.is_set() is False:
            phase = Phase.HANDSHAKE
        if talk.silent:
            process.kill("a decision was left unanswered for ten limits")
        elif talk.fault is not None:
            process.kill("it broke the protocol")
            return _with_evidence(talk.fault, process)
        with trio.move_on_after(_EXIT_GRACE_S):
            await process.exited.wait()
        if process.exit is None:
            process.kill("its stream ended while it was running")
            message = (
                "the bot's stream ended while its process was running "
                "(it was closed, held a message over 2 MiB, or bytes that are no HTTP/2)"
            )
            return _with_evidence(Fault(FaultKind.BAD_MESSAGE, Blame.BOT, phase, message), process)
        message = f"the process {process.exit.text}"
        return _with_evidence(Fault(FaultKind.CRASH, Blame.BOT, phase, message), process)

    def _report_start(self, fault: Fault | None, talk: Conversation) -> None:
        self._report = StartReport(fault, talk.terms.games(talk.hello))
        self._started.set()

    def _part(self, talk: Conversation, fault: Fault | None) -> None:
        """After the process is gone: charge the head, ask the rest again."""
        restarted, self._restart = self._restart, None
        asked, self._asked = self._asked, {}
        lost = [(pending, asked[pending]) for pending in talk.outstanding if pending in asked]
        lost = [(pending, sitter) for pending, sitter in lost if sitter in self.sitters]
        if not talk.ready.is_set():
            self._report_start(fault, talk)
        self._started = trio.Event() if talk.ready.is_set() else self._started
        self._wanted = trio.Event()
        if self._holding:
            self._release()
        self._queue.extendleft(reversed(lost))
        log.info(
            "process_ended",
            entrant=self.entrant,
            seating=self.seating,
            reason=restarted or (fault.message if fault else ""),
        )
        if fault is not None and restarted is None:
            self._charge(fault, in_flight=bool(lost) or not talk.ready.is_set())
        if self._queue:
            self._wanted.set()

    def _charge(self, fault: Fault, *, in_flight: bool) -> None:
        """Gives the loss to the decision at the head, or remembers one while nothing was owed."""
        self._losses += 1
        if self._queue and (in_flight or self._losses >= _QUIET_LOSSES):
            self._losses = 0
            pending, _ = self._queue.popleft()
            pending.deliver(Failed(fault, 0, process_lost=True, request=pending.request))


async def _finish_on_exit(process: BotProcess, talk: Conversation) -> None:
    await process.exited.wait()
    talk.wake()
    talk.finish()


async def _cancel_when(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


def _with_evidence(fault: Fault, process: BotProcess) -> Fault:
    evidence = {
        **fault.evidence,
        "argv": list(process.argv),
        "exit": process.exit.text if process.exit else "still running",
        "stopped_because": process.killed,
        "stderr": process.stderr.tail(20),
        "stdout": process.stdout.tail(5),
    }
    return Fault(fault.kind, fault.blame, fault.phase, fault.message, evidence)
