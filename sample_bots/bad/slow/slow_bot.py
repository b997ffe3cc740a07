"""Answers each decision when its time is already up. Expected fault: TIMEOUT, again and again."""

import time

from tongits_bot import Action, View, serve

TIMES_THE_LIMIT = 1.5
"""How long it takes, as a multiple of the time it has. Below 1.0 it is merely slow."""

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""


def decide(view: View) -> Action:
    """The first legal action, but late."""
    if view.turn >= FROM_TURN:
        time.sleep(view.time_left_us / 1e6 * TIMES_THE_LIMIT)
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
