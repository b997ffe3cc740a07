"""Clocks of one bot process: first in, first out (design sections 5 and 11, 4)."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """The only request whose deadline is running."""

    decision_id: int
    started_ns: int
    budget_ns: int

    @property
    def deadline_ns(self) -> int:
        """When its time is up."""
        return self.started_ns + self.budget_ns


class FifoClock:
    """Charges a process for its answers. Pure bookkeeping: times are given, in nanoseconds.

    A request's clock starts when it was sent or when all requests sent before it have been answered
    or timed out, whichever is later. Answers in one message share equally the time since the head's
    clock started, so the sum of all charges never exceeds the time that passed. An answer that
    overtakes the head is charged nothing: its clock had not started.
    """

    def __init__(self) -> None:
        self._waiting: dict[int, tuple[int, int]] = {}
        self._free_ns = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def sent(self, decision_id: int, *, at_ns: int, budget_ns: int) -> None:
        """A request went out with this much time."""
        self._waiting[decision_id] = (at_ns, budget_ns)

    @property
    def head(self) -> Head | None:
        """The oldest unanswered request."""
        for decision_id, (sent_ns, budget_ns) in self._waiting.items():
            return Head(decision_id, max(sent_ns, self._free_ns), budget_ns)
        return None

    def answered(self, decision_ids: Iterable[int], *, at_ns: int) -> dict[int, int]:
        """Charges the answers of one message; ids that are not waiting are left out."""
        ids = [i for i in dict.fromkeys(decision_ids) if i in self._waiting]
        head = self.head
        if head is None or head.decision_id not in ids:
            for i in ids:
                del self._waiting[i]
            return dict.fromkeys(ids, 0)
        share = max(0, at_ns - head.started_ns) // len(ids)
        for i in ids:
            del self._waiting[i]
        self._free_ns = max(self._free_ns, at_ns)
        return dict.fromkeys(ids, share)

    def expire(self, *, at_ns: int) -> int:
        """Takes the head away because its time is up; the next clock starts now."""
        head = self.head
        if head is None:
            raise LookupError("no request is waiting")
        del self._waiting[head.decision_id]
        self._free_ns = max(self._free_ns, at_ns)
        return head.decision_id

    def extend_head(self, extra_ns: int) -> None:
        """Gives the head more time: lag of the harness is not the bot's."""
        head = self.head
        if head is not None:
            sent_ns, budget_ns = self._waiting[head.decision_id]
            self._waiting[head.decision_id] = (sent_ns, budget_ns + extra_ns)

    def clear(self) -> None:
        """Forgets everything: the process is gone."""
        self._waiting.clear()
