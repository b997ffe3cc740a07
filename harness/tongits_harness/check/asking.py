"""Asks one lane from outside a tournament: single questions, or a whole session of games."""

from collections.abc import Callable
from dataclasses import dataclass, field

import trio
from tongits.v1 import table_pb2 as pb

from tongits_harness.check.questions import Choose, Question, question
from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.lane import Lane
from tongits_harness.play.quick import ask_lane
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen, Failed, GameEnded, Reply

_TRIES = 3
"""How often a decision is asked that the machine was too slow to judge."""
_VOID = pb.GameOver(termination=pb.TERMINATION_VOID, payments=(0, 0, 0)).SerializeToString()


@dataclass(frozen=True, slots=True)
class Answered:
    """A decision and what came of it."""

    where: str
    ask: Ask
    reply: Reply
    question: Question | None = None
    """The same cut out of its game, if it went wrong."""


@dataclass(slots=True, eq=False)
class Asker:
    """Sits at a lane where a table sits (`lane.Sitter`)."""

    lane: Lane
    voids: int = 0
    """Decisions that the machine was too slow to judge."""
    answered: list[Answered] = field(default_factory=list)
    """All that was asked in sessions, in order."""

    def __post_init__(self) -> None:
        """Sits down."""
        self.lane.sitters.add(self)

    def incarnated(self, lane: Lane, incarnation: str) -> None:
        """A process was told of a game: nothing to remember."""

    async def ask_once(self, one: Question) -> Reply:
        """The answer to a question in a game of its own, which then is over."""
        one = one.fresh()
        reply = await self.ask(one.ask)
        self.lane.tell_over(one.ask.game.game_id, _VOID)
        return reply

    async def ask(self, ask: Ask, *, meanwhile: Callable[[], None] = lambda: None) -> Reply:
        """The bot's answer; a fault of the harness if this machine cannot judge it.

        `meanwhile` is called once the question is on its way.
        """
        reason = ""
        for _ in range(_TRIES):
            got = await self._try(ask, meanwhile)
            if not isinstance(got, str):
                return got
            self.voids += 1
            reason = got
        message = f"the machine was too slow to judge a decision: {reason}"
        return Failed(Fault(FaultKind.HARNESS, Blame.HARNESS, Phase.DECISION, message), 0)

    async def _try(self, ask: Ask, meanwhile: Callable[[], None]) -> Reply | str:
        token = trio.lowlevel.current_trio_token()
        # One turn of the event loop later the question has been sent.
        token.run_sync_soon(token.run_sync_soon, meanwhile)
        return await ask_lane(self.lane, self, ask)

    async def play(
        self,
        setup: SessionSetup,
        seat: int,
        choose: Choose,
        *,
        where: str,
        before: Callable[[int], Callable[[], None]] = lambda _number: lambda: None,
    ) -> list[Answered]:
        """A session with the bot at one seat; the others choose by themselves.

        `before(n)` gives what is to be done while the bot's decision number n is on its way. The
        session ends early if the bot fails.
        """
        found: list[Answered] = []
        play = play_session(setup)
        reply: Reply | None = None
        try:
            while True:
                effect = play.send(reply)
                reply = None
                if isinstance(effect, GameEnded):
                    self.lane.tell_over(effect.game_ids[seat], effect.over[seat])
                elif effect.seat != seat:
                    reply = Chosen(choose(effect.legal), 0)
                else:
                    place = f"{where}, decision {len(found)}"
                    answer = await self.ask(effect, meanwhile=before(len(found)))
                    found.append(_answered(place, effect, answer))
                    reply = answer
                    if isinstance(answer, Failed):
                        self.lane.tell_over(effect.game.game_id, _VOID)
                        return found
        except StopIteration:
            return found
        finally:
            play.close()
            self.answered += found


def _answered(where: str, ask: Ask, reply: Reply) -> Answered:
    return Answered(where, ask, reply, question(where, ask) if isinstance(reply, Failed) else None)
