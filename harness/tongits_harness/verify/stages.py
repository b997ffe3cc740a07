"""What was decided in stages, decided again from the stored matches and compared."""

from collections.abc import Iterator
from itertools import zip_longest

from tongits_harness.play.formats import Schedule, Stages
from tongits_harness.results.fold import Standing
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.records import StageRecord, TournamentRecord
from tongits_harness.results.standing_rows import standing_seed
from tongits_harness.verify.claims import Claim, Place


def schedule_of(record: TournamentRecord) -> Schedule:
    """The schedule of a stored tournament."""
    names = (entrant.name for entrant in record.entrants)
    return Schedule.of(record.name, names, record.settings, record.matches_planned)


def check_stages(claim: Claim, reader: ResultsReader, record: TournamentRecord) -> None:
    """Compares every stored stage with what the standing at that moment gives.

    The standing is folded anew from the first match on; no checkpoint enters it.
    """
    schedule = schedule_of(record)
    if not schedule.format.has_stages:
        return
    standing = Standing(schedule.entrants, standing_seed(record))
    before = Stages()
    for stage in reader.stages(record.name):
        for match in reader.figures(record.name, standing.last, before.next_match - 1):
            standing.add(match)
        made = schedule.next_stage(before, standing)
        for what, place in _differences(stage, made, schedule):
            claim.fail(what, place)
        try:
            before.add(stage)
        except ValueError as error:
            claim.fail(str(error), Place(stage.first))
            return
    if reader.progress(record.name).is_finished and not before.ended:
        claim.fail(f"it is finished, but no end is stored after stage {before.count - 1}")


def _differences(
    stored: StageRecord, made: StageRecord, schedule: Schedule
) -> Iterator[tuple[str, Place]]:
    name, place = f"stage {stored.number}", Place(stored.first)
    if stored.matches != made.matches:
        yield f"{name}: stored {stored.matches} matches, the standing gives {made.matches}", place
    if stored.ended != made.ended:
        yield f"{name}: stored {_end(stored)}, the standing gives {_end(made)}", place
    plans = zip_longest(schedule.plans_of(stored), schedule.plans_of(made))
    for index, (was, now) in enumerate(plans, stored.first):
        if was != now:
            seats = [" ".join(plan.entrants) if plan else "nobody" for plan in (was, now)]
            yield f"{name}: stored {seats[0]}, the standing gives {seats[1]}", Place(index)


def _end(stage: StageRecord) -> str:
    return repr(stage.ended) if stage.ended else "no end"
