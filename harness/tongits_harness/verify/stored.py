"""What a tournament's stored rows say of each other, match by match in schedule order.

Compares with the schedule, re-adds chips and places, follows processes, and folds suspensions and
ratings again. Replaying the games is not done here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import reduce

from tongits_harness.play.plan import MatchPlan, sessions_of
from tongits_harness.results.figures import MatchRows
from tongits_harness.results.latency import add_histograms
from tongits_harness.results.match_result import EntrantOutcome, MatchResult, settle_sessions
from tongits_harness.results.ratings import RatedMatch, RatingFold
from tongits_harness.results.records import SessionRecord
from tongits_harness.results.session_rows import check_session
from tongits_harness.results.store import SANDBOX_LEVELS
from tongits_harness.results.suspension import SuspensionFold
from tongits_harness.verify.claims import Claim, Place


@dataclass(slots=True)
class Tally:
    """One entrant's matches that count, added up."""

    places: list[int] = field(default_factory=lambda: [0, 0, 0])
    forfeits: int = 0
    chips: int = 0
    """Like games without matches that it forfeited."""
    games: int = 0

    def add(self, outcome: EntrantOutcome) -> None:
        """Takes a match."""
        self.places[outcome.place - 1] += 1
        self.forfeits += outcome.forfeited
        if not outcome.forfeited:
            self.chips += outcome.chips
            self.games += outcome.games


class Schedule:
    """Compares stored sessions with the plan."""

    def __init__(self, claim: Claim, seatings: int, *, is_finished: bool) -> None:
        self._claim = claim
        self._seatings = seatings
        self._is_finished = is_finished

    def check(self, plan: MatchPlan, stored: Sequence[SessionRecord], *, is_barred: bool) -> None:
        """All that is stored of one planned match."""
        self._claim.checked += 1
        planned = {session.seating: session for session in sessions_of(plan, self._seatings)}
        for record in stored:
            place = Place(plan.index, record.plan.seating)
            wanted = planned.pop(record.plan.seating, None)
            if wanted is None:
                self._claim.fail("no such seating is planned", place)
            elif wanted != record.plan:
                self._claim.fail(_difference(record, wanted.match, wanted.seats), place)
        if planned and self._is_finished and not is_barred:
            what = "match is" if len(planned) == self._seatings else "session is"
            missing = None if len(planned) == self._seatings else min(planned)
            self._claim.fail(f"the {what} missing", Place(plan.index, missing))

    def unplanned(self, records: Iterable[SessionRecord]) -> None:
        """Sessions of a match that the plan does not have."""
        for record in records:
            place = Place(record.plan.match.index, record.plan.seating)
            self._claim.fail("no such match is planned", place)


def _difference(record: SessionRecord, match: MatchPlan, seats: tuple[str, str, str]) -> str:
    for name in ("key", "round", "entrants"):
        stored, planned = getattr(record.plan.match, name), getattr(match, name)
        if stored != planned:
            return f"{name}: stored {stored}, planned {planned}"
    return f"seats: stored {record.plan.seats}, planned {seats}"


