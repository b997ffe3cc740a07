"""`tongits fairplay` over real databases."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from tongits_harness.cli import main
from tongits_harness.fairplay.chance import Sums, holm, p_of, p_share
from tongits_harness.fairplay.timing import OpponentTimes, near_limit, seat_findings
from tongits_harness.play.plan import MatchPlan, sessions_of
from tongits_harness.results.connection import database_path
from tongits_harness.results.fair_play_rows import SeatTime
from tongits_harness.results.store import open_store

from tests.harness.fairplay.builders import GAMES, names_of, simulated
from tests.harness.results.builders import match_plan, match_sessions, session, tournament


def stored(results, matches, entrants, *, voids_of=None):
    """A database of matches of one session each."""
    with open_store(results, create=True) as store:
        store.create_tournament(
            tournament("cup", names_of(entrants), seatings=1, matches=len(matches))
        )
        for index, (triple, chips) in enumerate(matches):
            (plan,) = sessions_of(MatchPlan(index, f"{index:016x}", 0, triple), 1)
            won = dict(zip(triple, chips, strict=True))
            record = session(plan, won, games=GAMES)
            is_voided = voids_of in triple and index % 3 == 0
            store.add_session("cup", replace(record, voids=int(is_voided)))
    return results


def told(results, *words):
    done = CliRunner().invoke(
        main, ["fairplay", "--results", str(results), *words], env={"COLUMNS": "200"}
    )
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def rigged(tmp_path_factory):
    matches = list(simulated(6, 30, 1, feeds=("b1", "b4")))
    return stored(tmp_path_factory.mktemp("rigged"), matches, 6, voids_of="b2")


def test_planted_colluders_and_voids_are_told(rigged):
    document = json.loads(told(rigged, "--json"))

    assert [finding["kind"] for finding in document["findings"]] == ["shift", "voids"]
    shift, voids = (finding["figures"] for finding in document["findings"])
    assert {shift["by"], shift["of"]} == {"b1", "b4"}
    assert shift["chips"] * shift["chips_of_by"] < 0
    assert voids["entrant"] == "b2"
    text = told(rigged)
    assert "shift: b" in text
    assert "voids: b2 sat at" in text
    assert "need not be intent" in text
    assert len(text.splitlines()) <= 24


def test_reading_writes_nothing_and_says_the_same_again(rigged):
    before = database_path(rigged).read_bytes()
    first, second = told(rigged, "--json"), told(rigged, "--json", "--tournament", "cup")

    assert first == second
    assert database_path(rigged).read_bytes() == before
    assert list(json.loads(first)) == [
        "tournament",
        "matches",
        "level",
        "findings",
        "pairs_tested",
        "seats",
        "dealer",
        "entrants",
    ]


def test_an_honest_tournament_has_nothing_to_tell(tmp_path):
    text = told(stored(tmp_path, list(simulated(5, 12, 2)), 5))

    assert "nothing found beyond chance" in text
    assert "by turn: dealer" in text


def test_before_the_first_match_there_is_nothing(tmp_path):
    assert "nothing found beyond chance" in told(stored(tmp_path, [], 4))


@pytest.mark.parametrize(("matches", "is_told"), [(12, False), (24, True)])
def test_a_seat_that_always_wins_is_told_once_there_are_matches_enough(tmp_path, matches, is_told):
    with open_store(tmp_path, create=True) as store:
        store.create_tournament(tournament("cup", seatings=3, matches=matches))
        for index in range(matches):
            for record in match_sessions(match_plan(index), (4 + index % 3, -2, -2 - index % 3)):
                store.add_session("cup", record)

    assert ("seat: seat" in told(tmp_path)) is is_told


def test_who_is_slower_beside_another_is_told():
    times = OpponentTimes()
    for index in range(120):
        names = [("ana", "ben", "cy"), ("ana", "ben", "dee"), ("ana", "cy", "dee")][index % 3]
        slow = "dee" in names
        times.add({name: {40 + 8 * (slow and name == "ben") + index % 2: 9} for name in names})

    named = {(f.figures["entrant"], f.figures["beside"]) for f in times.findings()}
    assert ("ben", "dee") in named
    assert {name for name, _ in named} == {"ben"}


def test_who_is_slower_at_a_seat_is_told_whatever_the_load():
    times = [
        SeatTime(index, seat, "ana", {30 + index % 17 + 6 * (seat == 1) + (index + seat) % 2: 5})
        for index in range(60)
        for seat in range(3)
    ]

    slowest = max(seat_findings(times), key=lambda finding: finding.figures["factor"])
    assert (slowest.figures["entrant"], slowest.figures["seat"]) == ("ana", 1)
    assert seat_findings(replace(t, latency={40 + t.index % 5: 1}) for t in times) == []


def test_decisions_just_under_the_limit_are_told():
    at_once, late = {30: 900}, {78: 60}  # bucket 79 holds the second itself

    assert near_limit("ana", at_once, 1.0) is None
    assert near_limit("ana", {**at_once, **late}, 1.0).figures["near"] == 60


def test_probabilities_are_those_of_the_tables():
    sums = Sums()
    for value in (1.0, 2.0, 3.0, 4.0):
        sums.add(value)

    assert (sums.mean, sums.error2) == (2.5, pytest.approx(5 / 12))
    assert p_of(2.042, 1.0, 31) == pytest.approx(0.05, abs=0.001)  # Student's t, 30 degrees
    assert p_share(5, 5, 0.5) == pytest.approx(1 / 32)
    assert p_share(1, 3, 0.5) == pytest.approx(7 / 8)
    assert holm({"a": 0.001, "b": 0.02, "c": 0.004}, 0.01) == {"a": 0.003, "c": 0.008}
