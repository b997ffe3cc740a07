"""Whole tournaments as the three people see them: played, ranked, looked at, the same anywhere."""

import json
import re

import pytest
from tongits_engine import card_text, deck
from tongits_harness.results.secret import tournament_seed

from tests.e2e.arena import NO_FOLDER, OWN, SAMPLES, Arena, timeless

pytestmark = pytest.mark.process

FOUR = ("random", "greedy", "cautious", "caller")
PATIENT = {"limits__decision_s": 30.0, "limits__bank_s": 900.0, "limits__start_s": 60.0}
"""No clock decides on a machine that is busy with other things."""
ROW = {
    "standing", "rank_low", "rank_high", "entrant", "version", "mu", "sigma", "score", "matches",
    "places", "chips_per_game", "chips_ci95", "faults", "decision_ms",
}  # fmt: skip
CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")


@pytest.fixture(scope="module")
def demo(shared: Arena):
    return shared.run("demo", "--matches", "4", "--progress", "plain", timeout=120)


def test_the_demo_shows_progress_and_ends_in_a_leaderboard(demo):
    assert "sandbox: " in demo.err
    assert "4/4 matches" in demo.err
    assert "ETA" in demo.err or "elapsed" in demo.err
    for word in (*FOUR, "score", "chips/game", "sandbox"):
        assert word in demo.out


def test_the_leaderboard_keeps_its_contract_for_tools(shared, demo):
    table = shared.leaderboard()

    assert set(table) >= {"tournament", "matches", "sandbox", "rows"}
    assert (table["tournament"], table["matches"]) == ("demo", 4)
    assert [row["standing"] for row in table["rows"]] == [1, 2, 3, 4]
    scores = [row["score"] for row in table["rows"]]
    assert scores == sorted(scores, reverse=True)
    for row in table["rows"]:
        assert set(row) >= ROW
        assert row["rank_low"] <= row["standing"] <= row["rank_high"]
        assert row["score"] == pytest.approx(row["mu"] - 3 * row["sigma"], abs=1e-5)
        assert sum(row["places"]) == row["matches"] == 3
        assert row["chips_ci95"][0] <= row["chips_per_game"] <= row["chips_ci95"][1]
        assert set(row["decision_ms"]) == {"p50", "p99"}
    won = sum(row["chips_per_game"] * row["matches"] for row in table["rows"])
    assert won == pytest.approx(0, abs=1e-4)


def test_status_and_matches_tell_of_a_finished_tournament(shared, demo):
    status = json.loads(shared.run("status", "--json").out)
    matches = shared.run("matches").out

    assert status["matches"] == {"played": 4, "planned": 4, "counted": 4}
    assert status["sessions"] == {"played": 24, "planned": 24}
    assert (status["faults"], status["running"], status["resume"]) == ([], None, None)
    assert status["finished_at"]
    assert len([line for line in matches.splitlines() if re.match(r"\W*\d+\b", line)]) == 4
    assert "24 of 24" in shared.run("status").out


def test_anybody_can_recompute_the_shuffles_from_what_is_published(shared, demo):
    (tournament,) = shared.rows("SELECT secret FROM tournaments")
    versions = [row["version"] for row in shared.rows("SELECT version FROM entrants")]
    seed = tournament_seed(bytes.fromhex(tournament["secret"]), versions)
    (match, *_) = shared.rows("SELECT match_key FROM matches WHERE match_index = 0")
    first = json.loads(shared.run("replay", "0", "--json").out)["steps"][0]

    cards = deck(seed, match["match_key"], 0)
    dealt_to_the_dealer = {card_text(card) for card in cards[0:37:3]}

    assert set(first["hand"].split()) == dealt_to_the_dealer


@pytest.mark.parametrize("seat", ["0", "1", "2"])
def test_a_replay_as_one_seat_shows_nothing_hidden_from_it(shared, demo, seat):
    words = ("replay", "0", "--game", "1", "--seating", "2")
    all_steps = json.loads(shared.run(*words, "--json").out)["steps"]
    seen = json.loads(shared.run(*words, "--json", "--seat", seat).out)["steps"]
    text = shared.run(*words, "--seat", seat).out

    assert f"what seat {seat} saw" in text
    assert len(all_steps) == len(seen)
    shown: set[str] = set()
    for full, part in zip(all_steps, seen, strict=True):
        mine = full["seat"] == int(seat)
        if mine:
            assert (part["action"], part["hand"]) == (full["action"], full["hand"])
        else:
            told = {"legal": None, "think_ms": None, "source": None, "note": None}
            assert {key: part[key] for key in told} == told
            hidden = set(full["hand"].split()) - shown - set(CARD.findall(part["action"]))
            assert not hidden & set(part["hand"].split())
            if full["action"] == "draw":
                assert CARD.findall(part["action"]) == []
            if full["action"].startswith("conceal"):
                assert CARD.findall(part["action"]) == []
        shown |= set(CARD.findall(part["action"]))


