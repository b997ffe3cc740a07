"""A bot asked again what was asked in a stored session: where do its answers differ?

The exact observations of one seat are sent to a fresh process, the session goes on as it is stored.
"""

from dataclasses import dataclass

from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.play.lane import Lane
from tongits_harness.play.quick import ask_lane, open_lanes
from tongits_harness.play.session import SessionSetup
from tongits_harness.protocol.decisions import GameEnded
from tongits_harness.results.records import SessionRecord
from tongits_harness.verify.replay import retrace
from tongits_harness.verify.situation import Answer, Situation


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """One decision: what is stored and what the bot answers now."""

    at: Situation
    now: Answer

    @property
    def is_same(self) -> bool:
        """The same action, or the same kind of fault."""
        return self.at.stored == self.now.text


class Asking:
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
    found: list[Rehearsed] = []
    async with open_lanes({seat: bot}, sandbox, setup.limits) as lanes:
        lane, sitter = lanes[seat], Asking()
        lane.sitters.add(sitter)
        for step in retrace(setup, stored):
            if isinstance(step, GameEnded):
                lane.tell_over(step.game_ids[seat], step.over[seat])
            elif step.ask.seat == seat:
                now = await ask_lane(lane, sitter, step.ask)
                found.append(Rehearsed(Situation.of(step), Answer.of(now)))
    return found
