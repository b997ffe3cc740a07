"""Signals a colluder by how long it thinks, and listens for them (row 30). Expected: no fault.

No observation tells how long another seat took, so all a colluder could read is its own clock
between its own decisions, which the harness does not hide. It tells in notes what it measured.
"""

import json
import time
from itertools import pairwise

from tongits_bot import Action, View, serve

SHORT_S, LONG_S = 0.0, 0.05
heard: list[float] = []


def decide(view: View) -> Action:
    """The first legal action, soon or later by the lowest card in the hand."""
    heard.append(time.monotonic())
    if len(heard) == 6:
        gaps = [round((b - a) * 1e3) for a, b in pairwise(heard)]
        view.note = json.dumps({"gaps_ms": gaps})
    time.sleep(LONG_S if view.hand[0] & 1 else SHORT_S)
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
