"""A lane: the processes of one entrant at one seating number, one after the other.

Lane k of an entrant only ever plays seating k, so none of its processes is dealt a shuffle twice
(design section 4). A lane starts a process when something is asked of it, replaces it when it is
lost, and charges a loss to the one decision that was being answered.
"""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import structlog
import trio

from tongits_harness.bots.spawner import SpawnFailedError
from tongits_harness.bots.staging import StagedBot
from tongits_harness.bots.uids import UidSlots
from tongits_harness.faults import Blame, Fault
from tongits_harness.play.incarnation import Incarnation, ProcessServices, evidence
from tongits_harness.play.slots import ComputeSlots
from tongits_harness.protocol.conversation import Pending
from tongits_harness.protocol.decisions import Failed, SeatGame
from tongits_harness.protocol.load import CpuUse

log = structlog.get_logger()

_QUIET_LOSSES = 3
"""Losses in a row without one answer after which the next decision in line is charged."""
_UID_SLOTS = 4001
_TRIES = 3
"""Starts that the machine, not the bot, made fail before that is no excuse any more."""


class Sitter(Protocol):
    """A table, as a lane sees it."""

    def incarnated(self, lane: "Lane", incarnation: str) -> None:
        """A process of the lane has been told of a game of this table."""


@dataclass(slots=True)
class HouseServices:
    """What all lanes of a run share; made once in `tournament`."""

    processes: ProcessServices
    slots: ComputeSlots
    changed: Callable[[], None]
    """Called when a lane's process has ended: there is room for another."""
    parted: Callable[[Incarnation], None] = lambda _incarnation: None
    """Told of every process that has ended, reaped as it is."""
    uid_slots: UidSlots = field(default_factory=UidSlots)
    """Process slots; each has a uid of its own where the harness is root."""


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
        self._games_seen: dict[bytes, Sitter] = {}
        self._seen_by_now: set[Sitter] = set()
        self._wanted = trio.Event()
        self._started = trio.Event()
        self._report: StartReport | None = None
        self._now: Incarnation | None = None
        self._holding = False
        self._requested = False
        self._will_flush = False
        self._losses = 0
        self._failed_tries = 0
        self._sentence: Fault | None = None
        self._token = trio.lowlevel.current_trio_token()

    @property
    def entrant(self) -> str:
        """The entrant's name."""
        return self.staged.bot.name

    @property
    def now(self) -> Incarnation | None:
        """The process that is alive or being started."""
        return self._now

    @property
    def is_open(self) -> bool:
        """A process is alive or being started."""
        return self._now is not None or self._wanted.is_set()

    # --- used by tables --------------------------------------------------------------------------

    def submit(self, pending: Pending, sitter: Sitter) -> None:
        """Takes a decision; it is sent with the next batch."""
        if self._sentence is not None:
            fault, self._sentence = self._sentence, None
            pending.deliver(Failed(fault, 0, process_lost=True))
            return
        self._queue.append((pending, sitter))
        self._wanted.set()
        self._want_slot()

    def leave(self, sitter: Sitter) -> None:
        """The table is done or void: nothing of it is asked any more."""
        self.sitters.discard(sitter)
        self._seen_by_now.discard(sitter)
        if sitter in self._games_seen.values():  # else all its games have ended
            for game_id in [game for game, whose in self._games_seen.items() if whose is sitter]:
                self._forget(game_id)
        if any(whose is sitter for _, whose in self._queue):
            self._queue = deque(item for item in self._queue if item[1] is not sitter)

    def tell_over(self, game_id: bytes, over: bytes) -> None:
        """Passes on that a game has ended."""
        self._games_seen.pop(game_id, None)
        if self._now is not None and self._now.talk is not None:
            self._now.talk.tell_over(game_id, over)
            if not self._will_flush:
                self._will_flush = True
                self._token.run_sync_soon(self._flush)

    def _flush(self) -> None:
        """At the end of a turn: ends of games wait for the next message, but not for long."""
        now, self._will_flush = self._now, False
        if now is not None and now.talk is not None and not self._queue and not self._holding:
            now.talk.flush()

    def _forget(self, game_id: bytes) -> None:
        """A game of which nobody will hear any more."""
        del self._games_seen[game_id]
        if self._now is not None and self._now.talk is not None:
            self._now.talk.forget(game_id)

    def restart(self, reason: str, *, farewell_s: float = 0.0) -> None:
        """Ends the process; if anything is owed it is asked again of a new one.

        With a farewell it is given so long to end by itself once its stream has.
        """
        if self._now is not None:
            self._now.end(reason, farewell_s=farewell_s)

    def cpu_use(self, *, anew: bool = False) -> CpuUse | None:
        """What the process has used; None if there is none that is ready (`load.Computing`)."""
        pondering = self._now.pondering if self._now else None
        return pondering.so_far(anew=anew) if pondering else None

    def run_queue_wait_us(self) -> int:
        """How long a thread of the process has waited for a core since it began; 0 without one."""
        process = self._now.process if self._now else None
        return max(process.run_queue_waits_us().values(), default=0) if process else 0

    def condemn(self, fault: Fault) -> None:
        """Ends the process for what it did while nothing was asked of it, and charges that.

        The fault takes the place of the answer to the next decision.
        """
        if self._now is not None and self._now.process is not None:
            known = evidence(self._now.process)
            fault = replace(fault, evidence={**known, **fault.evidence})
        self._sentence = fault
        self.restart(fault.message)

    async def start(self) -> StartReport:
        """Starts a process if there is none and tells how that went."""
        self._wanted.set()
        await self._started.wait()
        if self._report is None:
            raise RuntimeError("a start was reported without its report")
        return self._report

    # --- sending ---------------------------------------------------------------------------------

    def _want_slot(self) -> None:
        ready = self._now is not None and self._now.is_ready
        if ready and self._queue and not self._holding and not self._requested:
            self._requested = True
            self.services.slots.request(self)

    def granted(self) -> None:
        """Sends everything that waits, in one message (`slots.Waiting`)."""
        self._requested, self._holding = False, True
        now = self._now
        if now is None or not now.is_ready or not now.talk or not now.process or not self._queue:
            self._release()
            return
        self.services.processes.census.look()
        batch = list(self._queue)
        self._queue.clear()
        for pending, sitter in batch:
            self._asked[pending] = sitter
            if sitter not in self._seen_by_now:
                self._seen_by_now.add(sitter)
                sitter.incarnated(self, now.process.incarnation)
        if now.pondering is not None:
            now.pondering.think()
        whose = {pending.ask.game.game_id: sitter for pending, sitter in batch}
        now.talk.ask(
            [pending for pending, _ in batch],
            lambda game: self._known(game, whose[game.game_id]),
        )

    def _known(self, game: SeatGame, whose: Sitter) -> bool:
        is_known = game.game_id in self._games_seen
        self._games_seen[game.game_id] = whose
        return is_known

    def _answered(self) -> None:
        self._asked.clear()
        self._losses = 0
        if self._now is not None and self._now.pondering is not None:
            self._now.pondering.rest()
        self._release()
        self._flush()

    def _release(self) -> None:
        if self._holding:
            self._holding = False
            self.services.slots.release()
        self._want_slot()

    # --- one process after the other -------------------------------------------------------------

    async def run(self) -> None:
        """Task: keeps a process while one is wanted, until cancelled.

        Raises:
            SpawnFailedError: the sandbox broke down twice running.
        """
        while True:
            await self._wanted.wait()
            uid_slot = self.services.uid_slots.take()
            try:
                await self._live_once(uid_slot)
            except* SpawnFailedError as group:
                self._failed_tries += 1
                if self._failed_tries > 1:
                    raise
                log.warning("spawn_failed", entrant=self.entrant, reason=str(group.exceptions[0]))
            finally:
                self.services.uid_slots.give_back(uid_slot)

    async def _live_once(self, uid_slot: int) -> None:
        self.processes_started += 1
        now = Incarnation(
            self.services.processes,
            self.staged,
            capacity=self.capacity,
            answered=self._answered,
            ready=self._ready,
        )
        self._now = now
        self._seen_by_now.clear()
        self.services.processes.census.computing.add(self)
        try:
            fault = await now.live(uid_slot)
        finally:
            self._now = None
            self.services.processes.census.computing.discard(self)
            if self._holding:
                self._release()
        self._part(now, fault)
        self.services.parted(now)
        self.services.changed()

    def _ready(self) -> None:
        self._failed_tries = 0
        self._tell_start(None)
        self._want_slot()

    def _tell_start(self, fault: Fault | None) -> None:
        talk = self._now.talk if self._now else None
        games = talk.terms.games(talk.hello) if talk else 1
        self._report = StartReport(fault, games)
        self._started.set()

    def _part(self, now: Incarnation, fault: Fault | None) -> None:
        """After the process is gone: charge the head, ask the rest again."""
        asked, self._asked = self._asked, {}
        lost = [(pending, asked[pending]) for pending in _outstanding(now) if pending in asked]
        self._queue.extendleft(reversed([item for item in lost if item[1] in self.sitters]))
        reason = now.ended_because or (fault.message if fault else "")
        log.info(
            "process_ended",
            entrant=self.entrant,
            seating=self.seating,
            reason=reason,
            asked=now.talk.asked if now.talk else 0,
            thought_ms=now.pondering.thought_us // 1000 if now.pondering else None,
            pondered_ms=now.pondering.pondered_us // 1000 if now.pondering else None,
        )
        has_started = now.talk is not None and now.talk.ready.is_set()
        if fault is not None and self._try_again(fault):
            return
        if has_started:
            self._started = trio.Event()
        else:
            self._tell_start(fault)
        self._wanted = trio.Event()
        if fault is not None:
            head_waits = bool(lost) and lost[0][1] in self.sitters
            self._charge(fault, in_flight=head_waits or not has_started)
        if self._queue:
            self._wanted.set()

    def _try_again(self, fault: Fault) -> bool:
        """Whether a start failed by the machine's doing and is to be tried once more."""
        if fault.blame is Blame.BOT:
            return False
        self._failed_tries += 1
        return self._failed_tries < _TRIES

    def _charge(self, fault: Fault, *, in_flight: bool) -> None:
        """Gives the loss to the decision at the head, or remembers one while nothing was owed."""
        self._losses += 1
        if self._queue and (in_flight or self._losses >= _QUIET_LOSSES):
            self._losses = 0
            pending, _ = self._queue.popleft()
            fault = replace(fault, blame=Blame.BOT)  # the machine has had its tries
            pending.deliver(Failed(fault, 0, process_lost=True, request=pending.request))


def _outstanding(now: Incarnation) -> list[Pending]:
    return now.talk.outstanding if now.talk else []


def _uid_slots() -> deque[int]:
    """All slots from a random one on, so that two runs on one machine hardly ever share a uid."""
    slots = deque(range(_UID_SLOTS))
    slots.rotate(secrets.randbelow(_UID_SLOTS))
    return slots
