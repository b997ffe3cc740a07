"""The control: the same sessions without processes, the honest bots deciding in this process.

What an honest bot chose beside an attacker must be what its own code chooses when it is shown the
same observations here. An attacker that was never charged plays its first legal action, so its
whole session is played anew; of one that was, the record says what it did.
"""

import importlib.util
from collections.abc import Callable
from functools import lru_cache

from tongits.v1 import table_pb2 as pb
from tongits_bot import Action as BotAction
from tongits_bot import View
from tongits_bot.view import Game
from tongits_engine import parse_action
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen, Failed, GameEnded, Reply
from tongits_harness.results.game_view import rules_of
from tongits_harness.results.records import GameRecord, SessionRecord
from tongits_harness.results.secret import tournament_seed

from tests.attacks.seats import HONEST, LIMITS, SAMPLES, Played


@lru_cache
def _decide_of(name: str) -> Callable[[View], BotAction]:
    path = SAMPLES / name / f"{name}_bot.py"
    spec = importlib.util.spec_from_file_location(f"control_{name}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.decide


def course_of(games: tuple[GameRecord, ...]) -> list[tuple[object, ...]]:
    """What a session was, without its times and notes."""
    return [
        (game.dealer, game.deck_digest, game.actions, game.sources, game.winner, game.chips,
         game.termination, game.view_digests)
        for game in games
    ]  # fmt: skip


def play_again(played: Played, session: SessionRecord) -> tuple[GameRecord, ...]:
    """The session's games as they must have been."""
    record = played.record
    assert record is not None
    seed = tournament_seed(played.secret, [entrant.version for entrant in record.entrants])
    limits = PlayLimits(LIMITS["start_s"], LIMITS["decision_s"], 60.0, LIMITS["faults"])
    setup = SessionSetup(session.plan, rules_of(record), seed, len(session.games), limits)
    play = play_session(setup)
    faults = list(session.faults)
    was_charged = bool(faults)
    step = game = 0
    effect, reply = play.send(None), None
    while True:
        if isinstance(effect, GameEnded):
            game, step, reply = game + 1, 0, None
        else:
            stored = session.games[game]
            step = _step_of(stored, effect, session, step)
            name = session.plan.seats[effect.seat]
            if name in HONEST:
                reply = _honest(name, effect)
            elif was_charged and stored.sources[step] == "x":
                fault = faults.pop(0)
                reply = Failed(fault.fault, 0, process_lost=fault.process_lost)
            elif was_charged:
                reply = Chosen(parse_action(stored.actions[step]), 0)
            else:
                reply = Chosen(effect.legal[0], 0)
            step += 1
        try:
            effect = play.send(reply)
        except StopIteration as stop:
            return stop.value.games


def _step_of(stored: GameRecord, _ask: Ask, _session: SessionRecord, step: int) -> int:
    """The next step that was asked: forced ones are not, nor those of a forfeiter."""
    asked = [n for n, source in enumerate(stored.sources) if source == "d"]
    fallback = [n for n, source in enumerate(stored.sources) if source == "x"][:1]
    later = [n for n in sorted([*asked, *fallback]) if n >= step]
    return later[0] if later else len(stored.sources) - 1


def _honest(name: str, ask: Ask) -> Reply:
    started = Game(pb.GameStarted.FromString(ask.game.started))
    view = View(pb.Observation.FromString(ask.view), started, ask.budget_us)
    chosen = _decide_of(name)(view)
    return Chosen(ask.legal[view.legal.index(chosen)], 0)
