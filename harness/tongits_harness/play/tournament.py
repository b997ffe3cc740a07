"""A tournament run: seats sessions until all are stored, within one nursery."""

import shlex
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from itertools import tee

import structlog
import trio
from tongits_engine import SEATS, Rules

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.config import MachineSection
from tongits_harness.errors import BotError
from tongits_harness.faults import Fault
from tongits_harness.play.formats import Format, Schedule
from tongits_harness.play.hall import HallSetup, Reports
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.order import SessionQueue, session_order
from tongits_harness.play.pacing import MOST_SLOTS, fitting_tables
from tongits_harness.play.plan import MatchPlan, SessionPlan
from tongits_harness.play.players import Players, Where
from tongits_harness.play.programme import Programme
from tongits_harness.play.progress import Progress
from tongits_harness.results.left_off import LeftOff
from tongits_harness.results.match_result import (
    MatchResult,
    SeatOutcome,
    seat_outcomes,
    settle_match,
)
from tongits_harness.results.records import SessionRecord
from tongits_harness.results.suspension import LiveMatches
from tongits_harness.results.writer import SessionWriter

log = structlog.get_logger()

_WINDOW = 2
"""Matches played seating by seating, for each table: where one seating is followed by the next
twice as many lanes are busy, with messages half as large."""
STOP_GRACE_S = 10.0
"""How long sessions that are being played may go on after the run was asked to stop."""


@dataclass(frozen=True, slots=True)
class TournamentSetup:
    """What is to be played, and with what. Only the seed is missing: see `Ledger`."""

    name: str
    rules: Rules
    bots: Mapping[str, Bot]
    rounds: int
    matches: int
    games: int
    seatings: int
    limits: PlayLimits
    process_limits: Limits
    machine: MachineSection
    compute_slots: int
    format: Format

    def schedule(self) -> Schedule:
        """What decides which matches are played."""
        return Schedule(self.name, tuple(sorted(self.bots)), self.format, self.matches)

    def hall(self, workers: int = 1) -> HallSetup:
        """What a hall needs of it, or what so many workers share."""
        return HallSetup(
            bots=self.bots,
            rules=self.rules,
            games=self.games,
            limits=self.limits,
            process_limits=self.process_limits,
            tables=self.tables(workers),
            processes=self.machine.processes,
            compute_slots=self.compute_slots,
            most_slots=self.machine.compute_slots or MOST_SLOTS,
        )

    def tables(self, workers: int = 1) -> int:
        """Sessions played at once: as the organiser wants, or as fits."""
        return self.machine.tables or fitting_tables(len(self.bots), self.matches, workers)


@dataclass(frozen=True, slots=True)
class Ledger:
    """An open tournament: what it draws its chance from and where its sessions go."""

    seed: bytes
    """Tournament seed, 32 bytes."""
    writer: SessionWriter
    left: LeftOff
    """What an earlier run has left: nothing of it is played again."""
    programme: Programme
    """What comes next."""


