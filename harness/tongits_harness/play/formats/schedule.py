"""The schedule of a tournament in its format: stages of match plans, pure and resumable.

Where the format does not look at results there is nothing to decide: the plans are a sequence that
can be taken up at any place. Otherwise the tournament goes on in stages: when all matches of one
are settled, the next one is a function of the settings and the standing alone, so the number of
workers, the order in which matches finish and a resumed run cannot change it. Chosen stages are
stored before they are played; `tongits verify` makes them again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from tongits_harness.play.formats.gauntlet import gauntlet
from tongits_harness.play.formats.informative import Triple, choose_stage
from tongits_harness.play.formats.value import Format, stored_format
from tongits_harness.play.plan import MatchPlan
from tongits_harness.play.schedule import match_key, round_robin
from tongits_harness.results.fold import Standing

ALL_PLAYED = "every planned match was played"


@dataclass(frozen=True, slots=True)
class Stage:
    """What is played next; without plans the end, and why."""

    number: int
    """From 0."""
    first: int
    """Index of its first match."""
    plans: tuple[MatchPlan, ...]
    ended: str = ""
    """Why nothing comes any more; empty while something does."""

    @property
    def next_match(self) -> int:
        """Index of the first match after it."""
        return self.first + len(self.plans)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Everything that decides which matches a tournament has."""

    tournament: str
    entrants: tuple[str, ...]
    format: Format
    matches: int
    """The bound: no match has this index or a higher one."""

    @classmethod
    def of(
        cls, tournament: str, entrants: Iterable[str], settings: Mapping[str, object], matches: int
    ) -> "Schedule":
        """The schedule of a stored tournament."""
        return cls(tournament, tuple(sorted(entrants)), stored_format(settings), matches)

    def plans(self, first: int = 0) -> Iterator[MatchPlan]:
        """The matches from the one of index `first` on, where results do not decide them."""
        if self.format.name == "gauntlet":
            plans = gauntlet(self.tournament, self.entrants, self.format.challengers, first)
        else:
            rounds = -(-self.matches // self.format.matches_in_round(len(self.entrants)))
            plans = round_robin(self.tournament, self.entrants, rounds, first)
        return islice(plans, max(self.matches - first, 0))

    def next_stage(self, before: "Stages", standing: Standing) -> Stage:
        """The stage after these ones, all matches of which are settled and in the standing."""
        number, first = before.count, before.next_match
        if ended := self._end(first, standing):
            return Stage(number, first, (), ended)
        count = min(self.format.stage_matches(len(self.entrants)), self.matches - first)
        if self.format.name != "informative":
            return Stage(number, first, tuple(islice(self.plans(first), count)))
        may_sit = {
            name: rating
            for name, rating in standing.ratings.items()
            if name not in standing.suspended
        }
        return Stage(number, first, self.numbered(before, choose_stage(may_sit, count)))

    def numbered(self, before: "Stages", triples: Iterable[Triple]) -> tuple[MatchPlan, ...]:
        """Chosen triples as plans: a triple's round is how often it was chosen before."""
        met: Counter[Triple] = Counter()
        plans: list[MatchPlan] = []
        for index, triple in enumerate(triples, start=before.next_match):
            number = before.meetings[triple] + met[triple]
            plans.append(
                MatchPlan(index, match_key(self.tournament, triple, number), number, triple)
            )
            met[triple] += 1
        return tuple(plans)

    def _end(self, first: int, standing: Standing) -> str:
        until = self.format.stop
        if until and first and (verdict := until.verdict(standing)):
            return verdict
        if first >= self.matches:
            return ALL_PLAYED
        left = len(self.entrants) - len(standing.suspended)
        return f"only {left} entrants are not suspended" if left < 3 else ""


class Stages:
    """What is kept of the stages so far: enough to number the next one."""

    def __init__(self, stages: Iterable[Stage] = ()) -> None:
        self.count = 0
        self.next_match = 0
        self.meetings: Counter[Triple] = Counter()
        """How often the same three have been chosen."""
        for stage in stages:
            self.add(stage)

    def add(self, stage: Stage) -> None:
        """Takes the next stage.

        Raises:
            ValueError: it does not follow the one before.
        """
        if (stage.number, stage.first) != (self.count, self.next_match):
            raise ValueError(f"stage {stage.number} at match {stage.first} follows nothing")
        self.count += 1
        self.next_match = stage.next_match
        self.meetings.update(plan.entrants for plan in stage.plans)
