"""The leaderboard: its contract, and that only what was played decides it."""

import json
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tongits_harness.play.schedule import round_robin
from tongits_harness.results.leaderboard import read_leaderboard
from tongits_harness.results.queries import open_reader
from tongits_harness.results.store import open_store

from tests.harness.results.builders import match_plan, match_sessions, tournament

NAMES = ("ana", "ben", "cy", "dee")


def stored(results, records, *, entrants=NAMES, seatings=3, name=None):
    with open_store(results, create=True) as store:
        store.create_tournament(tournament("cup", entrants, seatings=seatings, matches=9))
        for record in records:
            store.add_session("cup", record)
    with open_reader(results) as reader:
        return read_leaderboard(reader, name)


def document(results, records, **options):
    return stored(results, records, **options).to_json()


def by_name(board):
    return {row["entrant"]: row for row in board["rows"]}


def season(seed=1, seatings=3):
    chance = random.Random(seed)
    records = []
    for plan in round_robin("cup", NAMES, 2):
        a, b = chance.randint(-5, 5), chance.randint(-5, 5)
        lost = [n for n in plan.entrants if chance.random() < 0.4]
        forfeits = lost[:1] if chance.random() < 0.5 else []
        records += match_sessions(
            plan, (a, b, -a - b), seatings=seatings, lost=lost, forfeits=forfeits
        )
    return records


def test_the_document_has_the_keys_of_the_contract_in_their_order(tmp_path):
    board = document(tmp_path, season())
    assert list(board)[:4] == ["tournament", "matches", "sandbox", "rows"]
    for row in board["rows"]:
        assert list(row)[:14] == [
            "standing",
            "rank_low",
            "rank_high",
            "entrant",
            "version",
            "mu",
            "sigma",
            "score",
            "matches",
            "places",
            "chips_per_game",
            "chips_ci95",
            "faults",
            "decision_ms",
        ]
        assert list(row["decision_ms"]) == ["p50", "p99"]
        assert 1 <= row["rank_low"] <= row["standing"] <= row["rank_high"] <= len(NAMES)
        assert sum(row["places"]) == row["matches"]
        assert row["score"] == pytest.approx(row["mu"] - 3 * row["sigma"], abs=1e-5)
        assert len(row["chips_ci95"]) == 2
        assert len(row["version"]) == 64
    assert [row["standing"] for row in board["rows"]] == sorted(
        r["standing"] for r in board["rows"]
    )


def test_places_chips_and_faults_are_those_of_the_matches(tmp_path):
    records = [
        *match_sessions(match_plan(0), (6, 0, -6)),
        *match_sessions(match_plan(1), (-3, 9, -6), forfeits=["ben"], lost=["ben"]),
    ]
    board = document(tmp_path, records, entrants=("ana", "ben", "cy"))
    rows = by_name(board)
    assert (board["tournament"], board["matches"], board["sandbox"]) == ("cup", 2, "full")
    assert [rows[n]["places"] for n in ("ana", "ben", "cy")] == [[2, 0, 0], [0, 1, 1], [0, 1, 1]]
    # Six games of three sessions each; the forfeited match is left out of ben's chips.
    assert [rows[n]["chips_per_game"] for n in ("ana", "ben", "cy")] == [0.5, 0.0, -2.0]
    assert rows["ben"]["faults"] == {"CRASH": 1}
    assert rows["ana"]["faults"] == {}
    assert rows["ben"]["forfeits"] == 1
    assert rows["ana"]["standing"] == 1
    assert rows["ana"]["decision_ms"]["p50"] == pytest.approx(1.1, abs=0.1)
    assert rows["ana"]["provisional"]


def test_a_suspended_entrants_later_matches_are_left_out_even_if_stored(tmp_path):
    lost = [r for i in range(3) for r in match_sessions(match_plan(i), (1, -2, 1), lost=["ben"])]
    later = match_sessions(match_plan(3), (0, 9, -9), lost=["cy"], sandbox="none")
    (tmp_path / "with").mkdir()
    with_later = document(tmp_path / "with", [*lost, *later], entrants=("ana", "ben", "cy"))
    without = document(tmp_path / "without", lost, entrants=("ana", "ben", "cy"))
    assert with_later == without
    row = by_name(without)["ben"]
    assert (row["suspended"], row["suspended_after"], row["matches"]) == (True, 2, 3)
    assert not by_name(without)["ana"]["suspended"]


def test_unfinished_matches_are_left_out(tmp_path):
    first = match_sessions(match_plan(0), (6, 0, -6))
    second = match_sessions(match_plan(1), (-9, 0, 9), lost=["ana"])
    board = document(tmp_path, [*first, *second[:2]], entrants=("ana", "ben", "cy"))
    assert board["matches"] == 1
    assert by_name(board)["ana"]["faults"] == {}


def test_before_the_first_match_everybody_is_level(tmp_path):
    board = document(tmp_path, [])
    assert (board["matches"], board["sandbox"]) == (0, None)
    assert [r["entrant"] for r in board["rows"]] == list(NAMES)
    for row in board["rows"]:
        assert (row["standing"], row["rank_low"], row["rank_high"]) == (1, 1, 4)
        assert (row["mu"], row["chips_per_game"], row["decision_ms"]["p50"]) == (25.0, None, None)


def test_an_entrant_that_forfeits_everything_has_no_chips_and_comes_last(tmp_path):
    records = [
        r for i in range(2) for r in match_sessions(match_plan(i), (9, -4, -5), forfeits=["ana"])
    ]
    board = document(tmp_path, records, entrants=("ana", "ben", "cy"))
    last = board["rows"][-1]
    assert (last["entrant"], last["standing"], last["rank_high"]) == ("ana", 3, 3)
    assert (last["chips_per_game"], last["chips_ci95"]) == (None, [None, None])


@pytest.mark.parametrize(
    ("levels", "shown"),
    [("full none", "none"), ("full partial", "partial"), ("contained", "contained")],
)
def test_the_weakest_sandbox_is_shown_and_none_is_not_trusted(tmp_path, levels, shown):
    records = [
        r
        for i, level in enumerate(levels.split())
        for r in match_sessions(match_plan(i), (0, 0, 0), sandbox=level)
    ]
    board = document(tmp_path, records, entrants=("ana", "ben", "cy"))
    assert board["sandbox"] == shown
    assert board["trusted"] is (shown != "none")


def test_copies_that_tie_every_match_share_ranks(tmp_path):
    records = [r for i in range(4) for r in match_sessions(match_plan(i), (0, 0, 0))]
    board = document(tmp_path, records, entrants=("ana", "ben", "cy"))
    assert {(r["rank_low"], r["rank_high"]) for r in board["rows"]} == {(1, 3)}


RECORDS = season(seatings=1)


@given(st.permutations(range(len(RECORDS))))
@settings(max_examples=4, deadline=None)
def test_the_order_in_which_sessions_are_stored_changes_no_byte(order):
    options = {"seatings": 1}
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        expected = json.dumps(document(base / "in_order", RECORDS, **options))
        shuffled = json.dumps(document(base / "shuffled", [RECORDS[i] for i in order], **options))
    assert shuffled == expected
