"""Tests of the bot; in its folder `python3 -m unittest` runs them."""

import unittest
from pathlib import Path

from bot import decide
from tongits_bot.testing import make_view, read_views

HERE = Path(__file__).resolve().parent
CORPUS = (HERE / "corpus.jsonl", HERE.parents[1] / "corpus" / "observations.jsonl")
"""What a bot may be asked: beside the bot, or in the project's own checkout."""


class TestDecide(unittest.TestCase):
    """What the bot does in one position, and in all recorded ones."""

    def test_it_keeps_its_set_and_throws_the_highest_other_card_away(self) -> None:
        view = make_view("KC KD KH 9C 2S", ["discard 2S", "discard 9C", "discard KC"])
        self.assertEqual(str(decide(view)), "discard 9C")

    def test_every_recorded_observation_is_answered_with_a_legal_action(self) -> None:
        corpus = next(path for path in CORPUS if path.exists())
        asked = 0
        for name, view in read_views(corpus):
            with self.subTest(name):
                self.assertIn(decide(view), view.legal)
            asked += 1
        self.assertGreaterEqual(asked, 500)


if __name__ == "__main__":
    unittest.main()