def test_a_replay_of_all_seats_is_text_for_people(shared, demo):
    text = shared.run("replay", "0").out

    assert "view: all seats" in text
    assert "end: " in text
    for name in json.loads(shared.run("replay", "0", "--json").out)["seats"]:
        assert name in text


@pytest.fixture(scope="module")
def cup(shared: Arena) -> str:
    return _leaderboard(shared, 1)


def _leaderboard(arena: Arena, tables: int, **machine: int) -> str:
    file = arena.file(
        {name: SAMPLES / name for name in FOUR}, "cup", matches=6, seatings=3, games=2,
        machine__tables=tables, **machine, **PATIENT,
    )  # fmt: skip
    results = arena.work / f"tables{tables}"
    arena.run("run", file, "--progress", "none", results=results, timeout=120)
    return timeless(arena.run("leaderboard", "--json", results=results).out)


def test_the_leaderboard_does_not_depend_on_how_much_is_played_at_once(shared, cup):
    assert _leaderboard(shared, 16, machine__compute_slots=2, machine__processes=7) == cup


def test_copies_of_a_deterministic_bot_tie_every_match_to_the_chip(arena):
    bots = dict.fromkeys(("one", "two", "three"), OWN / "logbook")
    arena.run("run", arena.file(bots, rounds=3, seatings=6, **PATIENT), timeout=90)

    rows = arena.leaderboard()["rows"]
    chips = {row["chips"] for row in arena.rows("SELECT chips FROM match_seats")}
    assert chips == {0}
    assert {tuple(row["places"]) for row in rows} == {(3, 0, 0)}
    assert {row["chips_per_game"] for row in rows} == {0}
    assert {row["mu"] for row in rows} == {25.0}
    assert [row["sigma"] for row in rows] == pytest.approx([rows[0]["sigma"]] * 3, rel=1e-4)
    assert {(row["rank_low"], row["rank_high"]) for row in rows} == {(1, 3)}


@pytest.mark.parametrize("rules", ["sa-tong", "tongits-lite"])
def test_a_variant_is_played_by_its_own_rules(arena, rules):
    words = ("random", "greedy", "caller", "--rounds", "4", "--seatings", "3", "--rules", rules)
    arena.run("run", *words, "--seed", "0d" * 32, timeout=90)

    actions = [
        action
        for row in arena.rows("SELECT actions FROM games")
        for action in row["actions"].splitlines()
    ]
    melds = [
        [card[0] for card in action.split()[1:]]
        for action in actions
        if action.split()[0] in ("expose", "conceal", "take")
    ]
    has_runs = any(len(set(ranks)) > 1 for ranks in melds)
    has_layoffs = any(action.startswith("layoff") for action in actions)
    assert melds
    assert (has_runs, has_layoffs) == ((rules == "tongits-lite"),) * 2
    assert arena.leaderboard()["matches"] == 4
    assert arena.rows("SELECT * FROM faults") == []


def test_the_referee_answers_one_line_with_one_line(arena):
    cards = [f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK"]
    games = [
        {"rules": "tongits-lite", "deck": cards, "dealer": 0, "actions": []},
        {"rules": "sa-tong", "deck": cards, "dealer": 1, "actions": ["fold"]},
        {"rules": "tongits-lite", "deck": cards[1:], "dealer": 0, "actions": []},
    ]
    lines = "".join(json.dumps(game) + "\n" for game in games) + "no json\n"

    done = arena.run("referee", stdin=lines, results=NO_FOLDER, code=None)

    verdicts = [json.loads(line) for line in done.out.splitlines()]
    assert len(verdicts) == 4
    assert [set(verdict) >= {"steps", "result", "error"} for verdict in verdicts] == [True] * 4
    assert len(verdicts[0]["steps"]) == 1
    assert verdicts[0]["error"] is None
    assert verdicts[1]["error"]["step"] == 0
    assert all(verdict["error"]["reason"] for verdict in verdicts[1:])
