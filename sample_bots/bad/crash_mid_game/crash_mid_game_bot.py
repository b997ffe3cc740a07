"""Dies without a word in the eighth turn of a game. Expected fault: CRASH."""

import os

from tongits_bot import Action, View, serve

FATAL_TURN = 7


def decide(view: View) -> Action:
    """The first legal action, until the fatal turn."""
    if view.turn >= FATAL_TURN:
        os._exit(3)
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
