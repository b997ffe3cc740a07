"""Plays with weights that were learned, not written: `train.py` learns them by self-play.

Every legal action is scored by a sum of weighted numbers (`learner_features`), and the highest is
played. The weights lie in `policy.json`, one set for rules with runs and one for rules without.
"""

import json
from pathlib import Path

from learner_features import BLOCKS, Block, blocks
from tongits_bot import Action, View, serve

POLICIES = json.loads(Path(__file__).with_name("policy.json").read_text(encoding="utf-8"))
WEIGHTS = {
    policy: [weights[block][name] for block, names in BLOCKS.items() for name in names]
    for policy, weights in POLICIES.items()
}


def decide(view: View) -> Action:
    """The action with the highest score, of equal ones the first."""
    runs = view.game.runs
    weights = WEIGHTS["runs" if runs else "no runs"]
    scores = [score(weights, block) for block in blocks(view, runs=runs)]
    return view.legal[scores.index(max(scores))]


def score(weights: list[float], block: Block) -> float:
    """How good an action looks."""
    start, numbers = block
    return sum([weights[start + place] * number for place, number in enumerate(numbers)])


if __name__ == "__main__":
    serve(decide)
