"""Suspension: who is no longer played, and which matches count. Pure; in schedule order only.

The rule, as a fold over matches by schedule index: a match with an entrant that is suspended
already does not count and is passed over entirely (it extends or ends nobody's streak, for whether
it was played at all depends on chance). Every other match counts; it lengthens the streak of each
of its entrants whose process was lost by a charged fault, and ends the streak of its other
entrants. With the third match of a streak the entrant is suspended: that match still counts, later
ones do not.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from tongits_harness.play.plan import MatchPlan
from tongits_harness.results.match_result import MatchResult

SUSPENDING_STREAK = 3


class SuspensionFold:
    """The rule, fed one match at a time in schedule order."""

    def __init__(self) -> None:
        self._streaks: dict[str, int] = {}
        self._suspended: dict[str, int] = {}

    @property
    def suspended(self) -> Mapping[str, int]:
        """Suspended entrants, each with the index of the match after which it is."""
        return MappingProxyType(self._suspended)

    def is_barred(self, entrants: Iterable[str]) -> bool:
        """Whether a match of these entrants, coming next, would not count."""
        return any(name in self._suspended for name in entrants)

    def add(self, match: MatchResult) -> bool:
        """Take the next match; whether it counts."""
        if self.is_barred(match.entrants):
            return False
        for name in match.entrants:
            self._streaks[name] = self._streaks.get(name, 0) + 1 if name in match.lost else 0
            if self._streaks[name] == SUSPENDING_STREAK:
                self._suspended[name] = match.index
        return True

    def as_state(self) -> list[dict[str, int]]:
        """Plain values for JSON."""
        return [dict(sorted(self._streaks.items())), dict(self._suspended)]

    @classmethod
    def from_state(cls, state: Sequence[Mapping[str, int]]) -> "SuspensionFold":
        """What `as_state` gave."""
        made = cls()
        made._streaks, made._suspended = map(dict, state)
        return made


def suspended_after(matches: Iterable[MatchResult]) -> dict[str, int]:
    """Suspended entrants and the match index after which they are, from complete matches.

    Missing indices are passed over, so while a run is going on this is provisional; `LiveMatches`
    gives the answer that no later match can change.
    """
    fold = SuspensionFold()
    for match in sorted(matches, key=lambda match: match.index):
        fold.add(match)
    return dict(fold.suspended)


def counted(matches: Iterable[MatchResult]) -> tuple[MatchResult, ...]:
    """The matches that count, in schedule order."""
    fold = SuspensionFold()
    return tuple(m for m in sorted(matches, key=lambda match: match.index) if fold.add(m))


def is_barred(plan: MatchPlan, suspended: Mapping[str, int]) -> bool:
    """Whether a match cannot count, given entrants with the match after which each is suspended."""
    return any(suspended.get(name, plan.index) < plan.index for name in plan.entrants)


def counts(match: MatchResult, suspended: Mapping[str, int]) -> bool:
    """Whether a match counts, given each suspended entrant's last match that does."""
    return all(suspended.get(name, match.index) >= match.index for name in match.entrants)


class LiveMatches:
    """Puts matches that finish in any order back into schedule order, and decides suspensions.

    A match is *settled* once every match before it in the schedule is complete or barred by a
    suspension. What is said of settled matches is final, whatever finishes later.
    """

    def __init__(
        self, plans: Iterable[MatchPlan] = (), settled: SuspensionFold | None = None
    ) -> None:
        """Follow a schedule.

        Args:
            plans: Its matches in order; they are read only as far as matches are settled.
            settled: The suspensions that the matches before these plans gave.
        """
        self._waiting: dict[int, MatchResult] = {}
        self._fold = settled or SuspensionFold()
        self.follow(plans)

    def follow(self, plans: Iterable[MatchPlan]) -> None:
        """Goes on with these plans, once all plans before them are settled."""
        self._plans = iter(plans)
        self._head = next(self._plans, None)

    @property
    def settled_until(self) -> int | None:
        """Index of the last settled match; None when all are."""
        return None if self._head is None else self._head.index - 1

    @property
    def suspended(self) -> Mapping[str, int]:
        """Entrants whose suspension is final, each with the index of the match after which."""
        return self._fold.suspended

    def is_barred(self, plan: MatchPlan) -> bool:
        """Whether this match need not be played: it cannot count any more."""
        return is_barred(plan, self.suspended)

    def add(self, match: MatchResult) -> tuple[MatchResult, ...]:
        """Take a complete match; the matches that are settled by it and count, in order."""
        if self._head is not None and match.index >= self._head.index:
            self._waiting[match.index] = match
        settled: list[MatchResult] = []
        while self._head is not None:
            done = self._waiting.pop(self._head.index, None)
            if done is None and not self._fold.is_barred(self._head.entrants):
                break
            if done is not None and self._fold.add(done):
                settled.append(done)
            self._head = next(self._plans, None)
        return tuple(settled)
