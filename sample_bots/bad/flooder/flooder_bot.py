"""Prints megabytes at each decision, which are read slowly and cut. Expected fault: TIMEOUT."""

import sys

from tongits_bot import Action, View, serve

LINE = "x" * 1023 + "\n"
LINES = 1024

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""


def decide(view: View) -> Action:
    """The first legal action, after a flood."""
    if view.turn >= FROM_TURN:
        for stream in (sys.stdout, sys.stderr):
            stream.writelines([LINE] * LINES)
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
