"""All that is said with one bot process: handshake, warm-up, requests, answers, time.

Synchronous and without I/O of its own: it is woken with what a link received and sends bytes
through it. `play.lane` gives it a process and a life.
"""

import enum
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import trio
from tongits.v1 import table_pb2 as pb

from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.limits import PlayLimits
from tongits_harness.protocol import codec, wire
from tongits_harness.protocol.clock import FifoClock, Head
from tongits_harness.protocol.decisions import Ask, Failed, Reply, SeatGame
from tongits_harness.protocol.lag import LAG_FORGIVEN_NS, LagMeter
from tongits_harness.protocol.link import (
    MESSAGE_LIMIT_BYTES,
    UNSOLICITED_LIMIT,
    Broken,
    Incoming,
    Received,
)

PROTOCOL_VERSION = 1
SILENCE_LIMITS = 10
"""A decision left unanswered for so many limits ends the process (design section 5)."""


QUEUED_SHARE = 0.5
"""A late decision is void if its process was kept from a core for this share of the second half
of its time: what happens in the first half is not looked at, for looking costs time."""


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
    void: Callable[[str], None]
    """Called instead of `deliver` when the harness was too slow to judge fairly."""
    request: bytes = b""
    """The serialised DecisionRequest as last sent."""


class Stage(enum.Enum):
    """How far a conversation has come."""

    HELLO = Phase.HANDSHAKE
    WARM_UP = Phase.WARM_UP
    READY = Phase.DECISION
    OVER = Phase.IDLE


@dataclass(frozen=True, slots=True)
class Terms:
    """What the harness expects and grants."""

    token: str
    concurrent_games: int
    limits: PlayLimits
    warm_up: Sequence[Ask]
    """First decisions of as many games; nothing of them is judged, charged or stored."""


