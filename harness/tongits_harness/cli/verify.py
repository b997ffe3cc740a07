"""`tongits verify`: whether all that is stored follows from the secret and the actions."""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import json_option, results_option, tournament_option
from tongits_harness.errors import EXIT_BOT

if TYPE_CHECKING:
    from tongits_harness.verify.claims import Claim, Verification


@click.command()
@click.option(
    "--workers", type=click.IntRange(1), help="Processes that replay games.  [default: cores]"
)
@json_option
@results_option
@tournament_option
def verify(workers: int | None, as_json: bool, results: Path, tournament: str | None) -> None:
    """Make everything stored again and compare.

    Recomputes seed and decks, replays every game through the engine (to the bytes that each seat
    was sent, none of which may name a card that it cannot see), adds up chips and places, folds
    suspensions and ratings, follows the processes, and compares with the schedule and the
    leaderboard. One line for each claim; exit status 1 if one does not hold.
    """
    from tongits_harness.cli import render
    from tongits_harness.results.connection import damaged, database_path
    from tongits_harness.results.queries import open_reader
    from tongits_harness.verify.tournament import verify_tournament

    started = time.monotonic()
    with open_reader(results) as reader:
        done = verify_tournament(
            reader, results, tournament, workers=workers or os.cpu_count() or 1
        )
    seconds = time.monotonic() - started
    if as_json:
        render.print_json(_document(done))
    else:
        click.echo(f"tournament {done.tournament}")
        for claim in done.claims:
            click.echo(render.printable(_line(claim)))
    games = next(claim.checked for claim in done.claims if claim.name == "games")
    click.echo(f"{games} games in {seconds:.1f} s ({games / seconds:,.0f}/s)", err=True)
    if done.damage is not None:
        raise damaged(database_path(results), done.damage)
    if not done.holds:
        sys.exit(EXIT_BOT)


def _document(done: "Verification") -> dict[str, object]:
    return {
        "tournament": done.tournament,
        "finished": done.finished,
        "ok": done.holds,
        "claims": [claim.to_json() for claim in done.claims],
    }


def _line(claim: "Claim") -> str:
    if claim.skipped:
        return f"{claim.name:<11} not looked at: {claim.skipped}"
    if claim.holds:
        counted = f" ({claim.checked} {claim.counts})" if claim.counts else ""
        return f"{claim.name:<11} ok    {claim.says}{counted}"
    first = claim.failures[0]
    where = f" at {first.place.text}" if first.place.text else ""
    more = f" (and {claim.failed - 1} more)" if claim.failed > 1 else ""
    return f"{claim.name:<11} FAIL{where}: {first.what}{more}"