class Processes:
    """Follows which process met which shuffles: none may meet a deck twice (design 11, 3)."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._owners: dict[str, tuple[str, int]] = {}

    def check(self, stored: Sequence[SessionRecord]) -> None:
        """All sessions of one match: they have the same decks, which no other match has."""
        met: dict[str, int] = {}
        for record in stored:
            seating = record.plan.seating
            place = Place(record.plan.match.index, seating)
            for number, seat in enumerate(record.seats):
                if not seat.incarnations and _was_answered(record, number):
                    self._claim.fail(f"no process of {seat.entrant} is named", place)
                for incarnation in dict.fromkeys(seat.incarnations):
                    self._own(incarnation, seat.entrant, seating, place)
                    if incarnation in met:
                        what = f"process {incarnation} met these decks at seating"
                        self._claim.fail(f"{what} {met[incarnation]} already", place)
                    met[incarnation] = seating
        self._claim.checked = len(self._owners)

    def _own(self, incarnation: str, entrant: str, seating: int, place: Place) -> None:
        owner = self._owners.setdefault(incarnation, (entrant, seating))
        if owner != (entrant, seating):
            what = f"process {incarnation} is {entrant}'s at seating {seating} here, before it was"
            self._claim.fail(f"{what} {owner[0]}'s at seating {owner[1]}", place)


def _was_answered(record: SessionRecord, seat: int) -> bool:
    """More was asked of the seat than its faults account for."""
    faults = sum(fault.seat == seat for fault in record.faults)
    return record.seats[seat].decisions > faults


class Matches:
    """Adds chips up again and compares with the stored matches; folds what counts."""

    def __init__(self, claim: Claim, entrants: Iterable[str], seatings: int) -> None:
        self._claim = claim
        self._seatings = seatings
        self._suspension = SuspensionFold()
        self.ratings = RatingFold(entrants)
        self.counted = 0
        """Matches that count."""
        self.tallies = {name: Tally() for name in self.ratings.ratings}

    @property
    def suspended(self) -> Mapping[str, int]:
        """Suspended entrants, each with the match after which it is."""
        return self._suspension.suspended

    def is_barred(self, plan: MatchPlan) -> bool:
        """Whether the next match in the schedule need not have been played."""
        return self._suspension.is_barred(plan.entrants)

    def check(self, index: int, stored: Sequence[SessionRecord], rows: MatchRows | None) -> None:
        """All that is stored of the next match in the schedule."""
        consistent = [record for record in stored if self._is_consistent(record)]
        if len(consistent) < len(stored):
            return
        if len(stored) < self._seatings:
            if rows is not None:
                self._claim.fail("it is stored as complete, a session is missing", Place(index))
            return
        self._claim.checked += 1
        try:
            made = settle_sessions(stored)
        except ValueError as error:
            self._claim.fail(str(error), Place(index))
            return
        if rows is None:
            self._claim.fail("all sessions are stored, the match is not", Place(index))
        else:
            for what in _differences(made, stored, rows):
                self._claim.fail(what, Place(index))
        self._fold(made)

    def _is_consistent(self, record: SessionRecord) -> bool:
        try:
            check_session(record)
        except ValueError as error:
            what = str(error).partition(": ")[2]
            self._claim.fail(what, Place(record.plan.match.index, record.plan.seating))
            return False
        return True

    def _fold(self, made: MatchResult) -> None:
        if self._suspension.add(made):
            self.counted += 1
            for outcome in made.outcomes:
                self.tallies[outcome.entrant].add(outcome)
            self.ratings.add(RatedMatch(made.index, made.entrants, made.places))


def _differences(
    made: MatchResult, stored: Sequence[SessionRecord], rows: MatchRows
) -> Iterator[str]:
    if (made.key, made.round) != (rows.result.key, rows.result.round):
        yield f"match row: stored {rows.result.key} of round {rows.result.round}"
    pairs = zip(rows.result.outcomes, made.outcomes, strict=True)
    for was, now in ((was, now) for was, now in pairs if was != now):
        name = next(f.name for f in fields(was) if getattr(was, f.name) != getattr(now, f.name))
        yield f"{now.entrant} {name}: stored {getattr(was, name)}, added up {getattr(now, name)}"
    weakest = min((record.sandbox for record in stored), key=SANDBOX_LEVELS.index)
    if rows.sandbox != weakest:
        yield f"sandbox: stored {rows.sandbox}, of its sessions {weakest}"
    for figures in rows.figures:
        seats = [s for record in stored for s in record.seats if s.entrant == figures.entrant]
        decisions = reduce(lambda total, seat: total + seat.decisions, seats, 0)
        if (figures.decisions, figures.latency) != (
            decisions,
            add_histograms(seat.latency for seat in seats),
        ):
            yield f"{figures.entrant}: decisions or their times are not the sum of its sessions'"
