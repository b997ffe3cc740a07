"""`tongits replay MATCH --seat S --bot BOT`: a bot asked again what a stored session asked."""

from collections.abc import Iterator
from pathlib import Path

import click
import trio

from tongits_harness.bots.manifest import load_bot
from tongits_harness.cli import render
from tongits_harness.cli.building import build_own
from tongits_harness.cli.isolation import open_own_sandbox
from tongits_harness.cli.talk import say
from tongits_harness.errors import UsageError
from tongits_harness.logs import silence
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.session import SessionSetup
from tongits_harness.play.tournament import fault_lines
from tongits_harness.results.game_view import rules_of
from tongits_harness.results.records import SessionRecord, TournamentRecord
from tongits_harness.samples import find_bot
from tongits_harness.text import safe_text
from tongits_harness.verify.rehearsal import Rehearsed, rehearse


def rehearse_bot(
    record: TournamentRecord,
    session: SessionRecord,
    seed: bytes,
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
    settings = record.settings
    setup = SessionSetup(
        plan=session.plan,
        rules=rules_of(record),
        seed=seed,
        games=len(session.games),
        limits=PlayLimits(**settings["limits"]),  # type: ignore[arg-type]  # as stored by asdict
    )
    bot = load_bot(find_bot(word, Path(), results))
    number, sandbox = int(seat), open_own_sandbox("auto")

    async def ask_all() -> list[Rehearsed]:
        built = await build_own({bot.name: bot}, sandbox, results, allow_fetch=allow_fetch, say=say)
        return await rehearse(setup, session, seat=number, bot=built[bot.name], sandbox=sandbox)

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
    fault = one.fault
    return {
        "game": one.game,
        "step": one.step,
        "stored": one.stored,
        "now": one.now,
        "same": one.is_same,
        "turn": one.turn,
        "phase": one.phase,
        "hand": one.hand,
        "top": one.top,
        "legal": list(one.legal),
        "note": one.note,
        "evidence": None if fault is None else dict(fault.evidence),
    }


def _lines(name: str, one: Rehearsed) -> Iterator[str]:
    """A decision that differs, with what was asked."""
    yield f"game {one.game} step {one.step}: {one.stored} is stored, now {one.now}"
    yield (
        f"    turn {one.turn}, {one.phase}, top {one.top or '--'}, hand {one.hand},"
        f" {len(one.legal)} choices"
    )
    if one.note:
        yield f"    note: {safe_text(one.note)}"
    if one.fault is not None:
        for line in fault_lines(name, one.fault)[1:]:
            yield f"  {line}"
