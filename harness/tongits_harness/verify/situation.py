"""A recorded decision as it is shown, and what a bot answers to it."""

from dataclasses import dataclass

from tongits.v1 import table_pb2 as pb
from tongits_engine import cards_text

from tongits_harness.faults import Fault
from tongits_harness.protocol.decisions import Chosen, Failed, Reply
from tongits_harness.verify.replay import Recorded


@dataclass(frozen=True, slots=True)
class Situation:
    """Where it was, what the seat saw, what is stored."""

    game: int
    step: int
    seat: int
    turn: int
    phase: str
    hand: str
    top: str
    """The top of the discard pile, if there is one."""
    legal: tuple[str, ...]
    stored: str
    """The action's text, or the fault's kind and message."""

    @classmethod
    def of(cls, recorded: Recorded) -> "Situation":
        """Read from the exact bytes that were sent."""
        seen = pb.Observation.FromString(recorded.ask.view)
        return cls(
            game=recorded.game,
            step=recorded.step,
            seat=recorded.ask.seat,
            turn=seen.turn,
            phase=pb.Phase.Name(seen.phase).removeprefix("PHASE_").lower(),
            hand=cards_text(seen.hand),
            top=cards_text(seen.discards[-1:]),
            legal=tuple(action.text for action in recorded.ask.legal),
            stored=Answer.of(recorded.reply).text,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot says now."""

    text: str
    """The action's text; the fault's kind and message; why it could not be judged."""
    elapsed_us: int = 0
    note: str = ""
    fault: Fault | None = None
    """What it did wrong."""

    @classmethod
    def of(cls, reply: Reply | str) -> "Answer":
        """Of what came back; a text says why this machine could not judge."""
        match reply:
            case Chosen():
                return cls(reply.action.text, reply.elapsed_us, reply.note)
            case Failed():
                text = f"{reply.fault.kind}: {reply.fault.message}"
                return cls(text, reply.elapsed_us, fault=reply.fault)
            case _:
                return cls(reply)
