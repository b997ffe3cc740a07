"""`tongits play`: one quick game in the terminal."""

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.isolation import own_sandbox_option
from tongits_harness.cli.options import json_option, results_option
from tongits_harness.cli.talk import say

if TYPE_CHECKING:
    from rich.console import Console

    from tongits_harness.cli.playing import Service
    from tongits_harness.cli.seating import Seating
    from tongits_harness.cli.watching import Tell
    from tongits_harness.play.session import SessionOutcome

_SEAT = click.IntRange(0, 2)


@click.command()
@click.argument("bots", nargs=-1, metavar="[BOT...]")
@click.option(
    "--games", type=click.IntRange(1, 1000), default=1, show_default=True,
    help="Games of the session: dealer, pot and streaks go on.",
)  # fmt: skip
@click.option("--rules", default="tongits-lite", show_default=True, help="What is played.")
@click.option(
    "--seed", metavar="TEXT", help="The same seed deals the same cards.  [default: chance]"
)
@click.option("--table", "draws_tables", is_flag=True, help="Draw the table before every turn.")
@click.option("--quiet", is_flag=True, help="Only faults and the result.")
@click.option("--no-timeout", is_flag=True, help="No clock runs; bots are told the usual limits.")
@click.option("--human", metavar="SEAT", type=_SEAT, help="Play at this seat (0, 1, 2) yourself.")
@click.option(
    "--attach", metavar="SEAT", type=_SEAT,
    help="Wait for a program that you start, in a debugger for instance; its clock is off.",
)  # fmt: skip
@click.option(
    "--wait", "wait_s", metavar="SECONDS", type=click.FloatRange(1, 86_400), default=300,
    show_default=True, help="How long to wait for it.",
)  # fmt: skip
@click.option(
    "--env-file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="Write its two variables to this file, for an IDE.",
)  # fmt: skip
@click.option(
    "--allow-fetch", is_flag=True, help="Let bots get dependencies by the fetch of their manifest."
)
@own_sandbox_option
@json_option
@results_option
def play(
    bots: tuple[str, ...],
    games: int,
    rules: str,
    seed: str | None,
    draws_tables: bool,
    quiet: bool,
    no_timeout: bool,
    human: int | None,
    attach: int | None,
    wait_s: float,
    env_file: Path | None,
    allow_fetch: bool,
    level: str,
    as_json: bool,
    results: Path,
) -> None:
    """Play a quick game, between bots or against them.

    BOTs take seats 0, 1, 2 in the order given: folders, manifests, sample bots (greedy), submitted
    bots (mybot@2). Sample bots fill what is left. All hands are shown, unless you play. Nothing is
    stored; --json prints all there is to keep. Exit status: 0 played, 1 a bot failed.

    \b
    tongits play ./mybot greedy cautious --seed 7
    tongits play ./mybot --games 20 --quiet
    tongits play --human 0
    tongits play greedy cautious --attach 2
    """  # noqa: D301  # click wants the escape itself
    from tongits_harness.cli.isolation import open_own_sandbox
    from tongits_harness.cli.playing import Service
    from tongits_harness.cli.seating import Guests, seat_all
    from tongits_harness.errors import UsageError

    if human is not None and (as_json or quiet):
        raise UsageError("--human needs the table: leave out --json and --quiet")
    seating = seat_all(
        bots,
        Guests(human, attach),
        rules=rules,
        games=games,
        seed=seed or secrets.token_hex(4),
        is_timed=not no_timeout,
        results=results,
    )
    service = Service(
        sandbox=open_own_sandbox(level),
        results=results,
        allow_fetch=allow_fetch,
        wait_s=wait_s,
        env_file=env_file,
        say=say,
        prompt=lambda text: click.echo(text, nl=False),
    )
    shows = "nothing" if as_json else "result" if quiet else "table" if draws_tables else "turns"
    outcome = _play(seating, service, shows)
    if outcome is not None and outcome.faults:
        sys.exit(1)


def _play(seating: "Seating", service: "Service", shows: str) -> "SessionOutcome | None":
    """Plays and shows; None if the person left."""
    import trio

    from tongits_harness.cli import render
    from tongits_harness.cli.person import LeftError
    from tongits_harness.cli.playing import conduct, document, summary
    from tongits_harness.cli.watching import Watching
    from tongits_harness.logs import silence

    silence()
    console = render.make_console()

    def tell(line: str) -> None:
        if shows == "nothing":
            if line.startswith("!"):
                say(render.printable(line))
        else:
            _print(console, line)

    watching = Watching(
        names=seating.names,
        viewer=seating.guests.person,
        tell=tell,
        shows_turns=shows in {"turns", "table"} and seating.guests.person is None,
        draws_tables=shows == "table" and seating.guests.person is None,
        is_brief=shows == "result",
        games=seating.setup.games,
    )
    _greet(seating, service, tell)
    outcome = None
    try:
        outcome = trio.run(conduct, seating, service, watching)
    except* LeftError:
        tell("")
        tell("you have left the table; the game is not finished")
    if outcome is None:
        return None
    if shows == "nothing":
        render.print_json(document(seating, outcome, str(service.sandbox.level)))
    else:
        for line in summary(seating, outcome, watching):
            tell(line)
        tell(f"the same cards again: --seed {seating.seed}")
    return outcome


def _greet(seating: "Seating", service: "Service", tell: "Tell") -> None:
    setup = seating.setup
    clock = "" if seating.is_timed else ", no clock"
    games = "one game" if setup.games == 1 else f"{setup.games} games"
    tell(f"{setup.rules.name}, {games}, sandbox {service.sandbox.level}{clock}")


def _print(console: "Console", line: str) -> None:
    """A line on stdout, its cards in colour where there are colours.

    Raises:
        LeftError: nobody reads it any more.
    """
    import os

    from tongits_harness.cli import render
    from tongits_harness.cli.person import LeftError
    from tongits_harness.cli.table_view import paint

    text = render.printable(line)
    try:
        if console.color_system is None:
            click.echo(text)
        else:
            console.print(paint(text), soft_wrap=True)
    except (BrokenPipeError, SystemExit) as error:  # rich exits where its pipe is broken
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise LeftError from error
