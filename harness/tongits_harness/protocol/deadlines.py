"""Who is late: lets the time of a process's requests run out and judges whose doing that is."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import trio

from tongits_harness.protocol.clock import FifoClock, Head
from tongits_harness.protocol.lag import LAG_FORGIVEN_NS, LagMeter
from tongits_harness.protocol.load import Burner, longest_wait_us

SILENCE_LIMITS = 10
"""A decision left unanswered for so many limits ends the process (design section 5)."""
QUEUED_SHARE = 0.5
"""A late decision is void if its process was kept from a core for this share of the second half
of its time: what happens in the first half is not looked at, for looking costs time."""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A request whose time was up by the bot's own doing."""

    decision_id: int
    limit_us: int
    """What it was granted, and is charged."""
    lag_ns: int
    queued_ns: int


@dataclass(frozen=True, slots=True)
class Excused:
    """A request whose time was up because the machine was too slow to judge fairly."""

    decision_id: int
    reason: str
    burner: Burner | None = None
    """The bot that took the time, if it was one."""


@dataclass(frozen=True, slots=True)
class Silent:
    """The process has left a request unanswered for ten limits."""


Verdict = TimedOut | Excused | Silent


class Deadlines:
    """The clocks of one process's requests and what is made of them when they run out."""

    def __init__(
        self,
        lag: LagMeter,
        *,
        now_ns: Callable[[], int],
        run_queue_waits_us: Callable[[], Mapping[int, int]],
        burner: Callable[[int, int], Burner | None],
        entrant: str,
        limit_us: int,
    ) -> None:
        self._lag = lag
        self._now_ns = now_ns
        self._run_queue_waits_us = run_queue_waits_us
        self._burner = burner
        self._entrant = entrant
        self._silence_ns = SILENCE_LIMITS * limit_us * 1000
        self._clock = FifoClock()
        self._expired: dict[int, int] = {}
        self._forgiven: dict[int, int] = {}
        self._poke = trio.Event()
        self._alarm_ns = 0
        self._waits_us: Mapping[int, int] = {}
        self._waits_of = 0

    def sent(self, decision_id: int, *, at_ns: int, budget_us: int) -> None:
        """A request went out with this much time."""
        self._clock.sent(decision_id, at_ns=at_ns, budget_ns=budget_us * 1000)

    def answered(self, decision_ids: Iterable[int], *, at_ns: int) -> dict[int, int]:
        """Microseconds charged for each answer of one message; unknown ids are left out."""
        charges = self._clock.answered(decision_ids, at_ns=at_ns)
        if not self._forgiven:
            return {i: elapsed_ns // 1000 for i, elapsed_ns in charges.items()}
        return {i: self._charged_us(i, elapsed_ns) for i, elapsed_ns in charges.items()}

    def was_late(self, decision_id: int) -> bool:
        """Whether this is the (one) answer to a request that ran out of time."""
        return self._expired.pop(decision_id, None) is not None

    def overdue(self, now_ns: int) -> Iterator[Verdict]:
        """Judges every head whose deadline lies before `now_ns`, as a punctual timer would have."""
        while (head := self._clock.head) and head.deadline_ns < now_ns:
            lag_ns = self._lag.lag_ns(head.started_ns, now_ns)
            queued_ns = self._queued_ns(head)
            burner = self._burner(head.started_ns, max(lag_ns, queued_ns) // 1000)
            is_own_doing = burner is not None and burner.entrant == self._entrant
            if lag_ns > LAG_FORGIVEN_NS and not is_own_doing:
                reason = f"the harness lagged {lag_ns / 1e6:.0f} ms during a decision"
                yield self._excuse(head, reason, burner)
            elif queued_ns > head.budget_ns / 2 * QUEUED_SHARE and not is_own_doing:
                reason = f"the bot waited {queued_ns / 1e6:.0f} ms for a processor"
                yield self._excuse(head, reason, burner)
            elif lag_ns > self._forgiven.get(head.decision_id, 0):
                self._clock.extend_head(lag_ns - self._forgiven.get(head.decision_id, 0))
                self._forgiven[head.decision_id] = lag_ns
            elif now_ns - min(self._expired.values(), default=now_ns) >= self._silence_ns:
                yield Silent()
                return
            else:
                self._expire(head)
                limit_us = self._charged_us(head.decision_id, head.budget_ns)
                yield TimedOut(head.decision_id, limit_us, lag_ns, queued_ns)

    async def alarm(self) -> None:
        """Returns when the head may be overdue, or after `stop`."""
        head = self._clock.head
        self._poke = trio.Event()
        if head is None:
            self._alarm_ns = 0
            await self._poke.wait()
            return
        self._alarm_ns = self._next_alarm_ns(head)
        with trio.move_on_after(max(0, self._alarm_ns - self._now_ns()) / 1e9):
            await self._poke.wait()

    def set_alarm(self) -> None:
        """To be called when there is a new head."""
        head = self._clock.head
        if head and (not self._alarm_ns or head.deadline_ns < self._alarm_ns):
            self._poke.set()

    def stop(self) -> None:
        """Lets `alarm` return."""
        self._poke.set()

    def _charged_us(self, decision_id: int, elapsed_ns: int) -> int:
        """Thinking time without the lag that was forgiven."""
        return max(0, elapsed_ns - self._forgiven.pop(decision_id, 0)) // 1000

    def _excuse(self, head: Head, reason: str, burner: Burner | None) -> Excused:
        self._forgiven.pop(head.decision_id, None)
        self._expire(head)
        return Excused(head.decision_id, reason, burner)

    def _expire(self, head: Head) -> None:
        self._clock.expire(at_ns=head.deadline_ns)
        self._expired[head.decision_id] = head.started_ns

    def _next_alarm_ns(self, head: Head) -> int:
        """Half-way, when the run queue is looked at for the first time, then the deadline."""
        half_ns = head.deadline_ns - head.budget_ns // 2
        if self._now_ns() < half_ns:
            return half_ns
        if self._waits_of != head.decision_id:
            self._waits_of, self._waits_us = head.decision_id, self._run_queue_waits_us()
        return head.deadline_ns

    def _queued_ns(self, head: Head) -> int:
        """How long the process stood in the run queue in the second half of the head's time."""
        if self._waits_of != head.decision_id:
            return 0
        return longest_wait_us(self._waits_us, self._run_queue_waits_us()) * 1000
