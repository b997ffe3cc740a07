"""The list of matches, in parts, with filters."""

from collections.abc import Mapping, Sequence

from tongits_harness.results.browse import PAGE, ListedMatch, MatchFilter
from tongits_harness.views.tables import Column, Table
from tongits_harness.web.arena import Shown
from tongits_harness.web.pages import Page

ENDS = ("tongits", "draw_uncontested", "draw_contested", "stock_out", "void")
FAULTS = ("any", "TIMEOUT", "CRASH", "ILLEGAL_ACTION", "BAD_MESSAGE", "NO_HANDSHAKE")
_SEAT_COLUMNS = (
    ("entrant", "name"),
    ("place", "place, equal chips share the better"),
    ("chips", "chips over the match"),
    ("forfeited", "lost by faults"),
)
COLUMNS = (
    Column("index", "position in the schedule"),
    Column("key", "names the match and its shuffles"),
    Column("round", "pass over all triples"),
    *(
        Column(f"{what}_{number}", f"{meaning}; entrant {number}")
        for number in (1, 2, 3)
        for what, meaning in _SEAT_COLUMNS
    ),
    Column("faults", "charged faults"),
    Column("sandbox", "weakest isolation level of its sessions"),
)


def filter_of(query: Mapping[str, str]) -> MatchFilter:
    """The filter that a query asks for; what cannot be used is passed over."""
    bots = tuple(query[key] for key in ("bot", "with", "and") if query.get(key))
    fault, end, part = query.get("fault", ""), query.get("end", ""), query.get("part", "0")
    return MatchFilter(
        bots=bots,
        fault=fault if fault in FAULTS else "",
        end=end if end in ENDS else "",
        part=min(int(part), 10_000_000) if part.isdecimal() and len(part) < 9 else 0,
        newest_first=query.get("sort") != "oldest",
    )


def matches_page(
    shown: Shown, query: Mapping[str, str], found: Sequence[ListedMatch], count: int
) -> Page:
    """One part of the matches that fit the query."""
    wanted = filter_of(query)
    return Page(
        path="matches/",
        template="matches.html",
        title=f"{shown.record.name}: matches",
        context={
            "shown": shown,
            "matches": found,
            "count": count,
            "wanted": wanted,
            "parts": (count + PAGE - 1) // PAGE,
            "ends": ENDS,
            "fault_kinds": FAULTS,
            "names": [entrant.name for entrant in shown.record.entrants],
        },
        document={
            "tournament": shown.record.name,
            "count": count,
            "part": wanted.part,
            "matches": matches_table(found).as_json(),
        },
        table=matches_table(found),
        query=query,
    )


def matches_table(found: Sequence[ListedMatch]) -> Table:
    """Matches as rows."""
    return Table(COLUMNS, [_row(match) for match in found])


def _row(match: ListedMatch) -> list[str | int | bool]:
    seats: list[str | int | bool] = []
    for seat in match.seats:
        seats += [seat.entrant, seat.place, seat.chips, seat.forfeited]
    return [match.index, match.key, match.round, *seats, match.faults, match.sandbox]
