"""A quick game conducted: bots built and started, guests welcomed, the session played and told."""

import base64
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tongits_engine import SEATS, cards_text, deck

from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.cli.building import build_own
from tongits_harness.cli.person import PersonPlayer, stdin_lines
from tongits_harness.cli.seating import MATCH_KEY, Seating
from tongits_harness.cli.watching import Watching
from tongits_harness.errors import ConfigError
from tongits_harness.faults import Fault
from tongits_harness.play.attached import Invitation, open_attached
from tongits_harness.play.incarnation import Incarnation
from tongits_harness.play.quick import BotPlayer, Player, open_lanes, play_quick
from tongits_harness.play.session import SessionOutcome
from tongits_harness.results.records import FaultRecord, GameRecord
from tongits_harness.text import safe_text


class Say(Protocol):
    """Takes lines."""

    def __call__(self, *lines: str) -> None:
        """Says them."""


@dataclass(frozen=True, slots=True)
class Service:
    """What a game is played with."""

    sandbox: Sandbox
    results: Path
    """Where builds are kept."""
    allow_fetch: bool
    wait_s: float
    """How long to wait for an attached process."""
    env_file: Path | None
    """Where its two variables are written for an IDE."""
    say: Say
    """Talk, on stderr."""
    prompt: Callable[[str], None]


async def conduct(seating: Seating, service: Service, watching: Watching) -> SessionOutcome:
    """Plays the session.

    Raises:
        BotError: a bot could not be built or did not come up, or nobody attached.
        LeftError: the person left the table.
    """
    bots = await _built(seating.bots, service)
    async with AsyncExitStack() as stack:
        players: dict[int, Player] = {}
        if (seat := seating.guests.person) is not None:
            players[seat] = PersonPlayer(
                seat, watching, stdin_lines(), watching.tell, service.prompt
            )
        lanes = await stack.enter_async_context(
            open_lanes(
                bots,
                service.sandbox,
                seating.setup.limits,
                is_timed=seating.is_timed,
                parted=_parted(watching),
            )
        )
        watching.prints.lanes = lanes
        for seat, lane in lanes.items():
            players[seat] = BotPlayer(lane, seating.setup.limits, service.say)
        if (seat := seating.guests.attached) is not None:
            players[seat] = await stack.enter_async_context(
                open_attached(
                    seating.setup.limits,
                    wait_s=service.wait_s,
                    invite=lambda invitation: _invite(invitation, service),
                    ended=lambda fault: _tell_end(fault, service.say),
                )
            )
            service.say("attached: the game begins")
        a, b, c = (players[seat] for seat in range(SEATS))
        return await play_quick(seating.setup, (a, b, c), watching)


def document(seating: Seating, outcome: SessionOutcome, sandbox: str) -> dict[str, object]:
    """The session in JSON; each game can be given to `tongits referee` as it is."""
    return {
        "rules": seating.setup.rules.name,
        "seed": seating.seed,
        "sandbox": sandbox,
        "seats": [
            {
                "name": name,
                "version": seating.bots[seat].digest if seat in seating.bots else None,
                "chips": outcome.seats[seat].chips,
                "decisions": outcome.seats[seat].decisions,
                "faults": sum(fault.seat == seat for fault in outcome.faults),
                "forfeited": outcome.seats[seat].forfeited,
            }
            for seat, name in enumerate(seating.names)
        ],
        "games": [_game(seating, number, game) for number, game in enumerate(outcome.games)],
        "faults": [_fault(fault) for fault in outcome.faults],
    }


def summary(seating: Seating, outcome: SessionOutcome, watching: Watching) -> Iterator[str]:
    """What is left to say when the games are told: decisions, thinking time, faults, chips."""
    for seat, (name, record) in enumerate(zip(seating.names, outcome.seats, strict=True)):
        times = sorted(watching.thought_us[seat])
        think = ""
        if times:
            median, longest = times[len(times) // 2] / 1000, times[-1] / 1000
            think = f", median {median:.1f} ms, longest {longest:.1f} ms"
        faults = sum(fault.seat == seat for fault in outcome.faults)
        forfeited = ", FORFEITED" if record.forfeited else ""
        yield (
            f"  {seat} {name:<20.20} {record.chips:+4d} chips, {record.decisions} decisions"
            f"{think}, {faults} faults{forfeited}"
        )


def _game(seating: Seating, number: int, game: GameRecord) -> dict[str, object]:
    cards = deck(seating.setup.seed, MATCH_KEY, number)
    return {
        "rules": seating.setup.rules.name,
        "deck": cards_text(cards).split(),
        "dealer": game.dealer,
        "actions": list(game.actions),
        "sources": game.sources,
        "elapsed_us": list(game.elapsed_us),
        "notes": {str(step): note for step, note in game.notes.items()},
        "result": {
            "termination": game.termination,
            "winner": game.winner,
            "deadwood": list(game.deadwood),
            "burned": list(game.burned),
            "payments": list(game.payments),
            "chips": list(game.chips),
        },
    }


def _fault(record: FaultRecord) -> dict[str, object]:
    return {
        "seat": record.seat,
        "entrant": record.entrant,
        "game": record.game,
        "step": record.step,
        "kind": record.fault.kind.value,
        "phase": record.fault.phase.value,
        "forfeit": record.forfeit,
        "message": record.fault.message,
        "evidence": dict(record.fault.evidence),
        "request": base64.b64encode(record.observation).decode(),
    }


def _invite(invitation: Invitation, service: Service) -> None:
    variables = {"TONGITS_ADDRESS": invitation.address, "TONGITS_TOKEN": invitation.token}
    if invitation.is_again:
        service.say(f"start your program again; waiting {invitation.wait_s:g} s, the game goes on")
        return
    service.say(
        f"start your program with these two variables; waiting {invitation.wait_s:g} s for it:",
        *(f"export {name}={value}" for name, value in variables.items()),
    )
    if service.env_file is not None:
        _write(service.env_file, "".join(f"{n}={v}\n" for n, v in variables.items()))
        service.say(f"they are in {service.env_file} too")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise ConfigError(
            f"{path}: {error.strerror}; name a file that can be written with --env-file"
        ) from error


def _tell_end(fault: Fault | None, say: Say) -> None:
    """Why the attached process is gone; it is not judged for that."""
    if fault is None:
        say("the attached program has ended its stream, or ended itself")
    else:
        say(f"! {fault.kind} of the attached program: {safe_text(fault.message)}")


def _parted(watching: Watching) -> Callable[[Incarnation], None]:
    def parted(incarnation: Incarnation) -> None:
        process = incarnation.process
        if process is not None:
            watching.parted(process.incarnation, process.stdout, process.stderr)

    return parted


async def _built(bots: dict[int, Bot], service: Service) -> dict[int, Bot]:
    """The bots with what their builds have made."""
    built = await build_own(
        {f"seat {seat} {bot.name}": bot for seat, bot in bots.items()},
        service.sandbox,
        service.results,
        allow_fetch=service.allow_fetch,
        say=service.say,
    )
    return dict(zip(bots, built.values(), strict=True))
