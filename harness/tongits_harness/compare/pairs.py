"""Pairs of matches: who plays them, in what order, and what came of them. Values only."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, count

from tongits_harness.play.order import session_order
from tongits_harness.play.plan import MatchPlan, SessionPlan
from tongits_harness.results.records import SessionRecord

ARMS = ("new", "old")
_FIRST_WINDOW, _LAST_WINDOW = 4, 32
"""Pairs played seating by seating together. Few at first, so that slow bots show something soon;
more would be played in vain where the test stops, fewer make the messages to the bots small."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two matches on the same shuffles, one for each arm."""

    number: int
    """From 0."""
    others: tuple[str, str]
    """Whom both arms play against, by their names in the field."""

    @property
    def matches(self) -> tuple[MatchPlan, MatchPlan]:
        """The match of the new bot and that of the old one.

        They have one key, and with it the same shuffles and the same chance for every seat, but
        entrants of their own, so that no bot process is dealt a shuffle twice.
        """
        key = hashlib.sha256(f"tongits-compare/1\0{self.number}".encode()).hexdigest()[:16]
        first, second = (
            MatchPlan(len(ARMS) * self.number + place, key, self.number, seated(arm, self.others))
            for place, arm in enumerate(ARMS)
        )
        return first, second


def seated(arm: str, others: tuple[str, str]) -> tuple[str, str, str]:
    """The three entrants of an arm, the one that is compared first; it is called like the arm."""
    return arm, other_name(arm, others[0]), other_name(arm, others[1])


def other_name(arm: str, name: str) -> str:
    """What one of the field is called in an arm."""
    return f"{arm}/{name}"


def pair_of(field: Iterable[str], number: int) -> Pair:
    """The pair of that number; every two of the field take turns, in a fixed order."""
    twos = list(combinations(sorted(field), 2))
    return Pair(number, twos[number % len(twos)])


def all_pairs(field: Iterable[str], first: int) -> Iterator[Pair]:
    """Pairs without end, from this number on."""
    names = tuple(field)
    return (pair_of(names, number) for number in count(first))


def sessions(pairs: Iterator[Pair], seatings: int) -> Iterator[SessionPlan]:
    """Sessions in the order in which they are seated."""
    window = _FIRST_WINDOW
    while chunk := [pair for _, pair in zip(range(window), pairs, strict=False)]:
        matches = [match for pair in chunk for match in pair.matches]
        yield from session_order(matches, seatings, len(matches))
        window = min(2 * window, _LAST_WINDOW)


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What an arm brought the bot that is compared."""

    chips: tuple[int, ...]
    """By seating."""
    faults: int
    """Charged faults of this bot."""
    forfeited: tuple[str, ...]
    """Who forfeited, this bot or one of the others, by name in the field ("" for this bot)."""
    process_lost: bool
    """A charged fault ended a process of this bot."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """A complete pair."""

    number: int
    others: tuple[str, str]
    new: ArmResult
    old: ArmResult

    @property
    def chips(self) -> int:
        """Chips of the new bot less those of the old one."""
        return sum(self.new.chips) - sum(self.old.chips)


def arm_result(arm: str, records: Mapping[int, SessionRecord]) -> ArmResult:
    """An arm from its sessions by seating."""
    ordered = [records[seating] for seating in sorted(records)]
    mine = [seat for record in ordered for seat in record.seats if seat.entrant == arm]
    charged = [
        fault
        for record in ordered
        for fault in record.faults
        if fault.charged and fault.entrant == arm
    ]
    forfeited = {
        seat.entrant.removeprefix(arm).removeprefix("/")
        for record in ordered
        for seat in record.seats
        if seat.forfeited
    }
    return ArmResult(
        chips=tuple(seat.chips for seat in mine),
        faults=len(charged),
        forfeited=tuple(sorted(forfeited)),
        process_lost=any(fault.process_lost for fault in charged),
    )
