"""The page of the fair play report."""

from tongits_harness.fairplay.report import EntrantLine, FairPlay
from tongits_harness.views.tables import Cell, Column, Table
from tongits_harness.web.arena import Shown
from tongits_harness.web.pages import Page

FAIR_PLAY_UP_TO = 50_000
"""Matches beyond which the page names the command instead: the report reads every match."""
COLUMNS = (
    Column("entrant", "name at this tournament"),
    Column("matches", "matches that count"),
    Column("decisions", "decisions asked"),
    Column("p50_ms", "median charged time of a decision"),
    Column("p99_ms", "99th percentile of it"),
    Column("sessions", "sessions it sat in"),
    Column("voided", "of those voided for trouble of the harness and played again"),
    Column("faults", "faults by whom they are blamed on"),
)


def is_too_long(shown: Shown) -> bool:
    """Whether a page of it would keep others waiting."""
    return shown.standing.matches > FAIR_PLAY_UP_TO


def fair_play_page(shown: Shown, report: FairPlay | None) -> Page:
    """What goes beyond chance, and the figures behind it.

    Args:
        shown: The tournament.
        report: None where it `is_too_long`.
    """
    name = shown.record.name
    lines = report.entrants if report else ()
    return Page(
        path="fairplay/",
        template="fairplay.html",
        title=f"{name}: fair play",
        context={
            "shown": shown,
            "report": report,
            "limit": FAIR_PLAY_UP_TO,
            "places": _places(report) if report else (),
        },
        document=report.to_json() if report else {"tournament": name, "too_long": True},
        table=Table(COLUMNS, [_cells(line) for line in lines]),
    )


def _places(report: FairPlay) -> list[tuple[str, float, float]]:
    """What every seat and turn brought: name, chips a game, half of the 95 % interval."""
    names = ("seat 0", "seat 1", "seat 2", "dealer", "second to act", "third to act")
    places = (*report.seats, *report.dealer) if report.seats and report.dealer else ()
    return [
        (name, place.chips_per_game, place.half_width)
        for name, place in zip(names, places, strict=False)
    ]


def _cells(line: EntrantLine) -> list[Cell]:
    trouble = line.trouble
    return [
        line.entrant,
        line.matches,
        line.decisions,
        line.p50_ms,
        line.p99_ms,
        trouble.sessions,
        trouble.voided,
        " ".join(f"{blame}={count}" for blame, count in trouble.blames.items()),
    ]
