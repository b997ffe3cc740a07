"""`tongits rules` and `tongits referee`."""

import json

import pytest
from tongits_engine import PRESETS, card_text, deck, describe, rules_named

from tests.harness.cli.arena import PLANS, SEED, played_game


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_described(tongits, name):
    assert tongits("rules", name, results=None).stdout == describe(rules_named(name))
    told = json.loads(tongits("rules", name, "--json", results=None).stdout)
    assert told["rules"] == name
    assert told["parameters"].keys() == told["meaning"].keys()


def test_parameters_can_be_set(tongits):
    words = [
        "--set",
        "layoff.enabled=false",
        "--set",
        "score.win=7",
        "--set",
        "pot.match_end=winner",
    ]
    told = json.loads(tongits("rules", "--json", *words, results=None).stdout)["parameters"]
    assert (told["layoff.enabled"], told["score.win"], told["pot.match_end"]) == (
        False,
        7,
        "winner",
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tongits-light"], 3, "did you mean 'tongits-lite'?"),
        (["--set", "layoff.enabeld=false"], 3, "did you mean 'layoff.enabled'?"),
        (["--set", "layoff.enabled=perhaps"], 3, "layoff.enabled must be"),
        (["--set", "layoff.enabled"], 2, "write KEY=VALUE"),
    ],
)
def test_what_has_no_meaning_is_one_line(tongits, words, code, said):
    done = tongits("rules", *words, code=code, results=None)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_the_referee_judges_line_by_line(tongits):
    record = played_game(PLANS[0].key, 0)
    cards = [card_text(card) for card in deck(SEED, PLANS[0].key, 0)]
    whole = {"rules": "tongits-lite", "deck": cards, "dealer": 0, "actions": record.actions}
    part = {**whole, "actions": record.actions[:2], "overrides": {"layoff.enabled": False}}
    lines = [json.dumps(whole), "", "rubbish", json.dumps(part)]
    done = tongits("referee", results=None, stdin="\n".join(lines) + "\n")
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert first["result"]["payments"] == list(record.payments)
    assert first["error"] is None
    assert len(first["steps"]) == len(record.actions)
    assert second["error"]["reason"]
    assert (len(third["steps"]), third["result"], third["error"]) == (3, None, None)
