"""The engine under uniformly random play."""

import random
from collections.abc import Callable

from tongits_engine import apply, apply_legal, deal, deck, legal_actions, rules_named, settle

GAMES = 400


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
