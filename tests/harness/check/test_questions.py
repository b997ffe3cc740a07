"""The hard questions are as hard as they say, and can be kept in a file."""

import json

import pytest
from tongits.v1 import table_pb2 as pb
from tongits_engine import rules_named
from tongits_harness.check.options import VARIANTS
from tongits_harness.check.questions import UNUSUAL, hard_questions
from tongits_harness.check.shown import observation_text, read_questions, saved_line
from tongits_harness.errors import ConfigError
from tongits_harness.play.limits import PlayLimits
from tongits_harness.protocol import codec

QUESTIONS = {one.name: one for one in hard_questions(VARIANTS, PlayLimits())}


def seen(name):
    return pb.Observation.FromString(QUESTIONS[name].ask.view)


@pytest.mark.parametrize(
    ("name", "is_hard"),
    [
        ("tongits-lite: longest hand", lambda it: len(it.hand) == 13),
        ("tongits-lite: fewest cards left", lambda it: len(it.hand) == 1),
        ("tongits-lite: most melds on the table", lambda it: len(it.melds) == 9),
        ("tongits-lite: most cards to lay off", lambda it: len(it.legal) >= 15),
        ("tongits-lite: most actions", lambda it: len(it.legal) == 24),
        ("tongits-lite: two actions", lambda it: len(it.legal) == 2),
        ("tongits-lite: deepest pile", lambda it: len(it.discards) == 15),
        ("tongits-lite: empty stock", lambda it: it.stock_size == 0),
        ("tongits-lite: first answer to a call", lambda it: it.phase == pb.PHASE_RESPOND),
        ("tongits-lite: second answer to a call", lambda it: len(it.challengers) == 1),
        ("sa-tong: most melds on the table", lambda it: len(it.melds) == 9),
        ("unusual rules: longest hand", lambda it: len(it.hand) == 17),
        ("unusual rules: most actions", lambda it: len(it.legal) > 30),
    ],
)
def test_an_extreme_question_is_extreme(name, is_hard):
    assert is_hard(seen(name))


@pytest.mark.parametrize("one", QUESTIONS.values(), ids=list(QUESTIONS))
def test_a_question_has_a_choice_and_the_whole_history(one):
    told = pb.GameStarted.FromString(one.ask.game.started)
    view = pb.Observation.FromString(one.ask.view)
    assert len(one.ask.legal) >= 2
    assert [codec.read_action(action) for action in view.legal] == list(one.ask.legal)
    assert told.resumed == bool(told.history)
    assert [event.number for event in told.history] == list(range(len(told.history)))
    last = max((event.number for event in view.events), default=-1)
    assert last <= len(told.history) - 1 or not told.resumed


def test_a_game_that_goes_on_has_a_long_history():
    assert max(len(started(one).history) for one in QUESTIONS.values()) > 50


def started(one):
    return pb.GameStarted.FromString(one.ask.game.started)


def test_the_unusual_parameters_are_told():
    told = started(QUESTIONS["unusual rules: longest hand"]).parameters
    assert {name for name in UNUSUAL if json.dumps(UNUSUAL[name]) == told.get(name)} >= {
        "deal.cards", "meld.ace_high", "tongits.trigger",
    }  # fmt: skip
    assert rules_named("tongits-lite+ngalimba", UNUSUAL)


def test_asked_again_a_question_has_another_game_id_and_is_else_the_same():
    one = next(iter(QUESTIONS.values()))
    again = one.fresh()
    assert again.ask.game.game_id != one.ask.game.game_id
    assert again.ask.view == one.ask.view


@pytest.mark.parametrize("one", list(QUESTIONS.values())[::6], ids=list(QUESTIONS)[::6])
def test_a_saved_question_is_read_as_it_was(one):
    (read,) = read_questions(json.dumps(saved_line(one, 1_000_000)), "wrong.jsonl")
    assert read.ask.legal == one.ask.legal
    assert read.ask.budget_us == 1_000_000
    assert pb.Observation.FromString(read.ask.view) == pb.Observation.FromString(one.ask.view)
    assert pb.GameStarted.FromString(read.ask.game.started) == started(one)
    assert one.name in read.name


def test_an_observation_is_shown_in_cards_and_actions():
    told = json.loads(observation_text(QUESTIONS["tongits-lite: fewest cards left"].ask.view))
    assert told["hand"] == "8C"
    assert told["phase"] == "start"
    assert told["legal"][0] == "draw"


@pytest.mark.parametrize("line", ["{}", "nothing", '{"started": "!", "request": ""}', "[]"])
def test_a_line_that_is_no_question_is_named(line):
    with pytest.raises(ConfigError, match=r"wrong\.jsonl:2: is no saved question"):
        read_questions(f"\n{line}\n", "wrong.jsonl")