@dataclass(slots=True, eq=False)
class TournamentRun:
    """One run. `play` plays; everything else is its parts."""

    setup: TournamentSetup
    sandbox: Sandbox
    open_ledger: Callable[[], AbstractAsyncContextManager[Ledger]]
    """Entered once every bot has come up: a tournament that cannot start leaves nothing behind."""
    progress: Progress
    stop: trio.Event
    where: Where = field(default_factory=Where)
    _ledger: Ledger = field(init=False)
    _players: Players = field(init=False)
    _finished: deque[SessionRecord] = field(default_factory=deque)
    _changed: trio.Event = field(default_factory=trio.Event)
    _live: LiveMatches = field(init=False)
    _outcomes: dict[int, list[SeatOutcome]] = field(default_factory=lambda: defaultdict(list))

    async def play(self) -> None:
        """Plays every session that is not stored yet, or stops early when `stop` is set.

        Raises:
            BotError: an entrant did not come up before the first match.
            CannotContinueError: results cannot be stored.
            ConfigError: pondering is off and this machine cannot freeze a bot.
        """
        places = self.where.open(self.setup.hall(self.where.workers), self.sandbox, self._notice)
        async with places as self._players:
            refuse_failed(await self._players.preflight())
            async with self.open_ledger() as self._ledger:
                self._recall(self._ledger.left)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._close_after_stop)
                    self.progress.is_complete = await self._play_all()
                    nursery.cancel_scope.cancel()
                await self._ledger.writer.flush()

    def _recall(self, left: LeftOff) -> None:
        """Takes up what an earlier run has left."""
        self._live = LiveMatches(settled=left.standing.suspension())
        self.progress.take_up(left)
        for index, outcomes in left.partial.items():
            self._outcomes[index].extend(outcomes)

    async def _play_all(self) -> bool:
        """Plays part after part; whether nothing is left."""
        beyond = self._ledger.left.matches
        while (part := await self._ledger.programme.next_part(self._ledger.writer)) is not None:
            followed, played = tee(part)
            self._live.follow(followed)
            for match in beyond:
                self._settle(match)
            beyond = ()
            if not await self._play_part(played):
                return False
        self.progress.ended = self._ledger.programme.ended
        return True

    async def _play_part(self, plans: Iterator[MatchPlan]) -> bool:
        """Plays what is not stored of these matches; whether nothing of it is left."""
        window = _WINDOW * self.setup.tables(self.where.workers)
        order = session_order(plans, self.setup.seatings, window)
        stored = self._ledger.left.sessions
        queue = SessionQueue((plan for plan in order if _key(plan) not in stored), self._is_barred)
        self._players.begin(
            self._ledger.seed, queue, Reports(self._finished.append, self._void, self._notice)
        )
        await self._play_until(lambda: self.stop.is_set() or queue.is_empty)
        return queue.is_empty

    async def _play_until(self, is_over: Callable[[], bool]) -> None:
        """Seats sessions and stores what comes back."""
        while True:
            self._changed = trio.Event()
            if not self.stop.is_set():
                self._players.fill()
            self.progress.players = self._players.note
            await self._store_finished()
            if self._players.is_idle and not self._finished and is_over():
                return
            if not self._finished:
                await self._changed.wait()

    def _void(self) -> None:
        self.progress.voids += 1

    def _is_barred(self, plan: SessionPlan) -> bool:
        return self._live.is_barred(plan.match)

    def _notice(self) -> None:
        self._changed.set()

    async def _store_finished(self) -> None:
        while self._finished:
            record = self._finished.popleft()
            await self._ledger.writer.put(record)
            self.progress.add_session(record)
            self._log_faults(record)
            match = record.plan.match
            seats = self._outcomes[match.index]
            seats.extend(seat_outcomes(record))
            if len(seats) == SEATS * self.setup.seatings:
                self._settle(settle_match(match, self._outcomes.pop(match.index)))

    def _settle(self, match: MatchResult) -> None:
        self.progress.matches_done += 1
        for counted in self._live.add(match):
            self.progress.add_rated(counted)
        if (index := self._live.settled_until) is not None:
            self._ledger.writer.settled(index)
        suspended = tuple(self._live.suspended)
        if suspended != self.progress.suspended:
            self.progress.suspended = suspended
            self._players.bar(self._live.suspended)
            self._notice()  # there is room for others

    def _log_faults(self, record: SessionRecord) -> None:
        for fault in record.faults:
            log.warning(
                "fault",
                match=record.plan.match.key,
                seating=record.plan.seating,
                entrant=fault.entrant,
                kind=str(fault.fault.kind),
                message=fault.fault.message,
                forfeit=fault.forfeit,
            )

    async def _close_after_stop(self) -> None:
        """Lets sessions that are going on finish within the grace, then drops them."""
        await self.stop.wait()
        self._players.hold()
        self._ledger.writer.stop_waiting()
        self._notice()
        await trio.sleep(STOP_GRACE_S)
        self._players.drop()
        self._notice()


def _key(plan: SessionPlan) -> tuple[int, int]:
    return plan.match.index, plan.seating


def refuse_failed(failed: Mapping[str, Fault]) -> None:
    """Raises what an author needs to know of bots that did not come up."""
    if not failed:
        return
    names = ", ".join(failed)
    details = [line for name, fault in failed.items() for line in fault_lines(name, fault)]
    cure = "mend it (or leave it out) and run again; nothing was played"
    raise BotError(f"{names} did not come up: {cure}", details=details)


def fault_lines(entrant: str, fault: Fault) -> list[str]:
    """A fault for its author: what and in which phase, argv, exit status, last lines of stderr."""
    evidence = fault.evidence
    argv = evidence.get("argv")
    words = shlex.join(argv) if isinstance(argv, list) else argv
    stderr = str(evidence.get("stderr") or "").strip()
    return [
        f"{entrant}: {fault.kind} in phase {fault.phase}: {fault.message}",
        f"  argv: {words}; exit: {evidence.get('exit')}",
        *(f"  stderr: {line}" for line in stderr.splitlines()[-20:] or ["(nothing was written)"]),
    ]
