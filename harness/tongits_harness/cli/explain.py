"""`tongits explain`: what several bots would do at a recorded decision."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import json_option, results_option, tournament_option
from tongits_harness.errors import BotError, ConfigError, UsageError

if TYPE_CHECKING:
    from tongits_harness.bots.manifest import Bot
    from tongits_harness.cli.stored import StoredSession
    from tongits_harness.verify.opinions import Opinions, Wanted
    from tongits_harness.verify.replay import Recorded


@click.command()
@click.argument("match")
@click.argument("step", type=int, metavar="[DECISION]", required=False)
@click.option(
    "--bots",
    metavar="BOT,...",
    help="Whom to ask: folders, sample bots, submitted versions; by default those that played.",
)
@click.option("--game", default=0, show_default=True, help="Which game of the session, from 0.")
@click.option("--seating", type=int, help="Which seating, from 0; the first stored by default.")
@click.option("--seat", type=click.IntRange(0, 2), help="With --all: only decisions of this seat.")
@click.option("--all", "asks_all", is_flag=True, help="Every decision of the game.")
@click.option(
    "--times", type=click.IntRange(1, 1000), default=1, show_default=True,
    help="Ask so often, with other chance each time.",
)  # fmt: skip
@click.option("--allow-fetch", is_flag=True, help="Let bots get dependencies by their fetch.")
@json_option
@results_option
@tournament_option
def explain(
    match: str,
    step: int | None,
    bots: str | None,
    game: int,
    seating: int | None,
    seat: int | None,
    asks_all: bool,
    times: int,
    allow_fetch: bool,
    as_json: bool,
    results: Path,
    tournament: str | None,
) -> None:
    """Show what several bots would do at a decision.

    MATCH is a match's number or key, DECISION the number at the beginning of a line of
    `tongits replay MATCH`. Each bot is told the game as it had gone, in a sandboxed process of its
    own, and asked what was asked then; where they disagree is said.

    With --all every decision of the game is asked; those where bots differ are listed, and how
    often each two of them agree.
    """
    from tongits_harness.cli import opinions_text, render
    from tongits_harness.cli.stored import find_session

    if (step is None) is not asks_all:
        raise UsageError("give the number of a decision (see `tongits replay MATCH`), or --all")
    found = find_session(results, tournament, match, seating)
    found.check_game(game)
    wanted = _of_game(game, seat) if step is None else _one_step(found, game, step)
    asked = _bots(found, bots, results)
    opinions, failed = _ask(found, wanted, asked, times, results, allow_fetch=allow_fetch)
    if as_json:
        render.print_json(opinions_text.document(found, game, opinions, failed))
        return
    if asks_all:
        lines = opinions_text.all_lines(found, game, opinions)
    else:
        lines = opinions_text.one_lines(found, opinions[0])
    for line in (*lines, *opinions_text.failure_lines(failed)):
        click.echo(render.printable(line))


def _of_game(game: int, seat: int | None) -> "Wanted":
    return lambda asked: asked.game == game and seat in {None, asked.ask.seat}


def _one_step(found: "StoredSession", game: int, step: int) -> "Wanted":
    """Exactly that decision.

    Raises:
        ConfigError: Nothing was asked there; names the decisions nearest to it.
    """
    from tongits_harness.verify.opinions import recorded_decisions

    steps = [
        asked.step for asked in recorded_decisions(found.setup, found.session) if asked.game == game
    ]
    if step not in steps:
        near = sorted(sorted(steps, key=lambda other: abs(other - step))[:3])
        raise ConfigError(
            f"there is no decision {step} in game {game} (an action without a choice is none);"
            f" the nearest are {', '.join(map(str, near)) or 'none'}"
        )

    def is_it(asked: "Recorded") -> bool:
        return (asked.game, asked.step) == (game, step)

    return is_it


def _bots(found: "StoredSession", words: str | None, results: Path) -> dict[str, "Bot"]:
    """Whom to ask, by the word that names it.

    Raises:
        ConfigError: A bot that was named cannot be found; or none of those that played can.
    """
    from tongits_harness.bots.manifest import load_bot
    from tongits_harness.cli.talk import say
    from tongits_harness.samples import find_bot

    if words is not None:
        named = dict.fromkeys(word.strip() for word in words.split(",") if word.strip())
        return {word: load_bot(find_bot(word, Path(), results)) for word in named}
    bots: dict[str, Bot] = {}
    sources = {entrant.name: entrant.source for entrant in found.record.entrants}
    for name in found.session.plan.seats:
        try:
            bots[name] = load_bot(find_bot(sources[name], Path(), results))
        except ConfigError as error:
            say(f"{name} is left out: {error}")
    if not bots:
        raise ConfigError("none of the bots that played can be found here: name some with --bots")
    return bots


def _ask(
    found: "StoredSession",
    wanted: "Wanted",
    bots: Mapping[str, "Bot"],
    times: int,
    results: Path,
    *,
    allow_fetch: bool,
) -> "tuple[list[Opinions], Mapping[str, BotError]]":
    import trio

    from tongits_harness.cli.building import build_own
    from tongits_harness.cli.isolation import open_own_sandbox
    from tongits_harness.cli.talk import say
    from tongits_harness.logs import silence
    from tongits_harness.verify.opinions import gather_opinions

    sandbox = open_own_sandbox("auto")

    async def ask_all() -> "tuple[list[Opinions], Mapping[str, BotError]]":
        built = await build_own(bots, sandbox, results, allow_fetch=allow_fetch, say=say)
        return await gather_opinions(
            found.setup, found.session, wanted, built, sandbox, times=times
        )

    silence()
    return trio.run(ask_all)
