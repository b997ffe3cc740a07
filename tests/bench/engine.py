"""The engine under uniformly random play."""

import random
from collections.abc import Callable
from itertools import count, islice

from tongits_engine import (
    apply,
    apply_legal,
    deal,
    deck,
    legal_actions,
    observe,
    rules_named,
    settle,
)

GAMES = 1000


def random_play(variant: str, *, trusted: bool, observed: bool = False) -> Callable[[], int]:
    """Whole games through the public functions: legal actions, apply, events kept, settled.

    No game is played twice, so that nothing is known of it from the time before.
    """
    rules = rules_named(variant)
    step = apply_legal if trusted else apply
    seed = bytes(32)
    numbers = count()
    rng = random.Random(1)

    def play() -> int:
        decisions = 0
        for number in islice(numbers, GAMES):
            state = deal(rules, deck(seed, "bench", number), number % 3)
            log = []
            while not state.is_over:
                legal = legal_actions(state)
                if observed:
                    observe(state, state.to_act)
                action = legal[int(rng.random() * len(legal))]
                state, events = step(state, action)
                log.append((action, events))
                decisions += 1
            settle(state)
        return decisions

    return play
