"""`tongits replay MATCH --seat S --bot BOT`: a bot asked again what a stored session asked."""

from pathlib import Path

import click
import trio

from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.sandbox import Sandbox, open_sandbox
from tongits_harness.cli import render
from tongits_harness.cli.talk import say
from tongits_harness.errors import SandboxUnavailableError, UsageError
from tongits_harness.logs import silence
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.session import SessionSetup
from tongits_harness.results.game_view import rules_of
from tongits_harness.results.records import SessionRecord, TournamentRecord
from tongits_harness.samples import find_bot
from tongits_harness.verify.rehearsal import rehearse


def rehearse_bot(
    record: TournamentRecord,
    session: SessionRecord,
    seed: bytes,
    seat: str,
    word: str,
    *,
    as_json: bool,
) -> None:
    """Prints every decision of the seat in which the bot answers otherwise than is stored."""
    if seat == "all":
        raise UsageError("--bot needs --seat 0, 1 or 2: the seat whose decisions it is asked")
    settings = record.settings
    setup = SessionSetup(
        plan=session.plan,
        rules=rules_of(record),
        seed=seed,
        games=len(session.games),
        limits=PlayLimits(**settings["limits"]),  # type: ignore[arg-type]  # as stored by asdict
    )
    bot = load_bot(find_bot(word, Path()))
    number, sandbox = int(seat), _sandbox()

    async def ask_all() -> list[dict[str, object]]:
        found = await rehearse(setup, session, seat=number, bot=bot, sandbox=sandbox)
        return [
            {"game": r.game, "step": r.step, "stored": r.stored, "now": r.now, "same": r.is_same}
            for r in found
        ]

    silence()
    decisions = trio.run(ask_all)
    if as_json:
        render.print_json({"entrant": session.plan.seats[number], "decisions": decisions})
        return
    for one in decisions:
        if not one["same"]:
            place = f"game {one['game']} step {one['step']}"
            click.echo(render.printable(f"{place}: {one['stored']} is stored, now {one['now']}"))
    same = sum(bool(one["same"]) for one in decisions)
    click.echo(f"{same} of {len(decisions)} decisions of {session.plan.seats[number]} are the same")


def _sandbox() -> Sandbox:
    """One's own bot may be asked without a sandbox too, after a loud warning."""
    try:
        return open_sandbox("auto")
    except SandboxUnavailableError as error:
        say("WARNING: this bot runs WITHOUT a sandbox on this machine.", str(error))
        return open_sandbox("none")
