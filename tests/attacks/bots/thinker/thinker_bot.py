"""Honest, and needs a processor: thinks for a while about the first decisions of a game."""

import time

from tongits_bot import Action, View, serve

THINKS_S = 0.06
"""CPU time; a small part of the limit it is played with."""
DECISIONS = 3
thought: dict[str, int] = {}


def decide(view: View) -> Action:
    """The first legal action."""
    thought[view.game.id] = thought.get(view.game.id, 0) + 1
    if thought[view.game.id] <= DECISIONS:
        end = time.process_time() + THINKS_S
        while time.process_time() < end:
            pass
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
