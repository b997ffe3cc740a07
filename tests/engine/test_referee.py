"""The referee answers every line, and says what is wrong with a bad one."""

import json

import pytest
from tongits_engine import judge

from tests.engine.oracle_cards import DECK

GOOD = {"rules": "tongits-lite", "deck": DECK, "dealer": 0, "actions": []}


def judged(**changes):
    game = {**GOOD, **changes}
    return judge(json.dumps({key: value for key, value in game.items() if value is not None}))


def test_a_new_game_lists_what_the_dealer_may_do():
    (step,) = judged()["steps"]
    assert (step["seat"], step["phase"]) == (0, "action")
    assert step["legal"] == sorted(step["legal"])
    assert sum(text.startswith("discard") for text in step["legal"]) == 13


BAD_GAMES = [
    ("no JSON", "{", "not JSON"),
    ("no object", "[]", "JSON object"),
    ("nothing", "", "not JSON"),
    ("an empty object", "{}", "missing: rules, deck, dealer, actions"),
    ("an unknown key", json.dumps({**GOOD, "seed": 1}), "unknown: seed"),
    ("unknown rules", json.dumps({**GOOD, "rules": "gin"}), "'gin'"),
    ("rules that are no text", json.dumps({**GOOD, "rules": 3}), "rules"),
    ("a short deck", json.dumps({**GOOD, "deck": DECK[1:]}), "52"),
    ("a card twice", json.dumps({**GOOD, "deck": [*DECK[1:], "KS"]}), "52"),
    ("a card that is none", json.dumps({**GOOD, "deck": ["1H", *DECK[1:]]}), "'1H'"),
    ("a deck of numbers", json.dumps({**GOOD, "deck": list(range(52))}), "deck"),
    ("a fourth seat", json.dumps({**GOOD, "dealer": 3}), "dealer"),
    ("a seat below", json.dumps({**GOOD, "dealer": -1}), "dealer"),
    ("a true dealer", json.dumps({**GOOD, "dealer": True}), "dealer"),
    ("actions in one text", json.dumps({**GOOD, "actions": "draw"}), "actions"),
    ("overrides in a list", json.dumps({**GOOD, "overrides": []}), "overrides"),
    ("a bad override", json.dumps({**GOOD, "overrides": {"score.ace": "x"}}), "score.ace"),
    ("deep nesting", "[" * 100_000, "not JSON"),
]


@pytest.mark.parametrize(("line", "part"), [pytest.param(*row[1:], id=row[0]) for row in BAD_GAMES])
def test_a_game_that_cannot_be_dealt_is_an_error_without_step(line, part):
    verdict = judge(line)
    assert verdict["error"]["step"] is None
    assert part in verdict["error"]["reason"]
    assert (verdict["steps"], verdict["result"]) == ([], None)


BAD_ACTIONS = [
    "",
    "Discard AC",
    "discard ac",
    " discard AC",
    "discard AC ",
    "discard  AC",
    "discard",
    "discard AC 2C",
    "discard 10C",
    "draw AC",
    "layoff AC",
    "layoff AC 00",
    "layoff AC +1",
    "layoff AC -1",
    "layoff AC 99",
    "layoff 0 AC",
    "expose 3C 2C AC",
    "expose AD AC AH",
    "expose AC AC AD",
    "take AC",
    "conceal AC AD AH",
    "pass",
    "discard\u00a0AC",
    "discard AC\n",
    None,
    7,
    ["draw"],
]


@pytest.mark.parametrize("action", BAD_ACTIONS)
def test_an_action_not_in_canonical_form_is_refused_with_a_reason(action):
    verdict = judged(actions=[action])
    assert verdict["error"]["step"] == 0
    assert verdict["error"]["reason"]
    assert len(verdict["steps"]) == 1
    assert verdict["result"] is None


def test_an_illegal_action_names_its_step_and_rule():
    verdict = judged(actions=["discard AC", "discard 2C"])
    assert verdict["error"]["step"] == 1
    assert "R-TURN-3" in verdict["error"]["reason"]
    assert len(verdict["steps"]) == 2


def test_an_action_after_the_end_is_an_error():
    hands = [DECK[:12], DECK[12:24], DECK[24:36]]
    deck = [card for three in zip(*hands, strict=True) for card in three] + DECK[36:]
    opening = ["expose AC AD AH AS", "expose 2C 2D 2H 2S", "expose 3C 3D 3H 3S"]
    over = judged(deck=deck, actions=[*opening, "discard TC"])
    assert over["result"]["termination"] == "tongits"
    assert len(over["steps"]) == 4
    late = judged(deck=deck, actions=[*opening, "discard TC", "draw"])
    assert (late["error"]["step"], late["result"]) == (4, None)
    assert len(late["steps"]) == 4
