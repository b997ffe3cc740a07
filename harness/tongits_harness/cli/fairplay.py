"""`tongits fairplay`: whether anything in a tournament looks unfair."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import json_option, results_option, tournament_option

if TYPE_CHECKING:
    from tongits_harness.cli.render import Table
    from tongits_harness.fairplay.report import EntrantLine, FairPlay, Place

_SHOWN = 8
"""Findings shown; `--json` has all."""


@click.command()
@json_option
@results_option
@tournament_option
def fairplay(as_json: bool, results: Path, tournament: str | None) -> None:
    """Look for collusion, seat bias, odd timing and trouble.

    Only what goes beyond chance is told, corrected for the number of questions: at most about one
    honest tournament in 25 has any finding. A finding says that something is so, not why.
    """
    from tongits_harness.cli import render
    from tongits_harness.fairplay.report import read_fair_play
    from tongits_harness.results.queries import open_reader

    with open_reader(results) as reader:
        report = read_fair_play(reader, tournament)
    if as_json:
        render.print_json(report.to_json())
        return
    render.print_lines(*_lines(report), "")
    render.print_table(_table(report.entrants))


def _lines(report: "FairPlay") -> Iterator[str]:
    yield f"{report.tournament} · {report.matches} matches · {report.pairs_tested} pairs tested"
    for finding in report.findings[:_SHOWN]:
        yield f"{finding.kind}: {finding.text}"
    if len(report.findings) > _SHOWN:
        yield f"and {len(report.findings) - _SHOWN} more: --json has all"
    if not report.findings:
        yield "nothing found beyond chance"
    if any(finding.kind == "shift" for finding in report.findings):
        yield "A shift need not be intent: a style that suits another shows in the same way."
    if report.seats:
        yield f"chips a game by seat: {_places(report.seats, ('0', '1', '2'))}"
    if report.dealer:
        yield f"by turn: {_places(report.dealer, ('dealer', 'second', 'third'))}"


def _places(places: Sequence["Place"], names: Sequence[str]) -> str:
    return ", ".join(
        f"{name} {place.chips_per_game:+.3f} ± {place.half_width:.3f}"
        for name, place in zip(names, places, strict=True)
    )


def _table(entrants: Sequence["EntrantLine"]) -> "Table":
    from tongits_harness.cli.render import Column, Table

    columns = (
        Column("entrant"),
        *(
            Column(title, is_number=True)
            for title in ("matches", "decisions", "p50 ms", "p99 ms", "voided")
        ),
        Column("faults by blame"),
    )
    return Table(columns, [_row(line) for line in entrants])


def _row(line: "EntrantLine") -> Sequence[str]:
    times = ("-" if ms is None else f"{ms:.3g}" for ms in (line.p50_ms, line.p99_ms))
    blames = ", ".join(f"{count} {blame}" for blame, count in line.trouble.blames.items())
    numbers = str(line.matches), str(line.decisions), *times, str(line.trouble.voided)
    return (line.entrant, *numbers, blames or "-")
