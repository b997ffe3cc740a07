"""`tongits replay`: a stored game, decision by decision."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import json_option, results_option, tournament_option

if TYPE_CHECKING:
    from tongits_harness.results.game_view import StepView
    from tongits_harness.results.records import FaultRecord, SessionRecord, TournamentRecord


@click.command()
@click.argument("match")
@click.option("--game", default=0, show_default=True, help="Which game of the session, from 0.")
@click.option("--seating", type=int, help="Which seating, from 0; the first stored by default.")
@click.option(
    "--seat",
    type=click.Choice(["0", "1", "2", "all"]),
    default="all",
    show_default=True,
    help="Show what this seat saw.",
)
@click.option("--table", "draws_tables", is_flag=True, help="Draw the table before every turn.")
@click.option(
    "--bot",
    metavar="BOT",
    help="Ask this bot (a folder or a sample bot) again what SEAT was asked; show what differs.",
)
@click.option("--allow-fetch", is_flag=True, help="Let it get dependencies by its fetch.")
@json_option
@results_option
@tournament_option
def replay(
    match: str,
    game: int,
    seating: int | None,
    seat: str,
    draws_tables: bool,
    bot: str | None,
    allow_fetch: bool,
    as_json: bool,
    results: Path,
    tournament: str | None,
) -> None:
    """Show a game, decision by decision.

    MATCH is a match's number or key as `tongits matches` shows them, or the beginning of a key.
    The engine makes the game again from its shuffle and actions.

    With --bot every recorded observation of one seat, over all games of the session, is sent to a
    fresh process of that bot: the way to reproduce a fault, or to see what a change has changed.
    """
    from tongits_harness.cli import render
    from tongits_harness.cli.stored import find_session

    found = find_session(results, tournament, match, seating)
    found.check_game(game)
    if bot is not None:
        from tongits_harness.cli.rehearse import rehearse_bot

        rehearse_bot(found, seat, bot, results=results, allow_fetch=allow_fetch, as_json=as_json)
        return
    record, session, seed = found.record, found.session, found.seed
    steps = _steps(record, session, game, seed, None if seat == "all" else int(seat))
    if as_json:
        render.print_json(_document(record, session, game, seat, steps))
    else:
        viewer = None if seat == "all" else int(seat)
        tables = _tables(record, session, game, seed, viewer) if draws_tables else {}
        for line in _lines(record, session, game, seat, steps, tables):
            click.echo(render.printable(line))


def _steps(
    record: "TournamentRecord", session: "SessionRecord", game: int, seed: bytes, seat: int | None
) -> "tuple[StepView, ...]":
    from tongits_engine import deck

    from tongits_harness.results.game_view import rules_of, view_game

    cards = deck(seed, session.plan.match.key, game)
    return view_game(rules_of(record), cards, session, game, seat=seat)


def _tables(
    record: "TournamentRecord",
    session: "SessionRecord",
    game: int,
    seed: bytes,
    viewer: int | None,
) -> dict[int, list[str]]:
    """The table before the first step of every turn, as the viewer saw it."""
    from tongits_engine import deck, replay

    from tongits_harness.cli.table_view import draw_table
    from tongits_harness.results.game_view import rules_of

    played, key = session.games[game], session.plan.match.key
    steps = replay(rules_of(record), deck(seed, key, game), played.dealer, played.actions)
    drawn: dict[int, list[str]] = {}
    last: tuple[int, int] | None = None
    for number, step in enumerate(steps):
        turn = (step.before.turn, step.before.to_act)
        if turn != last:
            table = draw_table(step.before, session.plan.seats, viewer=viewer)
            drawn[number] = ["", *table]
        last = turn
    return drawn


def _document(
    record: "TournamentRecord",
    session: "SessionRecord",
    game: int,
    seat: str,
    steps: "Sequence[StepView]",
) -> dict[str, object]:
    played = session.games[game]
    return {
        "tournament": record.name,
        "match": session.plan.match.key,
        "index": session.plan.match.index,
        "seating": session.plan.seating,
        "game": game,
        "rules": record.rules,
        "seats": list(session.plan.seats),
        "dealer": played.dealer,
        "view": seat if seat == "all" else int(seat),
        "steps": [_step_document(step) for step in steps],
        "result": {
            "termination": played.termination,
            "winner": played.winner,
            "deadwood": list(played.deadwood),
            "burned": list(played.burned),
            "payments": list(played.payments),
            "chips": list(played.chips),
        },
    }


def _step_document(step: "StepView") -> dict[str, object]:
    return {
        "step": step.step,
        "seat": step.seat,
        "phase": step.phase,
        "turn": step.turn,
        "legal": step.legal,
        "action": step.action,
        "source": step.source,
        "think_ms": None if step.think_us is None else step.think_us / 1000,
        "hand": step.hand,
        "stock": step.stock,
        "top": step.top,
        "events": list(step.events),
        "note": step.note,
        "faults": [
            {
                "kind": fault.fault.kind.value,
                "charged": fault.charged,
                "forfeit": fault.forfeit,
                "message": fault.fault.message,
                "evidence": dict(fault.fault.evidence),
            }
            for fault in step.faults
        ],
    }


def _lines(
    record: "TournamentRecord",
    session: "SessionRecord",
    game: int,
    seat: str,
    steps: "Sequence[StepView]",
    tables: Mapping[int, Sequence[str]],
) -> Iterator[str]:
    plan, played = session.plan, session.games[game]
    yield (
        f"{record.name} · match #{plan.match.index} {plan.match.key} · seating {plan.seating}"
        f" · game {game} of {len(session.games)} · {record.rules}"
    )
    for number, name in enumerate(plan.seats):
        yield f"seat {number}: {name}{' (deals)' if number == played.dealer else ''}"
    yield f"view: {'all seats' if seat == 'all' else f'what seat {seat} saw'}"
    yield ""
    for step in steps:
        yield from tables.get(step.step, ())
        yield from _step_lines(step)
    yield ""
    yield from _end_lines(session, game)
    yield "d = the bot's decision, f = forced (one legal action), x = fallback after a fault"


def _step_lines(step: "StepView") -> Iterator[str]:
    of = "   " if step.legal is None else f"/{step.legal:<2}"
    think = f"{step.think_us / 1000:.1f} ms" if step.think_us else ""
    yield (
        f"{step.step:4} seat {step.seat} {step.phase:8}{of} {step.action:32} {step.source or ' '}"
        f" {think:>10}  stock {step.stock:2} top {step.top or '--'}  hand {step.hand}"
    ).rstrip()
    for event in step.events[1:]:
        yield f"{'':12}{event}"
    if step.note:
        yield f"{'':12}note: {step.note}"
    for fault in step.faults:
        yield f"{'':12}! {_fault_text(fault)}"


def _fault_text(fault: "FaultRecord") -> str:
    charged = "charged" if fault.charged else "not charged"
    if fault.forfeit:
        charged = "forfeits the match"
    return f"{fault.fault.kind.value} by {fault.entrant} ({charged}): {fault.fault.message}"


def _end_lines(session: "SessionRecord", game: int) -> Iterator[str]:
    played = session.games[game]
    winner = "nobody wins" if played.winner is None else f"seat {played.winner} wins"
    yield f"end: {played.termination}, {winner}"
    for number, name in enumerate(session.plan.seats):
        burned = ", burned" if played.burned[number] else ""
        yield (
            f"seat {number} {name}: {played.payments[number]:+d} paid, {played.chips[number]:+d}"
            f" with ante and pot, deadwood {played.deadwood[number]}{burned}"
        )
