"""Whole games of sample bots inside the test process: the engine deals, bots see the SDK's View."""

import importlib.util
import json
import sys
from random import Random

from tongits.v1 import table_pb2 as pb2
from tongits_bot import Game, View
from tongits_engine import apply_legal, deal, legal_actions, observe, rules_named, settle

from tests.bots.scripted_table import SAMPLE_BOTS

BOTS = ("random", "greedy", "cautious", "caller", "planner")
ROTATIONS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
VARIANTS = ("tongits-lite", "sa-tong")


def load_decide(name):
    """The `decide` of a sample bot, from its file, as the bot's own process has it."""
    folder = SAMPLE_BOTS / "python" / name
    file = folder / f"{name}_bot.py"
    spec = importlib.util.spec_from_file_location(f"sample_{name}", file)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module.decide


def started(rules, seat=0, dealer=0, game_id="game", bot_seed=b"bot seed"):
    values = {name: json.dumps(value) for name, value in rules.parameters().items()}
    return pb2.GameStarted(
        game_id=game_id, rules=rules.name, parameters=values, seat=seat, dealer=dealer,
        bot_seed=bot_seed, pot=6, streaks=[0, 0, 0],
    )  # fmt: skip


def observation(state, seat):
    """What the seat sees, as the harness would send it, but for the events."""
    seen = observe(state, seat)
    message = pb2.Observation(
        seat=seat, phase=int(seen.phase), dealer=seen.dealer, turn=seen.turn, hand=seen.hand,
        hand_sizes=seen.hand_sizes, opened=seen.opened, call_blocked=seen.blocked,
        stock_size=seen.stock_size, discards=seen.discards,
        melds=[pb2.Meld(owner=m.owner, cards=m.cards, size=m.size) for m in seen.melds],
        legal=[
            pb2.Action(kind=int(a.kind), cards=a.cards, meld=max(0, a.meld)) for a in seen.legal
        ],
    )  # fmt: skip
    if seen.caller >= 0:
        message.caller = seen.caller
    return message


def play(rules, deck, dealer, deciders, watch=None):
    """Plays one game; `watch` is given each decision that is not forced. Gives the payments."""
    games = [Game(started(rules, seat, dealer)) for seat in range(3)]
    state = deal(rules, deck, dealer)
    while not state.is_over:
        legal = legal_actions(state)
        action = legal[0]
        if len(legal) > 1:
            seat = state.to_act
            view = View(observation(state, seat), games[seat])
            answer = deciders[seat](view)
            assert answer in view.legal, (answer, view.legal)
            if watch:
                watch(view, answer)
            action = legal[view.legal.index(answer)]
        state = apply_legal(state, action).state
    return settle(state).payments


def decks(count, seed):
    chance = Random(seed)
    return [bytes(chance.sample(range(52), 52)) for _ in range(count)]


def chips_per_game(variant, deciders, deals, seed=1):
    """Chips of three bots over the same deals at three rotated seatings, without antes and pot."""
    rules = rules_named(variant)
    chips = [0, 0, 0]
    for number, deck in enumerate(decks(deals, seed)):
        for order in ROTATIONS:
            paid = play(rules, deck, number % 3, [deciders[place] for place in order])
            for seat, place in enumerate(order):
                chips[place] += paid[seat]
    return [total / (3 * deals) for total in chips]


def decisions_of(name, variant, games, seed=5):
    """Every decision of one bot in games against two of its kind: (observation, answer)."""
    found = []
    decide = load_decide(name)
    for deck in decks(games, seed):
        play(
            rules_named(variant), deck, 0, [decide] * 3,
            watch=lambda view, answer: found.append((view._message, answer)),
        )  # fmt: skip
    return found
