"""A comparison that goes on: pairs are played many at a time and taken in their order."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import trio

from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.compare.pairs import ARMS, PairResult, all_pairs, arm_result, pair_of, sessions
from tongits_harness.compare.setup import CompareSetup
from tongits_harness.errors import BotError
from tongits_harness.play.hall import Hall, Reports, open_hall
from tongits_harness.play.order import SessionQueue
from tongits_harness.play.tournament import refuse_failed
from tongits_harness.results.records import SessionRecord
from tongits_harness.statistics.sprt import (
    Evidence,
    Verdict,
    log_likelihood_ratio,
    verdict_of,
)

_LOSSES = 3
"""Pairs running in which a bot's process may be lost; then there is nothing to be compared."""


@dataclass(slots=True)
class Score:
    """Where a comparison stands: to be shown, and to be asked for the verdict."""

    setup: CompareSetup
    evidence: Evidence = field(default_factory=Evidence)
    verdict: Verdict | None = None
    sessions: int = 0
    """Played by this run, of whole pairs or not."""
    voids: int = 0
    faults: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ARMS, 0))
    """Charged faults of each of the two."""
    forfeits: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ARMS, 0))
    """Matches that each of the two lost by faults."""
    others_forfeits: int = 0
    """Matches in which one of the others forfeited."""
    pairs_before: int = 0
    """Taken from the file."""
    started_at: float = field(default_factory=time.monotonic)
    _lost: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ARMS, 0))

    def take(self, pair: PairResult) -> None:
        """The next pair in order.

        Raises:
            BotError: One of the two has lost its process in three pairs running.
        """
        self.evidence = self.evidence.add(pair.chips / self.setup.games_of_a_match)
        for arm, result in zip(ARMS, (pair.new, pair.old), strict=True):
            self.faults[arm] += result.faults
            self.forfeits[arm] += "" in result.forfeited
            self.others_forfeits += sum(name != "" for name in result.forfeited)
            self._lost[arm] = self._lost[arm] + 1 if result.process_lost else 0
            if self._lost[arm] == _LOSSES:
                raise BotError(
                    f"{arm.upper()} lost its process in {_LOSSES} pairs running: look at it with"
                    " `tongits check`, mend it and compare again"
                )
        if self.verdict is None:
            self.settle()

    def settle(self) -> None:
        """Looks whether there is a verdict."""
        setup = self.setup
        self.verdict = verdict_of(self.evidence, setup.hypotheses, setup.most_pairs)

    @property
    def ratio(self) -> float:
        """Log likelihood ratio, between its bounds until there is a verdict."""
        return log_likelihood_ratio(self.evidence, self.setup.hypotheses)

    @property
    def games(self) -> int:
        """Of the pairs taken."""
        return len(ARMS) * self.evidence.pairs * self.setup.games_of_a_match

    @property
    def seconds(self) -> float:
        """How long this run has been going."""
        return time.monotonic() - self.started_at


@dataclass(slots=True, eq=False)
class Duel:
    """One run of a comparison; it may be cancelled at any time: pairs that are kept are kept."""

    score: Score
    keep: Callable[[PairResult], None]
    """Stores a pair; called in order, before the pair counts."""
    _hall: Hall = field(init=False)
    _changed: trio.Event = field(default_factory=trio.Event)
    _sessions: dict[int, dict[int, SessionRecord]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """Match -> seating -> what is played of pairs that are not complete."""

    async def play(self, bots: Mapping[str, Bot], sandbox: Sandbox) -> None:
        """Plays until there is a verdict.

        Args:
            bots: By entrant, built.
            sandbox: How they are kept apart.

        Raises:
            BotError: a bot did not come up, or lost its process again and again.
            CannotContinueError: a pair cannot be stored.
        """
        setup = self.score.setup
        async with open_hall(setup.hall(bots), sandbox, self._notice) as self._hall:
            refuse_failed(await self._hall.preflight())
            pairs = all_pairs(setup.field, self.score.evidence.pairs)
            queue = SessionQueue(sessions(pairs, setup.seatings), lambda _plan: False)
            self._hall.begin(setup.seed, queue, Reports(self._finished, self._void, self._notice))
            try:
                await self._play_until_settled()
            finally:
                self._hall.drop()

    async def _play_until_settled(self) -> None:
        while self.score.verdict is None:
            self._changed = trio.Event()
            self._hall.fill()
            await self._changed.wait()
            self._take_complete()

    def _finished(self, record: SessionRecord) -> None:
        self._sessions[record.plan.match.index][record.plan.seating] = record
        self.score.sessions += 1

    def _void(self) -> None:
        self.score.voids += 1

    def _notice(self) -> None:
        self._changed.set()

    def _take_complete(self) -> None:
        """Takes pairs in their order: which ended first may depend on how they went."""
        while self.score.verdict is None and self._is_next_complete():
            pair = self._next_pair()
            self.keep(pair)
            self.score.take(pair)

    def _is_next_complete(self) -> bool:
        seatings = self.score.setup.seatings
        first = len(ARMS) * self.score.evidence.pairs
        matches = range(first, first + len(ARMS))
        return all(len(self._sessions.get(index, ())) == seatings for index in matches)

    def _next_pair(self) -> PairResult:
        pair = pair_of(self.score.setup.field, self.score.evidence.pairs)
        new, old = (
            arm_result(arm, self._sessions.pop(match.index))
            for arm, match in zip(ARMS, pair.matches, strict=True)
        )
        return PairResult(pair.number, pair.others, new, old)
