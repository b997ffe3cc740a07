"""Greedy, but for a known part of its decisions, which are any legal action: a known weakness.

The tests put greedy's own file beside this one, and `share.txt` with that part.
"""

from pathlib import Path

from greedy_bot import decide as greedy
from tongits_bot import Action, View, serve

SHARE = float(Path(__file__).with_name("share.txt").read_text())


def decide(view: View) -> Action:
    """All its chance is from `bot_seed`."""
    if view.rng.random() < SHARE:
        return view.rng.choice(view.legal)
    return greedy(view)


if __name__ == "__main__":
    serve(decide)
