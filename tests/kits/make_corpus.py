"""Makes `sample_bots/corpus/observations.jsonl`: what a bot may be asked, and what greedy answers.

    .venv/bin/python -m tests.kits.make_corpus

Sample bots and chance play seeded sessions under several rules; of all that was asked an even
choice over phases and kinds of action is kept, each with the action of the Python `greedy`. The
bots of all other languages that play the same strategy must answer the same.
"""

import base64
import hashlib
import importlib.util
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tongits.v1 import table_pb2 as pb
from tongits_bot import Action, View
from tongits_bot.lines import line_of
from tongits_bot.view import Game
from tongits_engine import parse_action, rules_named
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import MatchPlan, sessions_of
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol import wire
from tongits_harness.protocol.decisions import Ask, Chosen

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "sample_bots" / "corpus" / "observations.jsonl"
WANTED = {"tongits-lite": 240, "sa-tong": 160, "tongits-lite+ngalimba": 60, "sa-tong-literal": 60}
"""Rules, and how many observations of games under them."""
SESSIONS = 60
PLAYERS = ("random", "greedy", "cautious", "caller")

Decide = Callable[[View], Action]


@dataclass(frozen=True)
class Asked:
    """One question of a session, with what a process had been told before."""

    started: bytes
    request: bytes

    @property
    def view(self) -> View:
        asked = pb.DecisionRequest.FromString(self.request)
        game = Game(pb.GameStarted.FromString(self.started))
        return View(asked.observation, game, asked.time_left_us, asked.decision_id)


@cache
def player(name: str) -> Decide:
    """The `decide` of a Python sample bot."""
    folder = ROOT / "sample_bots" / "python" / name
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location(f"corpus_{name}", folder / f"{name}_bot.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(str(folder))
    return module.decide


def corpus() -> Iterator[dict[str, object]]:
    """All lines, in their order."""
    for rules, wanted in WANTED.items():
        for number, asked in enumerate(evenly(list(questions(rules)), wanted)):
            yield line(f"{rules}-{number:03}", asked)


def line(name: str, asked: Asked) -> dict[str, object]:
    """One line of the corpus."""
    return {
        "id": name,
        "started": base64.b64encode(asked.started).decode(),
        "request": base64.b64encode(asked.request).decode(),
        "line": json.loads(line_of(asked.view)),
        "greedy": str(player("greedy")(asked.view)),
    }


def questions(rules: str) -> Iterator[Asked]:
    """Everything that is asked in seeded sessions, each question once."""
    seen: set[bytes] = set()
    for number in range(SESSIONS):
        match = MatchPlan(number, f"corpus {rules} {number}", 0, ("a", "b", "c"))
        seed = hashlib.sha256(match.key.encode()).digest()
        limits = PlayLimits(start_s=10, decision_s=1, bank_s=60, faults=3)
        setup = SessionSetup(sessions_of(match, 1)[0], rules_named(rules), seed, 2, limits)
        for asked, view in played(setup, number):
            if view not in seen:
                seen.add(view)
                yield asked


def played(setup: SessionSetup, number: int) -> Iterator[tuple[Asked, bytes]]:
    """One session, and what was asked in it."""
    session, reply, count = play_session(setup), None, 0
    while True:
        try:
            effect = session.send(reply)
        except StopIteration:
            return
        reply = None
        if isinstance(effect, Ask):
            count += 1
            game_id = hashlib.sha256(effect.game.started).hexdigest()[:16].encode()
            asked = Asked(
                pb.GameStarted(game_id=game_id.decode()).SerializeToString() + effect.game.started,
                wire.decision_request(count, game_id, effect.budget_us, effect.view),
            )
            yield asked, effect.view
            decide = player(PLAYERS[(number + effect.seat * (1 + number % 3)) % len(PLAYERS)])
            reply = Chosen(parse_action(str(decide(asked.view))), 1000)


def evenly(asked: list[Asked], wanted: int) -> list[Asked]:
    """As many of each kind of question as there are, up to an even share, in the order asked."""
    kinds: dict[object, list[int]] = defaultdict(list)
    for index, one in enumerate(asked):
        kinds[kind_of(one.view)].append(index)
    taken: list[int] = []
    depth = 0
    while len(taken) < wanted and depth < len(asked):
        for indices in kinds.values():
            if depth < len(indices) and len(taken) < wanted:
                # Spread over the whole of a kind, not its first games only.
                step = max(1, len(indices) // wanted)
                taken.append(indices[(depth * step * 7919) % len(indices)])
        depth += 1
    return [asked[index] for index in sorted(set(taken))]


def kind_of(view: View) -> object:
    """What makes two questions alike: phase, kinds of action, size of the hand, greedy's choice."""
    kinds = tuple(sorted({action.kind for action in view.legal}))
    return view.phase, kinds, len(view.hand) // 3, player("greedy")(view).kind


if __name__ == "__main__":
    CORPUS.parent.mkdir(exist_ok=True)
    lines = [json.dumps(one) for one in corpus()]
    CORPUS.write_text("\n".join(lines) + "\n")
    print(f"{CORPUS.relative_to(ROOT)}: {len(lines)} observations")  # noqa: T201
