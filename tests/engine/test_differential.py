"""The engine's referee and the oracle judge the same random games alike, line by line."""

import json

import pytest
from tongits_engine import judge

from tests.engine import oracle
from tests.engine.random_games import PRESETS, VALUES, has_meaning, random_game

BLOCKS = 24
GAMES_A_BLOCK = 40


def compare(game):
    """Check that both say the same; where both refuse an action their words may differ."""
    expected, found = oracle.judge(game), judge(json.dumps(game))
    for number, (right, step) in enumerate(zip(expected["steps"], found["steps"], strict=False)):
        assert step == right, f"step {number} of {json.dumps(game)}"
    if expected["error"] and found["error"]:
        assert found["error"].pop("reason")
        expected["error"].pop("reason")
    assert found == expected, json.dumps(game)
    return found


@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_games_are_judged_alike(block):
    for seed in range(block * GAMES_A_BLOCK, (block + 1) * GAMES_A_BLOCK):
        compare(random_game(seed))


@pytest.mark.parametrize("name", PRESETS)
def test_whole_games_of_a_preset_are_judged_alike(name):
    for seed in range(12):
        compare(random_game(10_000 + seed, name, {}))


@pytest.mark.parametrize("parameter", sorted(VALUES))
def test_every_parameter_changes_both_alike(parameter):
    """Each single value on the bases where it has a meaning."""
    bases = ["tongits-lite", "sa-tong"]
    for place, value in enumerate(VALUES[parameter]):
        for base in bases:
            overrides = {parameter: value}
            if has_meaning(oracle.rules_named(base, overrides)):
                for seed in range(4):
                    compare(random_game(20_000 + place * 100 + seed, base, overrides))


def test_random_games_end_in_every_way():
    games = [random_game(seed) for seed in range(160)]
    verdicts = [oracle.judge(game) for game in games]
    ends = {verdict["result"]["termination"] for verdict in verdicts if verdict["result"]}
    assert ends == {"tongits", "draw_uncontested", "draw_contested", "stock_out", "void"}
    assert any(verdict["error"] for verdict in verdicts)
