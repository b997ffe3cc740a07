"""`tongits matches`: what was played."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import format_options, results_option, tournament_option

if TYPE_CHECKING:
    from tongits_harness.results.match_result import MatchResult
    from tongits_harness.results.queries import ResultsReader
    from tongits_harness.results.records import TournamentRecord

SHOWN = 50
"""Matches a terminal shows without --limit."""
SHORT_KEY = 8
HEADER = ["index", "key", "round"]
HEADER += [f"{what}_{number}" for number in (1, 2, 3) for what in ("entrant", "place", "chips")]
HEADER += ["forfeits", "faults", "sandbox", "counted"]
FAULT_KINDS = ["TIMEOUT", "CRASH", "ILLEGAL_ACTION", "BAD_MESSAGE", "NO_HANDSHAKE"]
FAULT_KINDS += ["RESOURCE_LIMIT", "any"]


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One complete match, with what there is to say of it."""

    result: "MatchResult"
    sandbox: str
    faults: tuple[tuple[str, str, int], ...]
    """(entrant, kind, count) of charged faults."""
    is_counted: bool


@click.command()
@click.option("--bot", metavar="NAME", help="Only matches of this bot.")
@click.option(
    "--fault",
    type=click.Choice(FAULT_KINDS, case_sensitive=False),
    help="Only matches with such a charged fault (of the bot, if one is named).",
)
@click.option(
    "--limit", type=click.IntRange(min=1), help=f"Only the last so many; a terminal shows {SHOWN}."
)
@format_options("json", "csv")
@results_option
@tournament_option
def matches(
    bot: str | None,
    fault: str | None,
    limit: int | None,
    output: str | None,
    results: Path,
    tournament: str | None,
) -> None:
    """List the matches played.

    In schedule order; a match appears when all its sessions are stored. `tongits replay` takes its
    number or key.
    """
    from tongits_harness.cli import render
    from tongits_harness.cli.versus import check_entrant
    from tongits_harness.results.browse import MatchFilter
    from tongits_harness.results.queries import open_reader

    with open_reader(results) as reader:
        record = reader.tournament(tournament)
        if bot is not None:
            check_entrant(record, bot)
        wanted = MatchFilter(bots=(bot,) if bot else (), fault=fault or "")
        if output is None and limit is None:
            limit = SHOWN
        indices, found = reader.last_indices(record.name, wanted, limit)
        shown = list(_lines(reader, record, indices))
    match output:
        case "json":
            rows = [_document(line) for line in shown]
            render.print_json({"tournament": record.name, "matches": rows})
        case "csv":
            render.print_csv(HEADER, [_cells(line) for line in shown])
        case _:
            _print(shown, found)


def _lines(
    reader: "ResultsReader", record: "TournamentRecord", indices: Sequence[int]
) -> Iterable[MatchLine]:
    from tongits_harness.results.suspension import counts

    suspended = reader.standing(record).suspended
    faults: dict[int, list[tuple[str, str, int]]] = {}
    for fault in reader.fault_counts(record.name, indices):
        faults.setdefault(fault.index, []).append((fault.entrant, fault.kind, fault.count))
    for match, sandbox in reader.results_of(record.name, indices):
        own = tuple(faults.get(match.index, ()))
        yield MatchLine(match, sandbox, own, counts(match, suspended))


def _document(line: MatchLine) -> dict[str, object]:
    match = line.result
    return {
        "index": match.index,
        "key": match.key,
        "round": match.round,
        "entrants": [
            {
                "entrant": outcome.entrant,
                "place": outcome.place,
                "chips": outcome.chips,
                "games": outcome.games,
                "forfeited": outcome.forfeited,
                "faults": {kind: n for who, kind, n in line.faults if who == outcome.entrant},
            }
            for outcome in match.outcomes
        ],
        "sandbox": line.sandbox,
        "counted": line.is_counted,
    }


def _cells(line: MatchLine) -> list[object]:
    match = line.result
    outcomes = [value for o in match.outcomes for value in (o.entrant, o.place, o.chips)]
    return [match.index, match.key, match.round, *outcomes, *_remarks(line)]


def _texts(line: MatchLine) -> list[str]:
    match = line.result
    return [
        str(match.index),
        match.key[:SHORT_KEY],
        str(match.round),
        " ".join(match.entrants),
        " ".join(map(str, match.places)),
        " ".join(f"{outcome.chips:+d}" for outcome in match.outcomes),
        *_remarks(line),
    ]


def _remarks(line: MatchLine) -> list[str]:
    return [
        " ".join(o.entrant for o in line.result.outcomes if o.forfeited),
        ", ".join(f"{who} {kind}={count}" for who, kind, count in line.faults),
        line.sandbox,
        "yes" if line.is_counted else "no",
    ]


def _print(shown: Sequence[MatchLine], found: int) -> None:
    from tongits_harness.cli import render
    from tongits_harness.cli.render import Column, Table

    columns = (
        Column("#", is_number=True),
        Column("key"),
        Column("round", is_number=True, importance=5),
        Column("entrants"),
        Column("places"),
        Column("chips", importance=1),
        Column("forfeits", importance=2),
        Column("faults", importance=3),
        Column("sandbox", importance=6),
        Column("counted", importance=4),
    )
    if not shown:
        click.echo("no match fits", err=True)
        return
    rows = [_texts(line) for line in shown]
    render.print_table(Table(columns, rows))
    if len(shown) < found:
        click.echo(f"the last {len(shown)} of {found} matches; --limit N shows more", err=True)
