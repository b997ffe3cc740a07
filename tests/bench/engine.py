"""The engine under uniformly random play, beside OpenSpiel's gin rummy driven from Python."""

import random
from collections.abc import Callable

from tongits_engine import apply, apply_legal, deal, deck, legal_actions, rules_named, settle

GAMES = 400
SPIEL_GAMES = 60


def random_play(variant: str, *, trusted: bool) -> Callable[[], int]:
    """Whole games through the public functions: legal actions, apply, events kept, settled."""
    rules = rules_named(variant)
    step = apply_legal if trusted else apply
    seed = bytes(32)

    def play() -> int:
        rng = random.Random(1)
        decisions = 0
        for number in range(GAMES):
            state = deal(rules, deck(seed, "bench", number), number % 3)
            log = []
            while not state.is_over:
                legal = legal_actions(state)
                action = legal[int(rng.random() * len(legal))]
                state, events = step(state, action)
                log.append((action, events))
                decisions += 1
            settle(state)
        return decisions

    return play


def openspiel_gin_rummy() -> Callable[[], int] | None:
    """The same loop over OpenSpiel's C++ game, games cloned from one start; None without it."""
    try:
        import pyspiel
    except ImportError:
        return None
    start = pyspiel.load_game("gin_rummy").new_initial_state()

    def play() -> int:
        rng = random.Random(1)
        decisions = 0
        for _ in range(SPIEL_GAMES):
            state = start.clone()
            while not state.is_terminal():
                decisions += not state.is_chance_node()
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
        return decisions

    return play
