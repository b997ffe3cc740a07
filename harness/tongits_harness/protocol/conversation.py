"""All that is said with one bot process: handshake, warm-up, requests, answers, end.

Synchronous and without I/O of its own: it is woken with what a link received and sends bytes
through it. `play.lane` gives it a process and a life, `deadlines` judges who is late.
"""

import enum
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import trio
from tongits.v1 import table_pb2 as pb

from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.protocol import codec, wire
from tongits_harness.protocol.deadlines import Deadlines, Excused, Silent, TimedOut
from tongits_harness.protocol.decisions import Ask, Failed, Reply, SeatGame
from tongits_harness.protocol.handshake import Terms
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.protocol.link import (
    MESSAGE_LIMIT_BYTES,
    UNSOLICITED_LIMIT,
    Broken,
    Incoming,
    Received,
)
from tongits_harness.protocol.load import Burner

_UNTIMED_US = 1_000_000 * 60 * 60 * 24 * 365
"""Longer than anybody thinks: where no clock runs."""


class Link(Protocol):
    """What a conversation needs of `link.TableLink`."""

    def send(self, message: bytes, asked: int) -> None:
        """Queues a message."""

    def take(self) -> Iterable[Incoming]:
        """What came in."""


@dataclass(slots=True, eq=False)
class Pending:
    """A decision on its way: what is asked and who waits for it."""

    ask: Ask
    deliver: Callable[[Reply], None]
    void: Callable[["Pending", str], None]
    """Called with this instead of `deliver` when the machine was too slow to judge fairly."""
    request: bytes = b""
    """The serialised DecisionRequest as last sent."""
    burner: Burner | None = None
    """The bot that made it late, if it is void for that."""
    evidence: Mapping[str, object] = field(default_factory=dict)
    """What was known of its process then."""


class Stage(enum.Enum):
    """How far a conversation has come."""

    HELLO = Phase.HANDSHAKE
    WARM_UP = Phase.WARM_UP
    READY = Phase.DECISION
    OVER = Phase.IDLE


