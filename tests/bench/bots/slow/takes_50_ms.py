"""The first legal action, 50 ms later: waits without using a core."""

import time

from tongits_bot import Action, View, serve

THINKS_S = 0.05


def decide(view: View) -> Action:
    """Waits, and takes the first."""
    time.sleep(THINKS_S)
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
