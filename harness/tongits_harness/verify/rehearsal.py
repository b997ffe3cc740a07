"""A bot asked again what was asked in a stored session: where do its answers differ?

The exact observations of one seat are sent to a fresh process, the session goes on as it is stored.
"""

from dataclasses import dataclass

from tongits.v1 import table_pb2 as pb
from tongits_engine import cards_text

from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.faults import Fault
from tongits_harness.play.lane import Lane
from tongits_harness.play.quick import ask_lane, open_lanes
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen, Failed, GameEnded, Reply
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
    turn: int
    phase: str
    hand: str
    top: str
    """The top of the discard pile, if there is one."""
    legal: tuple[str, ...]
    note: str
    """What the bot wrote beside its answer now."""
    fault: Fault | None
    """What it did wrong now."""

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
                found.append(_rehearsed(answers.place, effect, reply, now))
    except StopIteration:
        return found


def _rehearsed(
    place: tuple[int, int], ask: Ask, stored: Reply | str, now: Reply | str
) -> Rehearsed:
    seen = pb.Observation.FromString(ask.view)
    return Rehearsed(
        *place,
        _text(stored),
        _text(now),
        turn=seen.turn,
        phase=pb.Phase.Name(seen.phase).removeprefix("PHASE_").lower(),
        hand=cards_text(seen.hand),
        top=cards_text(seen.discards[-1:]),
        legal=tuple(action.text for action in ask.legal),
        note=now.note if isinstance(now, Chosen) else "",
        fault=now.fault if isinstance(now, Failed) else None,
    )


def _text(answer: Reply | str) -> str:
    match answer:
        case Chosen():
            return answer.action.text
        case Failed():
            return f"{answer.fault.kind}: {answer.fault.message}"
        case _:
            return answer
