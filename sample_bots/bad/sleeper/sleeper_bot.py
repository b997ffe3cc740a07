"""Falls asleep for ever on a decision. Expected fault: TIMEOUT, until it is given up."""

import threading

from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""


def decide(view: View) -> Action:
    """The first legal action, until it falls asleep."""
    if view.turn >= FROM_TURN:
        threading.Event().wait()
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
