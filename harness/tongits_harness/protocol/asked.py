"""What a bot was asked, in words: from the exact bytes of a stored request."""

from google.protobuf.message import DecodeError
from tongits.v1 import table_pb2 as pb
from tongits_engine import cards_text

from tongits_harness.protocol.codec import read_action

_PHASES = {pb.PHASE_START: "start", pb.PHASE_ACTION: "action", pb.PHASE_RESPOND: "respond"}


def asked_text(request: bytes) -> str:
    """One line: turn, phase, hand, what lies open, and the legal actions by their numbers."""
    try:
        view = pb.DecisionRequest.FromString(request).observation
    except DecodeError:
        return "cannot be read"
    melds = " | ".join(
        f"{number} {cards_text(meld.cards) or f'{meld.size} face down'}"
        for number, meld in enumerate(view.melds)
    )
    actions = [read_action(message) for message in view.legal]
    legal = " | ".join(f"{n} {action.text if action else '?'}" for n, action in enumerate(actions))
    return (
        f"turn {view.turn}, phase {_PHASES.get(view.phase, '?')}, hand {cards_text(view.hand)},"
        f" discards {cards_text(view.discards) or 'none'}, melds {melds or 'none'}; legal: {legal}"
    )
