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
from tongits_harness.play.formats.informative import choose_stage
from tongits_harness.play.formats.value import Format, stored_format
from tongits_harness.play.plan import MatchPlan
from tongits_harness.play.schedule import match_key, round_robin
from tongits_harness.results.fold import Standing
from tongits_harness.results.records import StageRecord

ALL_PLAYED = "every planned match was played"
Chosen = tuple[int, int, int, int]
"""Places of three entrants among all by name, and the round of their match."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Everything that decides which matches a tournament has."""

    tournament: str
    entrants: tuple[str, ...]
    """In sorted order."""
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
        """The matches from the one of index `first` on, where results do not choose them."""
        if self.format.name == "gauntlet":
            plans = gauntlet(self.tournament, self.entrants, self.format.challengers, first)
        else:
            rounds = -(-self.matches // self.format.matches_in_round(len(self.entrants)))
            plans = round_robin(self.tournament, self.entrants, rounds, first)
        return islice(plans, max(self.matches - first, 0))

    def plans_of(self, stage: StageRecord) -> Iterator[MatchPlan]:
        """The matches of a stage."""
        if not stage.chosen:
            return islice(self.plans(stage.first), stage.matches)
        return (self._plan(index, *one) for index, one in enumerate(stage.chosen, stage.first))

    def plans_from(self, first: int, stages: Iterable[StageRecord]) -> Iterator[MatchPlan]:
        """The matches from the one of index `first` on, as far as the stages so far say."""
        if not self.format.has_stages:
            yield from self.plans(first)
            return
        for stage in stages:
            if stage.next_match > first:
                yield from (plan for plan in self.plans_of(stage) if plan.index >= first)

    def next_stage(self, before: "Stages", standing: Standing) -> StageRecord:
        """The stage after these ones, all matches of which are settled and in the standing."""
        number, first = before.count, before.next_match
        if ended := self._end(first, standing):
            return StageRecord(number, first, 0, ended=ended)
        count = min(self.format.stage_matches(len(self.entrants)), self.matches - first)
        if self.format.name != "informative":
            return StageRecord(number, first, count)
        return StageRecord(number, first, count, self._choose(before, standing, count))

    def _choose(self, before: "Stages", standing: Standing, count: int) -> tuple[Chosen, ...]:
        """Three entrants' round is how often the three were chosen before."""
        may_sit = {
            name: rating
            for name, rating in standing.ratings.items()
            if name not in standing.suspended
        }
        places = {name: place for place, name in enumerate(self.entrants)}
        met: Counter[tuple[int, int, int]] = Counter()
        chosen: list[Chosen] = []
        for one, two, three in choose_stage(may_sit, count):
            triple = places[one], places[two], places[three]
            chosen.append((*triple, before.meetings[triple] + met[triple]))
            met[triple] += 1
        return tuple(chosen)

    def _plan(self, index: int, a: int, b: int, c: int, number: int) -> MatchPlan:
        triple = self.entrants[a], self.entrants[b], self.entrants[c]
        return MatchPlan(index, match_key(self.tournament, triple, number), number, triple)

    def _end(self, first: int, standing: Standing) -> str:
        until = self.format.stop
        if until and first and (verdict := until.verdict(standing)):
            return verdict
        if first >= self.matches:
            return ALL_PLAYED
        left = len(self.entrants) - len(standing.suspended)
        return f"only {left} entrants are not suspended" if left < 3 else ""


class Stages:
    """What is kept of the stages so far: enough to choose the next one."""

    def __init__(self, stages: Iterable[StageRecord] = ()) -> None:
        self.count = 0
        self.next_match = 0
        self.meetings: Counter[tuple[int, int, int]] = Counter()
        """How often the same three (places among all by name) have been chosen."""
        self.ended = ""
        """Why nothing comes any more, if so."""
        for stage in stages:
            self.add(stage)

    def add(self, stage: StageRecord) -> None:
        """Takes the next stage.

        Raises:
            ValueError: it does not follow the one before.
        """
        if (stage.number, stage.first) != (self.count, self.next_match):
            raise ValueError(f"stage {stage.number} from match {stage.first} follows nothing")
        self.count += 1
        self.next_match = stage.next_match
        self.ended = stage.ended
        self.meetings.update((a, b, c) for a, b, c, _ in stage.chosen)
