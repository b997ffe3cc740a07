"""`tongits replay MATCH --seat S --bot BOT`: a bot asked again what a stored session asked."""

from collections.abc import Iterator
from pathlib import Path

import click
import trio

from tongits_harness.bots.manifest import load_bot
from tongits_harness.cli import render
from tongits_harness.cli.building import build_own
from tongits_harness.cli.isolation import open_own_sandbox
from tongits_harness.cli.stored import StoredSession
from tongits_harness.cli.talk import say
from tongits_harness.errors import UsageError
from tongits_harness.logs import silence
from tongits_harness.play.tournament import fault_lines
from tongits_harness.samples import find_bot
from tongits_harness.text import safe_text
from tongits_harness.verify.rehearsal import Rehearsed, rehearse


def rehearse_bot(
    found: StoredSession,
    seat: str,
    word: str,
    *,
    results: Path,
    allow_fetch: bool,
    as_json: bool,
) -> None:
    """Prints every decision of the seat in which the bot answers otherwise than is stored."""
    if seat == "all":
        raise UsageError("--bot needs --seat 0, 1 or 2: the seat whose decisions it is asked")
    session = found.session
    bot = load_bot(find_bot(word, Path(), results))
    number, sandbox = int(seat), open_own_sandbox("auto")

    async def ask_all() -> list[Rehearsed]:
        built = await build_own({bot.name: bot}, sandbox, results, allow_fetch=allow_fetch, say=say)
        return await rehearse(
            found.setup, session, seat=number, bot=built[bot.name], sandbox=sandbox
        )

    silence()
    decisions = trio.run(ask_all)
    entrant = session.plan.seats[number]
    if as_json:
        render.print_json({"entrant": entrant, "decisions": [_document(r) for r in decisions]})
        return
    for one in decisions:
        if not one.is_same:
            for line in _lines(bot.name, one):
                click.echo(render.printable(line))
    same = sum(one.is_same for one in decisions)
    click.echo(f"{same} of {len(decisions)} decisions of {entrant} are the same")


def _document(one: Rehearsed) -> dict[str, object]:
    at, fault = one.at, one.now.fault
    return {
        "game": at.game,
        "step": at.step,
        "stored": at.stored,
        "now": one.now.text,
        "same": one.is_same,
        "turn": at.turn,
        "phase": at.phase,
        "hand": at.hand,
        "top": at.top,
        "legal": list(at.legal),
        "note": one.now.note,
        "evidence": None if fault is None else dict(fault.evidence),
    }


def _lines(name: str, one: Rehearsed) -> Iterator[str]:
    """A decision that differs, with what was asked."""
    at = one.at
    yield f"game {at.game} step {at.step}: {at.stored} is stored, now {one.now.text}"
    yield (
        f"    turn {at.turn}, {at.phase}, top {at.top or '--'}, hand {at.hand},"
        f" {len(at.legal)} choices"
    )
    if one.now.note:
        yield f"    note: {safe_text(one.now.note)}"
    if one.now.fault is not None:
        for line in fault_lines(name, one.now.fault)[1:]:
            yield f"  {line}"
