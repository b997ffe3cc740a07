"""What is played now, and what comes after it: the schedule beside the database.

A format that chooses no match by results is played in one part. Any other goes on in stages: when
the last match of one is settled, the next is decided where everything is stored, and stored before
it is played.
"""

from collections.abc import Iterator

from tongits_harness.play.formats import Schedule, Stages
from tongits_harness.play.plan import MatchPlan
from tongits_harness.results.records import StageRecord
from tongits_harness.results.store import Store
from tongits_harness.results.writer import SessionWriter


def plans_stored(store: Store, schedule: Schedule, first: int) -> Iterator[MatchPlan]:
    """The planned matches of a stored tournament from an index on, as far as they are decided."""
    return schedule.plans_from(first, store.read.stages(schedule.tournament, first))


class Programme:
    """The parts of one tournament, each to be asked for when the one before is settled."""

    def __init__(
        self, schedule: Schedule, stages: Stages, begun: Iterator[MatchPlan] | None
    ) -> None:
        """Begin, or go on.

        Args:
            schedule: What decides.
            stages: What was decided already.
            begun: What is left of that; None if nothing was begun.
        """
        self._schedule = schedule
        self._stages = stages
        self._begun = begun

    @property
    def ended(self) -> str:
        """Why the tournament stopped where it did; empty while it has not, or has no stages."""
        return self._stages.ended

    async def next_part(self, writer: SessionWriter) -> Iterator[MatchPlan] | None:
        """The matches played next, in schedule order; None at the end.

        Raises:
            CannotContinueError: The database cannot be read or written.
        """
        begun, self._begun = self._begun, None
        if begun is not None:
            return begun
        if not self._schedule.format.has_stages or self.ended:
            return None
        stage = await writer.ask(self._decide)
        self._stages.add(stage)
        return None if stage.ended else self._schedule.plans_of(stage)

    def _decide(self, store: Store) -> StageRecord:
        """The next stage, from all that is stored."""
        name = self._schedule.tournament
        standing = store.settle(name, lambda first: plans_stored(store, self._schedule, first))
        stage = self._schedule.next_stage(self._stages, standing)
        store.add_stage(name, stage)
        return stage


def take_up(store: Store, schedule: Schedule, first: int) -> Programme:
    """The programme of a stored tournament from the match of that index on."""
    if not schedule.format.has_stages:
        return Programme(schedule, Stages(), schedule.plans(first))
    stages = Stages(store.read.stages(schedule.tournament))
    is_settled = stages.next_match <= first
    begun = None if is_settled else iter(list(plans_stored(store, schedule, first)))
    return Programme(schedule, stages, begun)
