"""Plans: which entrants sit where, on which shuffles. Values only; `schedule` makes them."""

from dataclasses import dataclass

SEATINGS: dict[int, tuple[tuple[int, int, int], ...]] = {
    1: ((0, 1, 2),),
    3: ((0, 1, 2), (1, 2, 0), (2, 0, 1)),
    6: ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)),
}
"""For each supported number of seatings: seat -> index of the entrant within the match's triple."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One triple of entrants playing the same shuffles at every seating: the unit that is rated."""

    index: int
    """Position in schedule order, from 0: the order of the rating fold."""
    key: str
    """Content key of (tournament, triple, round): names the shuffles, never a row number."""
    round: int
    """Which pass over all triples, from 0."""
    entrants: tuple[str, str, str]
    """Names in sorted order."""


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """Consecutive games of one match at one seating: the unit of storage (design section 11, 7)."""

    match: MatchPlan
    seating: int
    """Index into SEATINGS[n]; also the lane number of each of the three entrants."""
    seats: tuple[str, str, str]
    """Entrant at seat 0, 1, 2."""


def sessions_of(match: MatchPlan, seatings: int) -> tuple[SessionPlan, ...]:
    """The sessions of a match, one for each of its 1, 3 or 6 seatings."""
    a = match.entrants
    return tuple(
        SessionPlan(match, number, (a[x], a[y], a[z]))
        for number, (x, y, z) in enumerate(SEATINGS[seatings])
    )
