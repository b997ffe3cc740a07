"""What the fair play report asks of the database beside the results of matches."""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tongits_harness.results.session_rows import histogram_from_json


@dataclass(frozen=True, slots=True)
class DealtChips:
    """The chips of one match by distance from the dealer, whoever sat there."""

    index: int
    games: int
    chips: tuple[int, int, int]
    """Of the dealer, of the next to act, of the third."""


@dataclass(frozen=True, slots=True)
class SeatTime:
    """How long one entrant's decisions took in one session."""

    index: int
    seat: int
    entrant: str
    latency: Mapping[int, int]


@dataclass(slots=True)
class Trouble:
    """What went wrong at an entrant's tables, in all stored sessions."""

    sessions: int = 0
    voided: int = 0
    """Of them voided at least once for trouble of the harness, and replayed."""
    blames: dict[str, int] = field(default_factory=dict)
    """Faults by whose they are, charged or not."""


class FairPlayRows:
    """The rows of one tournament."""

    def __init__(self, connection: sqlite3.Connection, id_: int) -> None:
        self._connection = connection
        self._id = id_

    def dealt(self) -> Iterator[DealtChips]:
        """Every match that has games, in schedule order."""
        sums = ", ".join(
            f"sum(json_extract(games.chips, '$[' || ((dealer + {n}) % 3) || ']'))" for n in range(3)
        )
        rows = self._connection.execute(
            f"SELECT match_index, count(*), {sums} FROM sessions JOIN games"  # noqa: S608  # numbers
            " ON sessions.id = session_id WHERE tournament_id = ?"
            " GROUP BY match_index ORDER BY match_index",
            (self._id,),
        )
        for index, games, *chips in rows:
            yield DealtChips(index, games, (chips[0], chips[1], chips[2]))

    def seat_times(self) -> Iterator[SeatTime]:
        """Every seat of every session, by match."""
        rows = self._connection.execute(
            "SELECT match_index, seat, entrant, latency FROM sessions JOIN session_seats"
            " ON sessions.id = session_id WHERE tournament_id = ?"
            " ORDER BY match_index, seating, seat",
            (self._id,),
        )
        for index, seat, entrant, latency in rows:
            yield SeatTime(index, seat, entrant, histogram_from_json(latency))

    def trouble(self) -> dict[str, Trouble]:
        """By entrant, for those that have sat at a table."""
        found: dict[str, Trouble] = {}
        for entrant, sessions, voided in self._connection.execute(
            "SELECT entrant, count(*), sum(voids > 0) FROM sessions JOIN session_seats"
            " ON sessions.id = session_id WHERE tournament_id = ? GROUP BY entrant",
            (self._id,),
        ):
            found[entrant] = Trouble(sessions, voided)
        for entrant, blame, count in self._connection.execute(
            "SELECT entrant, blame, count(*) FROM sessions JOIN faults ON sessions.id = session_id"
            " WHERE tournament_id = ? GROUP BY entrant, blame ORDER BY entrant, blame",
            (self._id,),
        ):
            found[entrant].blames[blame] = count
        return found