@dataclass(slots=True, eq=False)
class Conversation:
    """One process's side of the protocol; lives as long as its link."""

    link: Link
    terms: Terms
    lag: LagMeter
    answered: Callable[[], None]
    """Called after answers or time-outs have left nothing outstanding."""
    run_queue_wait_us: Callable[[], int] = lambda: 0
    now_ns: Callable[[], int] = time.monotonic_ns
    stage: Stage = Stage.HELLO
    ready: trio.Event = field(default_factory=trio.Event)
    over: trio.Event = field(default_factory=trio.Event)
    fault: Fault | None = None
    """Why it is over, if the bot broke the protocol."""
    hello: pb.Hello | None = None
    strays: int = 0
    silent: bool = False
    """The process was given up because it left a decision unanswered for ten limits."""
    decided: int = 0
    _clock: FifoClock = field(default_factory=FifoClock)
    _waiting: dict[int, Pending | None] = field(default_factory=dict)
    _told: set[bytes] = field(default_factory=set)
    _expired: dict[int, int] = field(default_factory=dict)
    _forgiven: dict[int, int] = field(default_factory=dict)
    _next_id: int = 1
    _poke: trio.Event = field(default_factory=trio.Event)
    _alarm_ns: int = 0
    _queued_us: int = 0
    _queued_for: int = 0

    # --- sending ---------------------------------------------------------------------------------

    def ask(self, batch: Sequence[Pending], known: Callable[[SeatGame], bool]) -> None:
        """Sends decisions in as few messages as their size allows.

        `known(game)` tells whether an earlier process of this lane had the game.
        """
        now = self.now_ns()
        fields: list[bytes] = []
        size = asked = 0
        for pending in batch:
            news = self._started(pending.ask.game, known) + self._request(pending.ask, pending, now)
            if size + len(news) > MESSAGE_LIMIT_BYTES:
                self.link.send(b"".join(fields), asked)
                fields, size, asked = [], 0, 0
            fields.append(news)
            size += len(news)
            asked += 1
        self.link.send(b"".join(fields), asked)
        self._set_alarm()

    def _started(self, game: SeatGame, known: Callable[[SeatGame], bool]) -> bytes:
        """A `started` field for a game this process has not heard of, else nothing."""
        if game.game_id in self._told:
            return b""
        self._told.add(game.game_id)
        return wire.game_started(game.game_id, game.resumed() if known(game) else game.started)

    def tell_over(self, game_id: bytes, over: bytes) -> None:
        """Tells that a game has ended, if this process has heard of it."""
        if game_id in self._told and self.stage is Stage.READY:
            self._told.discard(game_id)
            self.link.send(wire.game_over(game_id, over), asked=0)

    def _request(self, ask: Ask, pending: Pending | None, now: int) -> bytes:
        decision_id = self._next_id
        self._next_id += 1
        request = wire.decision_request(decision_id, ask.game.game_id, ask.budget_us, ask.view)
        self._waiting[decision_id] = pending
        self._clock.sent(decision_id, at_ns=now, budget_ns=ask.budget_us * 1000)
        if pending is not None:
            pending.request = request
        return wire.request_field(request)

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

    def finish(self) -> None:
        """Ends the conversation; what is outstanding stays for `outstanding`."""
        self.stage = Stage.OVER
        self.over.set()
        self._poke.set()

    @property
    def outstanding(self) -> list[Pending]:
        """Asked and neither answered nor expired, head first."""
        return [pending for pending in self._waiting.values() if pending is not None]

    def _violate(self, what: str) -> None:
        self.fault = Fault(FaultKind.BAD_MESSAGE, Blame.BOT, self.stage.value, f"the bot {what}")
        self.finish()

    def _hello(self, message: pb.BotMessage) -> None:
        if self.stage is not Stage.HELLO or message.WhichOneof("content") != "hello":
            self._violate("sent a message that was neither its one Hello nor Decisions")
            return
        hello = message.hello
        if hello.protocol_version != PROTOCOL_VERSION:
            self._refuse(
                f"speaks protocol version {hello.protocol_version}; "
                f"this harness speaks {PROTOCOL_VERSION}"
            )
        elif hello.token != self.terms.token:
            self._refuse("sent a token in Hello that is not the value of TONGITS_TOKEN")
        else:
            self.hello = hello
            self._welcome()

    def _refuse(self, what: str) -> None:
        self.fault = Fault(FaultKind.NO_HANDSHAKE, Blame.BOT, Phase.HANDSHAKE, f"the bot {what}")
        self.finish()

    def _welcome(self) -> None:
        limits = self.terms.limits
        welcome = pb.TableMessage(
            welcome=pb.Welcome(
                protocol_version=PROTOCOL_VERSION,
                concurrent_games=min(self.terms.concurrent_games, self._wanted_games),
                decision_limit_us=limits.decision_us,
                session_bank_us=limits.bank_us,
            )
        )
        self.stage = Stage.WARM_UP
        now = self.now_ns()
        asks = self._warm_up()
        started = [wire.game_started(ask.game.game_id, ask.game.started) for ask in asks]
        requests = [self._request(ask, None, now) for ask in asks]
        fields = (welcome.SerializeToString(), *started, *requests)
        self.link.send(b"".join(fields), asked=len(requests))
        if not requests:
            self._become_ready()

    def _become_ready(self) -> None:
        over = pb.GameOver(termination=pb.TERMINATION_VOID, payments=(0, 0, 0)).SerializeToString()
        ids = [ask.game.game_id for ask in self._warm_up()]
        self.link.send(b"".join(wire.game_over(game_id, over) for game_id in ids), asked=0)
        self.stage = Stage.READY
        self.ready.set()

    def _warm_up(self) -> Sequence[Ask]:
        """As many warm-up games as the bot holds at once."""
        return self.terms.warm_up[: self._wanted_games]

    @property
    def _wanted_games(self) -> int:
        """Games the bot is willing to hold at once; 0 in Hello means 1."""
        return max(1, self.hello.concurrent_games) if self.hello else 1

    def _decisions(self, received: Received) -> None:
        decisions = received.message.decisions.decisions
        if self.stage is Stage.HELLO:
            self._violate("sent Decisions before its Hello")
            return
        if self.stage is Stage.READY:
            self._expire_until(received.at_ns)
        charges = self._clock.answered((d.decision_id for d in decisions), at_ns=received.at_ns)
        waiting, self.decided = self._waiting, self.decided + len(charges)
        for decision in decisions:
            decision_id = decision.decision_id
            if decision_id not in waiting:
                self._stray(decision_id)
                continue
            pending = waiting.pop(decision_id)
            if pending is not None:
                elapsed_us = self._charged_us(decision_id, charges[decision_id])
                reply = codec.read_reply(decision, pending.ask.legal, elapsed_us, pending.request)
                pending.deliver(reply)
        self._after_change()

    def _charged_us(self, decision_id: int, elapsed_ns: int) -> int:
        """Thinking time without the lag that was forgiven."""
        return max(0, elapsed_ns - self._forgiven.pop(decision_id, 0)) // 1000

    def _stray(self, decision_id: int) -> None:
        if self._expired.pop(decision_id, None) is None:
            self.strays += 1
            if self.strays > UNSOLICITED_LIMIT and self.stage is not Stage.OVER:
                self._violate(f"sent {self.strays} answers that nobody asked for")

    def _after_change(self) -> None:
        if self._waiting:
            self._set_alarm()
        elif self.stage is Stage.WARM_UP:
            self._become_ready()
        elif self.stage is Stage.READY:
            self.answered()

    # --- time ------------------------------------------------------------------------------------

    async def watch(self) -> None:
        """Task: lets the head's time run out, until the conversation is over."""
        while self.stage is not Stage.OVER:
            head = self._clock.head if self.stage is Stage.READY else None
            self._poke = trio.Event()
            if head is None:
                self._alarm_ns = 0
                await self._poke.wait()
                continue
            self._alarm_ns = self._next_alarm_ns(head)
            with trio.move_on_after(max(0, self._alarm_ns - self.now_ns()) / 1e9):
                await self._poke.wait()
            self.wake()
            if self.stage is Stage.READY and self._clock.head is not None:
                self._expire_until(self.now_ns())
                self._after_change()

    def _next_alarm_ns(self, head: Head) -> int:
        """Half-way, when the run queue is looked at for the first time, then the deadline."""
        half_ns = head.deadline_ns - head.budget_ns // 2
        if self.now_ns() < half_ns:
            return half_ns
        if self._queued_for != head.decision_id:
            self._queued_for, self._queued_us = head.decision_id, self.run_queue_wait_us()
        return head.deadline_ns

    def _queued_ns(self, head: Head) -> int:
        """How long the process stood in the run queue in the second half of the head's time."""
        if self._queued_for != head.decision_id:
            return 0
        return (self.run_queue_wait_us() - self._queued_us) * 1000

    def _set_alarm(self) -> None:
        head = self._clock.head
        if head and (not self._alarm_ns or head.deadline_ns < self._alarm_ns):
            self._poke.set()

    def _expire_until(self, now_ns: int) -> None:
        """Judges every head whose deadline lies before `now_ns`, as a punctual timer would have."""
        while (
            (head := self._clock.head) and head.deadline_ns < now_ns and self.stage is Stage.READY
        ):
            lag_ns = self.lag.lag_ns(head.started_ns, now_ns)
            queued_ns = self._queued_ns(head)
            extra_ns = min(lag_ns, LAG_FORGIVEN_NS) - self._forgiven.get(head.decision_id, 0)
            if lag_ns > LAG_FORGIVEN_NS:
                self._void(head, f"the harness lagged {lag_ns / 1e6:.0f} ms during a decision")
            elif queued_ns > head.budget_ns / 2 * QUEUED_SHARE:
                self._void(head, f"the bot waited {queued_ns / 1e6:.0f} ms for a processor")
            elif extra_ns > 0:
                self._forgiven[head.decision_id] = min(lag_ns, LAG_FORGIVEN_NS)
                self._clock.extend_head(extra_ns)
            else:
                self._time_out(head, now_ns, lag_ns, queued_ns)

    def _void(self, head: Head, reason: str) -> None:
        self._clock.expire(at_ns=head.deadline_ns)
        pending = self._waiting.pop(head.decision_id)
        self._expired[head.decision_id] = head.started_ns
        if pending is not None:
            pending.void(reason)

    def _time_out(self, head: Head, now_ns: int, lag_ns: int, queued_ns: int) -> None:
        oldest_ns = min(self._expired.values(), default=head.started_ns)
        if now_ns - oldest_ns >= SILENCE_LIMITS * self.terms.limits.decision_us * 1000:
            self.silent = True
            self.finish()
            return
        self._clock.expire(at_ns=head.deadline_ns)
        pending = self._waiting.pop(head.decision_id)
        self._expired[head.decision_id] = head.started_ns
        if pending is not None:
            charged_us = self._charged_us(head.decision_id, head.budget_ns)
            fault = self._late(charged_us / 1e3, lag_ns, queued_ns)
            pending.deliver(Failed(fault, charged_us, request=pending.request))

    def _late(self, limit_ms: float, lag_ns: int, queued_ns: int) -> Fault:
        evidence = {
            "limit_ms": limit_ms,
            "lag_ms": lag_ns / 1e6,
            "run_queue_wait_ms": queued_ns / 1e6,
            "outstanding": len(self._waiting),
        }
        message = f"no answer within {limit_ms:.0f} ms"
        return Fault(FaultKind.TIMEOUT, Blame.BOT, Phase.DECISION, message, evidence)
