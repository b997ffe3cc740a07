"""The result of a match, derived from its sessions: places, chips, forfeits. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tongits_harness.play.plan import MatchPlan
from tongits_harness.results.records import SessionRecord

LAST_PLACE = 3


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """What one seat of one session brought its entrant."""

    entrant: str
    chips: int
    games: int
    forfeited: bool
    process_lost: bool
    """A charged fault ended the entrant's process."""


@dataclass(frozen=True, slots=True)
class EntrantOutcome:
    """What a match brought one entrant, over all its sessions."""

    entrant: str
    place: int
    """1..3; equal chips share the better place (1, 1, 3); whoever forfeited has place 3."""
    chips: int
    games: int
    forfeited: bool
    process_lost: bool


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A complete match."""

    index: int
    """Position in schedule order."""
    key: str
    round: int
    outcomes: tuple[EntrantOutcome, EntrantOutcome, EntrantOutcome]
    """In order of the entrants' names."""

    @property
    def entrants(self) -> tuple[str, str, str]:
        """The names, sorted."""
        a, b, c = self.outcomes
        return (a.entrant, b.entrant, c.entrant)

    @property
    def places(self) -> tuple[int, int, int]:
        """The place of each entrant, in the order of `entrants`."""
        a, b, c = self.outcomes
        return (a.place, b.place, c.place)

    @property
    def lost(self) -> frozenset[str]:
        """Entrants whose process was lost by a charged fault in this match."""
        return frozenset(o.entrant for o in self.outcomes if o.process_lost)


def settle_match(plan: MatchPlan, seats: Iterable[SeatOutcome]) -> MatchResult:
    """The result of a match from the seats of all its sessions, in any order.

    Raises:
        ValueError: A seat belongs to nobody in the match, or the chips do not sum to 0.
    """
    totals = {name: _sum(name, ()) for name in plan.entrants}
    for seat in seats:
        if seat.entrant not in totals:
            raise ValueError(f"match {plan.key}: {seat.entrant} is none of {plan.entrants}")
        totals[seat.entrant] = _sum(seat.entrant, (totals[seat.entrant], seat))
    if sum(total.chips for total in totals.values()) != 0:
        raise ValueError(f"match {plan.key}: chips do not sum to 0")
    places = places_of({name: None if t.forfeited else t.chips for name, t in totals.items()})
    a, b, c = (_outcome(totals[name], places[name]) for name in sorted(totals))
    return MatchResult(plan.index, plan.key, plan.round, (a, b, c))


def settle_sessions(sessions: Iterable[SessionRecord]) -> MatchResult:
    """The result of a match from the records of all its sessions, in any order.

    Raises:
        ValueError: No session, or sessions of different matches.
    """
    records = tuple(sessions)
    plans = {record.plan.match for record in records}
    if len(plans) != 1:
        raise ValueError(f"sessions of {len(plans)} matches where those of one are needed")
    return settle_match(plans.pop(), (seat for record in records for seat in seat_outcomes(record)))


def seat_outcomes(record: SessionRecord) -> tuple[SeatOutcome, ...]:
    """The three seats of a session, as far as the match's result depends on them."""
    lost = {fault.entrant for fault in record.faults if fault.charged and fault.process_lost}
    return tuple(
        SeatOutcome(
            entrant=seat.entrant,
            chips=seat.chips,
            games=len(record.games),
            forfeited=seat.forfeited,
            process_lost=seat.entrant in lost,
        )
        for seat in record.seats
    )


def places_of(chips: Mapping[str, int | None]) -> dict[str, int]:
    """Places by chips: equal chips share the better place; None (forfeited) is last."""
    kept = [value for value in chips.values() if value is not None]
    return {
        name: LAST_PLACE if value is None else 1 + sum(other > value for other in kept)
        for name, value in chips.items()
    }


def _sum(entrant: str, seats: tuple[SeatOutcome, ...]) -> SeatOutcome:
    return SeatOutcome(
        entrant=entrant,
        chips=sum(seat.chips for seat in seats),
        games=sum(seat.games for seat in seats),
        forfeited=any(seat.forfeited for seat in seats),
        process_lost=any(seat.process_lost for seat in seats),
    )


def _outcome(total: SeatOutcome, place: int) -> EntrantOutcome:
    return EntrantOutcome(
        entrant=total.entrant,
        place=place,
        chips=total.chips,
        games=total.games,
        forfeited=total.forfeited,
        process_lost=total.process_lost,
    )