@dataclass(slots=True, eq=False)
class Conversation:
    """One process's side of the protocol; lives as long as its link."""

    link: Link
    terms: Terms
    lag: LagMeter
    answered: Callable[[], None]
    """Called when nothing is outstanding any more."""
    entrant: str = ""
    run_queue_waits_us: Callable[[], Mapping[int, int]] = dict
    """Threads of the process, and how long each has waited for a core."""
    burner: Callable[[int, int], Burner | None] = lambda _since_ns, _waited_us: None
    """Who kept others from a core since then, if somebody waited so long."""
    process_evidence: Callable[[], Mapping[str, object]] = dict
    """What is known of the process, for the author of a fault."""
    now_ns: Callable[[], int] = time.monotonic_ns
    stage: Stage = Stage.HELLO
    ready: trio.Event = field(default_factory=trio.Event)
    over: trio.Event = field(default_factory=trio.Event)
    fault: Fault | None = None
    """Why it is over, if the bot broke the protocol."""
    hello: pb.Hello = field(default_factory=pb.Hello)
    strays: int = 0
    """Answers that nobody asked for."""
    silent: bool = False
    """The process was given up because it left a decision unanswered for ten limits."""
    opened_ns: int = 0
    """When it began; `greeted_ns` and `ready_ns` are 0 until a Hello was accepted, and answered."""
    greeted_ns: int = 0
    ready_ns: int = 0
    _deadlines: Deadlines = field(init=False)
    _waiting: dict[int, Pending | None] = field(default_factory=dict)
    _told: set[bytes] = field(default_factory=set)
    _overs: list[bytes] = field(default_factory=list)
    _next_id: int = 1

    def __post_init__(self) -> None:
        """Sets the clocks."""
        self.opened_ns = self.now_ns()
        self._deadlines = Deadlines(
            self.lag,
            now_ns=self.now_ns,
            # Late bound: the process is known only after the conversation has begun.
            run_queue_waits_us=lambda: self.run_queue_waits_us(),  # noqa: PLW0108
            burner=lambda since_ns, waited_us: self.burner(since_ns, waited_us),  # noqa: PLW0108
            entrant=self.entrant,
            limit_us=self.terms.limits.decision_us,
        )

    @property
    def outstanding(self) -> list[Pending]:
        """Asked and neither answered nor expired, head first."""
        return [pending for pending in self._waiting.values() if pending is not None]

    @property
    def asked(self) -> int:
        """Decisions asked so far, the warm-up included."""
        return self._next_id - 1

    def finish(self) -> None:
        """Ends the conversation; what is outstanding stays for `outstanding`."""
        self.stage = Stage.OVER
        self.over.set()
        self._deadlines.stop()

    # --- sending ---------------------------------------------------------------------------------

    def ask(self, batch: Sequence[Pending], known: Callable[[SeatGame], bool]) -> None:
        """Sends decisions in as few messages as their size allows.

        `known(game)` tells whether an earlier process of this lane had the game.
        """
        now = self.now_ns()
        fields = self._news_before(batch)
        size, asked = sum(map(len, fields)), 0
        for pending in batch:
            news = self._started(pending.ask.game, known) + self._request(pending, now)
            if size + len(news) > MESSAGE_LIMIT_BYTES:
                self.link.send(b"".join(fields), asked)
                fields, size, asked = [], 0, 0
            fields.append(news)
            size += len(news)
            asked += 1
        self.link.send(b"".join(fields), asked)
        self._deadlines.set_alarm()

    def tell_over(self, game_id: bytes, over: bytes) -> None:
        """Tells that a game has ended, with what is asked next or by `flush`.

        Nothing is said if this process has not heard of the game.
        """
        if game_id in self._told and self.stage is Stage.READY:
            self._told.discard(game_id)
            self._overs.append(wire.game_over(game_id, over))

    def flush(self) -> None:
        """Sends what does not wait for an answer, if nothing is about to be asked."""
        if self._overs and self.stage is Stage.READY:
            self.link.send(b"".join(self._overs), asked=0)
        self._overs.clear()

    def _news_before(self, batch: Sequence[Pending]) -> list[bytes]:
        """Ends of games, to travel with these requests unless too many games were open then."""
        if not self._overs:
            return []
        begun = {pending.ask.game.game_id for pending in batch} - self._told
        crowded = len(self._told) + len(self._overs) + len(begun) > self.terms.games(self.hello)
        if crowded or sum(map(len, self._overs)) > MESSAGE_LIMIT_BYTES // 2:
            self.flush()
        news, self._overs = self._overs, []
        return news

    def forget(self, game_id: bytes) -> None:
        """A game that was dropped: nothing more will be said of it."""
        self._told.discard(game_id)

    def _started(self, game: SeatGame, known: Callable[[SeatGame], bool]) -> bytes:
        """A `started` field for a game this process has not heard of, else nothing."""
        if game.game_id in self._told:
            return b""
        self._told.add(game.game_id)
        return wire.game_started(game.game_id, game.resumed() if known(game) else game.started)

    def _request(self, pending: Pending, now_ns: int) -> bytes:
        ask = pending.ask
        decision_id = self._new_id(pending)
        allowed_us = ask.budget_us if self.terms.is_timed else _UNTIMED_US
        self._deadlines.sent(decision_id, at_ns=now_ns, budget_us=allowed_us)
        pending.request = wire.decision_request(
            decision_id, ask.game.game_id, ask.budget_us, ask.view
        )
        return wire.request_field(pending.request)

    def _new_id(self, pending: Pending | None) -> int:
        decision_id = self._next_id
        self._next_id += 1
        self._waiting[decision_id] = pending
        return decision_id

    # --- handshake and warm-up -------------------------------------------------------------------

    def _hello(self, message: pb.BotMessage) -> None:
        if self.stage is not Stage.HELLO or message.WhichOneof("content") != "hello":
            self._violate("sent a message that was neither its one Hello nor Decisions")
            return
        self.hello = message.hello
        refusal = self.terms.refusal(self.hello)
        if refusal is None:
            self._welcome()
        else:
            self._end_with(FaultKind.NO_HANDSHAKE, refusal)

    def _welcome(self) -> None:
        self.stage, self.greeted_ns = Stage.WARM_UP, self.now_ns()
        asks = self.terms.warm_up_for(self.hello)
        fields = [self.terms.welcome(self.hello)]
        fields += [wire.game_started(ask.game.game_id, ask.game.started) for ask in asks]
        for ask in asks:
            request = wire.decision_request(
                self._new_id(None), ask.game.game_id, ask.budget_us, ask.view
            )
            fields.append(wire.request_field(request))
        self.link.send(b"".join(fields), asked=len(asks))
        self._after_change()

    def _become_ready(self) -> None:
        over = codec.encode_void()
        ids = [ask.game.game_id for ask in self.terms.warm_up_for(self.hello)]
        if ids:
            self.link.send(b"".join(wire.game_over(game_id, over) for game_id in ids), asked=0)
        self.stage, self.ready_ns = Stage.READY, self.now_ns()
        self.ready.set()

    # --- receiving -------------------------------------------------------------------------------

    def wake(self) -> None:
        """Handles everything the link has received."""
        for item in self.link.take():
            if self.stage is Stage.OVER:
                return
            if isinstance(item, Broken):
                if item.violation:
                    self._violate(item.violation)
                self.finish()
            elif item.message.WhichOneof("content") == "decisions":
                self._decisions(item)
            else:
                self._hello(item.message)

    def _decisions(self, received: Received) -> None:
        if self.stage is Stage.HELLO:
            self._violate("sent Decisions before its Hello")
            return
        self._judge(received.at_ns)
        if self.is_over:
            return
        decisions = received.message.decisions.decisions
        ids = [decision.decision_id for decision in decisions]
        charges = self._deadlines.answered(ids, at_ns=received.at_ns)
        answered = self._match(ids, decisions)
        self._after_change()  # before the games go on: the next bot thinks meanwhile
        for pending, decision in answered:
            elapsed_us = charges[decision.decision_id]
            reply = codec.read_reply(decision, pending.ask.legal, elapsed_us, pending.request)
            self._deliver(pending, reply)

    def _match(
        self, ids: Iterable[int], decisions: Iterable[pb.Decision]
    ) -> list[tuple[Pending, pb.Decision]]:
        """The decisions of a message with what they answer; the warm-up's are left out."""
        answered: list[tuple[Pending, pb.Decision]] = []
        for decision_id, decision in zip(ids, decisions, strict=True):
            if decision_id not in self._waiting:
                self._stray(decision_id)
            elif (pending := self._waiting.pop(decision_id)) is not None:
                answered.append((pending, decision))
        return answered

    def _deliver(self, pending: Pending, reply: Reply) -> None:
        if isinstance(reply, Failed):
            evidence = {**reply.fault.evidence, **self.process_evidence()}
            reply = replace(reply, fault=replace(reply.fault, evidence=evidence))
        pending.deliver(reply)

    def _stray(self, decision_id: int) -> None:
        if not self._deadlines.was_late(decision_id):
            self.strays += 1
            if self.strays > UNSOLICITED_LIMIT and not self.is_over:
                self._violate(f"sent {self.strays} answers that nobody asked for")

    def _after_change(self) -> None:
        if self._waiting:
            self._deadlines.set_alarm()
        elif self.stage is Stage.WARM_UP:
            self._become_ready()
        elif self.stage is Stage.READY:
            self.answered()

    @property
    def has_greeted(self) -> bool:
        """A Hello has come."""
        return self.hello.protocol_version > 0

    @property
    def is_over(self) -> bool:
        """Nothing more will be said."""
        return self.stage is Stage.OVER

    def _violate(self, what: str) -> None:
        self._end_with(FaultKind.BAD_MESSAGE, what)

    def _end_with(self, kind: FaultKind, what: str) -> None:
        self.fault = Fault(kind, Blame.BOT, self.stage.value, f"the bot {what}")
        self.finish()

    # --- time ------------------------------------------------------------------------------------

    async def watch(self) -> None:
        """Task: lets the head's time run out, until the conversation is over."""
        while not self.is_over:
            await self._deadlines.alarm()
            self.wake()
            if self.stage is Stage.READY and self._waiting:
                self._judge(self.now_ns())
                self._after_change()

    def _judge(self, now_ns: int) -> None:
        """Deals with every request whose time was up by then."""
        for verdict in self._deadlines.overdue(now_ns):
            if isinstance(verdict, Silent):
                self.silent = True
                self.finish()
            elif pending := self._waiting.pop(verdict.decision_id):
                if isinstance(verdict, Excused):
                    pending.burner = verdict.burner
                    pending.evidence = self.process_evidence()
                    pending.void(pending, verdict.reason)
                else:
                    late = Failed(self._late(verdict), verdict.limit_us, request=pending.request)
                    self._deliver(pending, late)
            if self.is_over:
                return

    def _late(self, verdict: TimedOut) -> Fault:
        limit_ms = verdict.limit_us / 1e3
        evidence = {
            "limit_ms": limit_ms,
            "lag_ms": verdict.lag_ns / 1e6,
            "run_queue_wait_ms": verdict.queued_ns / 1e6,
            "outstanding": len(self._waiting),
        }
        message = f"no answer within {limit_ms:.0f} ms"
        return Fault(FaultKind.TIMEOUT, Blame.BOT, Phase.DECISION, message, evidence)
