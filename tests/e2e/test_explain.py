"""What other bots would do at a recorded decision: real bots, asked in their sandboxes."""

import json

import pytest

from tests.e2e.arena import BAD, SAMPLES, Arena

pytestmark = pytest.mark.process

PATIENT = {"limits__decision_s": 30.0, "limits__bank_s": 900.0, "limits__start_s": 60.0}
WRONG_FROM_TURN = 3
BOTS = ("greedy", "caller", "random")


@pytest.fixture(scope="module")
def played(shared: Arena):
    bots = {name: SAMPLES / name for name in BOTS}
    cup = shared.file(bots, name="explained", rounds=1, seatings=1, games=1, **PATIENT)
    shared.run("run", cup, "--progress", "none")
    return shared


@pytest.fixture(scope="module")
def everything(played):
    return json.loads(played.run("explain", "0", "--all", "--json").out)


def test_those_that_played_answer_as_they_did(everything):
    assert set(everything["decisions"][0]["answers"]) == set(BOTS)
    for decision in everything["decisions"]:
        (answer,) = decision["answers"][decision["entrant"]]
        assert answer["answer"] == decision["played"]


def test_agreement_is_counted(everything):
    pairs = {(p["a"], p["b"]): p for p in everything["agreement"]}
    assert len(pairs) == 3
    for (a, b), pair in pairs.items():
        assert pair["decisions"] == len(everything["decisions"])
        assert pair["same"] == sum(
            d["answers"][a][0]["answer"] == d["answers"][b][0]["answer"]
            for d in everything["decisions"]
        )


def test_one_decision_is_shown_with_who_differs(played, everything):
    decision = next(d for d in everything["decisions"] if not d["unanimous"])

    told = played.run("explain", "0", decision["step"], "--bots", "greedy,caller,random").out

    assert f"{decision['entrant']} played: {decision['played']}" in told
    assert f"{decision['entrant']} (you)" in told
    assert told.splitlines()[-1].startswith("they disagree: ")


def test_chance_is_asked_often_and_what_fails_stops_nobody(played, everything):
    late = [d for d in everything["decisions"] if d["turn"] >= WRONG_FROM_TURN]
    step = max(late, key=lambda d: len(d["legal"]))["step"]
    wrong, absent = BAD / "illegal_mover", BAD / "crash_at_start"

    asked = json.loads(
        played.run(
            "explain", "0", step, "--times", "8", "--bots", f"random,{wrong},{absent}", "--json"
        ).out
    )

    (decision,) = asked["decisions"]
    by_chance = [answer["answer"] for answer in decision["answers"]["random"]]
    assert len(by_chance) == 8
    assert len(set(by_chance)) > 1
    assert {a["fault"] for a in decision["answers"][str(wrong)]} == {"ILLEGAL_ACTION"}
    assert "did not come up" in asked["not_asked"][str(absent)][0]


def test_what_cannot_be_explained_says_why(played, everything):
    steps = {decision["step"] for decision in everything["decisions"]}
    missing = next(step for step in range(200) if step not in steps)

    assert "the nearest are" in played.run("explain", "0", missing, code=3).err
    assert "--all" in played.run("explain", "0", code=2).err
    assert "there is no game 7" in played.run("explain", "0", "--all", "--game", "7", code=3).err
    assert "no such folder" in played.run("explain", "0", "--all", "--bots", "nobody", code=3).err
