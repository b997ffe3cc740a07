"""The replay of one game: frames for the script, the same as text for everybody."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tongits_harness.results.records import GameRecord, SessionRecord
from tongits_harness.views.replay import Frame
from tongits_harness.views.tables import Column, Table
from tongits_harness.web import links
from tongits_harness.web.arena import Shown
from tongits_harness.web.leaderboard_page import limit_ms
from tongits_harness.web.pages import Page

PAGE_VIEWS = {
    "all": "all hands",
    "seat0": "what seat 0 saw",
    "seat1": "what seat 1 saw",
    "seat2": "what seat 2 saw",
    "public": "the table only",
    "spoiler": "no spoilers",
}
"""What a page can show, in words; without spoilers it is the table only, with the end covered."""
COLUMNS = (
    Column("decision", "number of the action in the game, from 0"),
    Column("seat", "who acts"),
    Column("phase", "start, action or respond"),
    Column("turn", "number of the turn, from 0"),
    Column("alternatives", "how many actions there were to choose from"),
    Column("action", "what was done, as far as the viewer could see it"),
    Column("source", "d decided, f forced, x fallback"),
    Column("think_ms", "charged time"),
    Column("hand", "the hand of the seat that acts, if the viewer sees it"),
    Column("faults", "kinds of fault"),
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which game is shown, and how."""

    sessions: Sequence[SessionRecord]
    """All stored sessions of the match, by seating."""
    session: SessionRecord
    game: int
    view: str
    """One of PAGE_VIEWS."""
    is_open: bool
    """The match is complete, so that hands may be shown."""
    neighbours: tuple[str | None, str | None]
    """Keys of the matches before and after it."""


def replay_page(shown: Shown, chosen: Chosen, frames: Sequence[Frame], path: str) -> Page:
    """One game in one view."""
    plan = chosen.session.plan
    record = chosen.session.games[chosen.game]
    document = _document(shown, chosen, frames)
    return Page(
        path=path,
        template="replay.html",
        title=f"match {plan.match.index} of {shown.record.name}",
        context={
            "shown": shown,
            "chosen": chosen,
            "plan": plan,
            "record": record,
            "frames": frames,
            "views": _views(chosen),
            "others": _others(chosen),
            "told": [text_of(frame, plan.seats) for frame in frames],
            "end": _end(record, plan.seats, [s.bank_used_us for s in chosen.session.seats]),
            "bank_s": _bank_s(shown),
            "data": _embedded(document),
        },
        document=document,
        table=Table(COLUMNS, [_row(frame) for frame in frames]),
        scripts=("replay.js",),
    )


def text_of(frame: Frame, names: Sequence[str]) -> str:
    """A decision in one sentence."""
    who = f"seat {frame.seat} ({names[frame.seat]})"
    words = [
        text if seat == frame.seat else (f"seat {seat} {text}" if seat >= 0 else text)
        for seat, text in frame.events
    ] or [frame.action]
    told = f"Turn {frame.turn}, {who} {', '.join(words)}"
    if frame.source == "f":
        told += " (the only legal action)"
    if frame.source == "x":
        told += " (played for it after a fault)"
    return f"{told}."


def _document(shown: Shown, chosen: Chosen, frames: Sequence[Frame]) -> Mapping[str, object]:
    plan, record = chosen.session.plan, chosen.session.games[chosen.game]
    return {
        "tournament": shown.record.name,
        "match": plan.match.key,
        "index": plan.match.index,
        "seating": plan.seating,
        "game": chosen.game,
        "view": chosen.view,
        "names": list(plan.seats),
        "dealer": record.dealer,
        "limit_ms": limit_ms(shown),
        "frames": [{**frame.as_json(), "say": text_of(frame, plan.seats)} for frame in frames],
    }


def _embedded(document: object) -> Markup:
    """JSON that can stand in a script element."""
    text = json.dumps(document, separators=(",", ":"))
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return Markup(text)  # noqa: S704  # nothing in it can end the element


def _views(chosen: Chosen) -> list[tuple[str, str, str]]:
    """View, words and path of every view that may be shown."""
    plan, game = chosen.session.plan, chosen.game
    allowed = PAGE_VIEWS if chosen.is_open else ("public", "spoiler")
    return [
        (view, _view_words(view, plan.seats), links.game(plan.match.key, plan.seating, game, view))
        for view in allowed
    ]


def _view_words(view: str, names: Sequence[str]) -> str:
    if view.startswith("seat"):
        return f"{view[-1]}: {names[int(view[-1])]}"
    return PAGE_VIEWS[view]


def _others(chosen: Chosen) -> list[tuple[str, str, bool]]:
    """Words, path and "this is it" of every game of the match: the same shuffle at each seating."""
    found = []
    for session in chosen.sessions:
        for number in range(len(session.games)):
            seating = session.plan.seating
            is_here = session is chosen.session and number == chosen.game
            words = f"seating {seating}, game {number}: {', '.join(session.plan.seats)}"
            path = links.game(session.plan.match.key, seating, number, chosen.view)
            found.append((words, path, is_here))
    return found


def _bank_s(shown: Shown) -> object:
    limits = shown.record.settings.get("limits")
    return limits.get("bank_s") if isinstance(limits, Mapping) else None


def _end(record: GameRecord, names: Sequence[str], used_us: Sequence[int]) -> Mapping[str, object]:
    return {
        "how": record.termination.replace("_", " "),
        "winner": None if record.winner is None else names[record.winner],
        "rows": [
            {
                "name": name,
                "payments": record.payments[seat],
                "chips": record.chips[seat],
                "deadwood": record.deadwood[seat],
                "burned": record.burned[seat],
                "thought_s": used_us[seat] / 1e6,
            }
            for seat, name in enumerate(names)
        ],
    }


def _row(frame: Frame) -> list[str | int | float | None]:
    return [
        frame.number,
        frame.seat,
        frame.phase,
        frame.turn,
        None if frame.legal is None else len(frame.legal),
        frame.action,
        frame.source,
        None if frame.think_us is None else frame.think_us / 1000,
        frame.hands[frame.seat],
        " ".join(fault.fault.kind.value for fault in frame.faults),
    ]
