"""A bot asked again what was asked in a stored session: where do its answers differ?

The exact observations of one seat are sent to a fresh process, the session goes on as it is stored.
"""

from dataclasses import dataclass

from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.play.lane import Lane
from tongits_harness.play.quick import ask_lane, open_lanes
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol.decisions import Chosen, Failed, GameEnded, Reply
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
    async with open_lanes({seat: bot}, sandbox, setup.limits) as lanes:
        return await _play(setup, answers, seat, lanes[seat])


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
                now = await ask_lane(lane, sitter, effect)
                found.append(Rehearsed(*answers.place, _text(reply), _text(now)))
    except StopIteration:
        return found


def _text(answer: Reply | str) -> str:
    match answer:
        case Chosen():
            return answer.action.text
        case Failed():
            return f"{answer.fault.kind}: {answer.fault.message}"
        case _:
            return answer
