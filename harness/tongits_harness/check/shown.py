"""A question as text, for its author: the observation in JSON, or a line to keep in a file."""

import base64
import json
from collections.abc import Mapping

from tongits.v1 import table_pb2 as pb
from tongits_engine import card_text

from tongits_harness.check.questions import Question
from tongits_harness.errors import ConfigError
from tongits_harness.protocol import codec, wire
from tongits_harness.protocol.decisions import Ask, SeatGame


def observation_text(view: bytes) -> str:
    """What a seat saw, on one line, with cards and actions as texts."""
    seen = pb.Observation.FromString(view)
    told: dict[str, object] = {
        "seat": seen.seat,
        "phase": pb.Phase.Name(seen.phase).removeprefix("PHASE_").lower(),
        "turn": seen.turn,
        "hand": _cards(seen.hand),
        "hand_sizes": list(seen.hand_sizes),
        "opened": list(seen.opened),
        "stock_size": seen.stock_size,
        "discards": _cards(seen.discards),
        "melds": [{"owner": meld.owner, "cards": _cards(meld.cards)} for meld in seen.melds],
        "legal": _legal(seen),
    }
    if seen.HasField("caller"):
        told |= {"caller": seen.caller, "challengers": list(seen.challengers)}
    return json.dumps(told)


def _cards(cards: bytes) -> str:
    return " ".join(map(card_text, cards))


def _legal(seen: pb.Observation) -> list[str]:
    found = map(codec.read_action, seen.legal)
    return [action.text if action else "?" for action in found]


def saved_line(one: Question, budget_us: int) -> Mapping[str, object]:
    """A question as a line of the corpus of the kits holds one, without the expected answer."""
    game_id = one.ask.game.game_id
    started = pb.GameStarted(game_id=game_id.decode()).SerializeToString() + one.ask.game.started
    request = wire.decision_request(1, game_id, budget_us, one.ask.view)
    return {
        "id": one.name,
        "started": base64.b64encode(started).decode(),
        "request": base64.b64encode(request).decode(),
        "observation": json.loads(observation_text(one.ask.view)),
    }


def read_questions(text: str, origin: str) -> list[Question]:
    """Questions out of such lines, or out of the corpus.

    Raises:
        ConfigError: a line is none; it is named.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(_read(json.loads(line), f"{origin}:{number}"))
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(
                f"{origin}:{number}: is no saved question ({type(error).__name__}: {error}); "
                "give a file that `tongits check --save` wrote, or a corpus.jsonl"
            ) from error
    return found


def _read(line: Mapping[str, str], place: str) -> Question:
    started = pb.GameStarted.FromString(base64.b64decode(line["started"], validate=True))
    request = pb.DecisionRequest.FromString(base64.b64decode(line["request"], validate=True))
    started.ClearField("game_id")
    told = started.SerializeToString(deterministic=True)
    view = request.observation.SerializeToString()
    legal = tuple(a for a in map(codec.read_action, request.observation.legal) if a is not None)
    if len(legal) < len(request.observation.legal) or not legal:
        raise ValueError("its legal actions cannot be read")
    game = SeatGame(b"", told, lambda: told)
    name = f"{place} ({line.get('id', 'no id')})"
    return Question(name, Ask(started.seat, game, view, legal, request.time_left_us)).fresh()
