"""The pages of one entrant, of a pair and of three at a table."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tongits_harness.results.browse import ListedFault, ListedMatch
from tongits_harness.results.fold.totals import Point
from tongits_harness.results.match_result import MatchResult
from tongits_harness.views.again import again_words
from tongits_harness.views.opponents import (
    Opponent,
    at_one_table,
    opponent,
    opponents,
    opponents_table,
)
from tongits_harness.views.style import Style
from tongits_harness.views.tables import Column, Table
from tongits_harness.web import charts, links
from tongits_harness.web.arena import Shown
from tongits_harness.web.leaderboard_page import limit_ms
from tongits_harness.web.pages import Page

FAULT_LINES = 20
"""Lines of a bot's stderr that a page shows."""
POINT_COLUMNS = (
    Column("matches", "matches played so far"),
    Column("index", "the latest of them in the schedule"),
    Column("mu", "TrueSkill mean"),
    Column("sigma", "TrueSkill standard deviation"),
)


@dataclass(frozen=True, slots=True)
class FaultView:
    """A fault with what an author needs to find its cause."""

    fault: ListedFault
    facts: tuple[tuple[str, str], ...]
    stderr: str
    again: str
    """The command that sends the same observations to the bot again."""


def bot_page(
    shown: Shown,
    name: str,
    matches: Sequence[ListedMatch],
    faults: Sequence[ListedFault],
    style: Style,
) -> Page:
    """Everything about one entrant."""
    entrant = next(one for one in shown.record.entrants if one.name == name)
    row = next(row for row in shown.board.rows if row.entrant == name)
    totals = shown.standing.totals[name]
    met = opponents(shown.standing, name)
    games = sum(totals.ends.values())
    return Page(
        path=links.bot(name),
        template="bot.html",
        title=f"{name} at {shown.record.name}",
        context={
            "shown": shown,
            "entrant": entrant,
            "row": row,
            "totals": totals,
            "history": charts.history(totals.history),
            "latency": charts.latency(totals.latency, limit_ms(shown)),
            "limit_ms": limit_ms(shown),
            "ends": sorted(totals.ends.items(), key=lambda item: -item[1]),
            "games": games,
            "style": style,
            "opponents": met,
            "matches": matches,
            "faults": [fault_view(shown, entrant.source, fault) for fault in faults],
        },
        document={
            "tournament": shown.record.name,
            "entrant": row.to_json(),
            "language": entrant.language,
            "declared_version": entrant.declared_version,
            "ends": dict(sorted(totals.ends.items())),
            "style": {"games": style.games, **{words: value for words, value, _ in style.lines}},
            "history": _history_table(totals.history).as_json(),
            "opponents": opponents_table(met).as_json(),
        },
        table=opponents_table(met),
    )


def versus_page(shown: Shown, first: str, second: str, matches: Sequence[ListedMatch]) -> Page:
    """Two entrants over the matches they shared."""
    sides = (opponent(shown.standing, first, second), opponent(shown.standing, second, first))
    table = opponents_table(sides)
    return Page(
        path=links.versus(first, second),
        template="versus.html",
        title=f"{first} against {second}",
        context={
            "shown": shown,
            "first": first,
            "second": second,
            "sides": ((first, sides[0]), (second, sides[1])),
            "thirds": [name for name in shown.standing.totals if name not in {first, second}],
            "matches": matches,
        },
        document={"tournament": shown.record.name, first: _side(sides[0]), second: _side(sides[1])},
        table=table,
    )


def triple_page(
    shown: Shown, names: Sequence[str], results: Sequence[MatchResult],
    matches: Sequence[ListedMatch],
) -> Page:  # fmt: skip
    """Who wins when these three meet."""
    places = at_one_table(results, names)
    table = Table(
        (
            Column("entrant", "one of the three"),
            Column("first", "matches won"),
            Column("second", "second places"),
            Column("third", "third places"),
            Column("chips_per_game", "mean chips a game"),
        ),
        [[place.name, *place.places, place.chips_per_game] for place in places],
    )
    return Page(
        path=links.triple(*names),
        template="triple.html",
        title=", ".join(sorted(names)),
        context={"shown": shown, "places": places, "matches": matches},
        document={"tournament": shown.record.name, "entrants": table.as_json()},
        table=table,
    )


def fault_view(shown: Shown, source: str, fault: ListedFault) -> FaultView:
    """A fault with its evidence in words."""
    stderr = fault.evidence.get("stderr", "")
    words = again_words(shown.record.name, fault.match_key, fault.seating, fault.seat, source)
    facts = [
        (key.replace("_", " "), _fact(value))
        for key, value in sorted(fault.evidence.items())
        if key != "stderr" and value not in ("", None)
    ]
    shown_lines = stderr.strip().splitlines()[-FAULT_LINES:] if isinstance(stderr, str) else []
    return FaultView(fault, tuple(facts), "\n".join(shown_lines), shlex.join(words))


def _fact(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(str(part) for part in value)[:400]
    return str(value)[:400]


def _history_table(points: Sequence[Point]) -> Table:
    rows = [[point.matches, point.index, point.mu, point.sigma] for point in points]
    return Table(POINT_COLUMNS, rows)


def _side(side: Opponent) -> Mapping[str, object]:
    low, high = side.share_ci95
    return {
        "matches": side.matches,
        "above": side.above,
        "level": side.level,
        "below": side.below,
        "share": side.share,
        "share_ci95": [low, high],
        "chips_per_game": side.chips_per_game,
        "p_above": side.p_above,
    }
