"""A bot asked again what a stored session asked: the way to reproduce a fault."""

import json
import shlex

import pytest

from tests.e2e.arena import BAD, SAMPLES, Arena

pytestmark = pytest.mark.process

PATIENT = {"limits__decision_s": 30.0, "limits__bank_s": 900.0, "limits__start_s": 60.0}


@pytest.fixture(scope="module")
def played(shared: Arena):
    bots = {"greedy": SAMPLES / "greedy", "caller": SAMPLES / "caller"}
    bots["crasher"] = BAD / "crash_mid_game"
    cup = shared.file(bots, name="asked-again", rounds=1, seatings=1, games=1, **PATIENT)
    shared.run("run", cup, "--progress", "none")
    return shared


def seat_of(arena: Arena, entrant: str) -> int:
    (document,) = [json.loads(arena.run("replay", "0", "--json").out)]
    return document["seats"].index(entrant)


def test_the_same_bot_answers_as_it_did(played):
    seat = seat_of(played, "greedy")

    asked = json.loads(
        played.run("replay", "0", "--seat", seat, "--bot", SAMPLES / "greedy", "--json").out
    )

    assert asked["entrant"] == "greedy"
    assert asked["decisions"]
    assert all(decision["same"] for decision in asked["decisions"])


def test_another_bot_is_shown_where_it_differs(played):
    seat = seat_of(played, "caller")

    told = played.run("replay", "0", "--seat", seat, "--bot", "random").out.splitlines()

    assert "is stored, now" in told[0]
    assert told[-1].endswith("decisions of caller are the same")


def test_status_says_how_to_reproduce_a_fault_and_that_does(played):
    (line,) = [li for li in played.run("status").out.splitlines() if "ask it again" in li]
    words = shlex.split(line.split(": ", 1)[1])[1:]
    words = words[: words.index("--results")] if "--results" in words else words

    told = played.run(*words).out.splitlines()

    asked, of = told[-1].split(" of ", 1)
    assert asked == of.split(" ", 1)[0]


def test_a_bot_can_only_be_asked_for_one_seat(played):
    refused = played.run("replay", "0", "--bot", "random", code=2)

    assert "--seat" in refused.err
