"""A bot asked again what was asked in a stored session: where do its answers differ?

The exact observations of one seat are sent to a fresh process, the session goes on as it is stored.
"""

from dataclasses import dataclass

import trio

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import open_run_folder, stage
from tongits_harness.errors import BotError
from tongits_harness.play.incarnation import ProcessServices
from tongits_harness.play.lane import HouseServices, Lane
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.play.slots import ComputeSlots
from tongits_harness.play.tournament import fault_lines
from tongits_harness.protocol.conversation import Pending
from tongits_harness.protocol.decisions import Ask, Chosen, Failed, GameEnded, Reply
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.results.records import SessionRecord
from tongits_harness.verify.replay import StoredAnswers


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """One decision: what is stored and what the bot answers now."""

    game: int
    step: int
    stored: str
    """The action's text, or the fault's kind and message."""
    now: str

    @property
    def is_same(self) -> bool:
        """The same action, or the same kind of fault."""
        return self.stored == self.now


class _Rehearsing:
    """Sits where a table sits (`lane.Sitter`)."""

    def incarnated(self, lane: Lane, incarnation: str) -> None:
        """A process was told of the game: nothing to remember."""


async def rehearse(
    setup: SessionSetup, stored: SessionRecord, *, seat: int, bot: Bot, sandbox: Sandbox
) -> list[Rehearsed]:
    """Every decision of a seat in a stored session, asked again.

    Raises:
        BotError: the bot does not come up.
    """
    answers = StoredAnswers(stored, setup.limits.bank_us)
    with open_run_folder() as folder:
        staged = await trio.to_thread.run_sync(stage, bot, folder)
        async with Spawner() as spawner, trio.open_nursery() as nursery:
            processes = ProcessServices(
                sandbox, spawner, folder, Limits(), setup.limits, LagMeter()
            )
            lane = Lane(HouseServices(processes, ComputeSlots(1), lambda: None), staged, 0, 1)
            nursery.start_soon(processes.lag.run)
            nursery.start_soon(lane.run)
            report = await lane.start()
            if report.fault is not None:
                details = fault_lines(bot.name, report.fault)
                raise BotError(f"{bot.name} did not come up", details=details)
            found = await _play(setup, answers, seat, lane)
            nursery.cancel_scope.cancel()
    return found


async def _play(
    setup: SessionSetup, answers: StoredAnswers, seat: int, lane: Lane
) -> list[Rehearsed]:
    """The session as it is stored; at `seat` the bot is asked as well."""
    found: list[Rehearsed] = []
    sitter = _Rehearsing()
    lane.sitters.add(sitter)
    play = play_session(setup)
    reply: Reply | None = None
    try:
        while True:
            effect = play.send(reply)
            reply = None
            if isinstance(effect, GameEnded):
                lane.tell_over(effect.game_ids[seat], effect.over[seat])
                answers.next_game()
                continue
            reply = answers.to(effect)
            if effect.seat == seat:
                now = await _ask(lane, sitter, effect)
                found.append(Rehearsed(*answers.place, _text(reply), _text(now)))
    except StopIteration:
        return found


async def _ask(lane: Lane, sitter: _Rehearsing, ask: Ask) -> Reply | str:
    """The bot's answer, or why this machine could not judge it."""
    answered = trio.Event()
    got: list[Reply | str] = []

    def take(answer: Reply | str) -> None:
        got.append(answer)
        answered.set()

    lane.submit(Pending(ask, take, take), sitter)
    await answered.wait()
    return got[0]


def _text(answer: Reply | str) -> str:
    match answer:
        case Chosen():
            return answer.action.text
        case Failed():
            return f"{answer.fault.kind}: {answer.fault.message}"
        case _:
            return answer
