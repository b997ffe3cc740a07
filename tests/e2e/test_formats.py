"""Formats with real bots: what stops early says why; killed on the way, nothing is decided anew."""

import json
from itertools import groupby
from pathlib import Path

import pytest

from tests.e2e.arena import EXIT_CONFIG, SAMPLES, Arena, timeless
from tests.e2e.traces import wait_until

pytestmark = pytest.mark.process

STAGES = "SELECT number, first_match, matches, chosen, ended FROM stages ORDER BY number"


def cup(arena: Arena, **settings: object) -> Path:
    """Four deterministic bots, and time enough on the busiest machine."""
    bots = {name: SAMPLES / name for name in ("random", "greedy", "cautious", "caller")}
    times = {"limits__decision_s": 30.0, "limits__bank_s": 900.0, "limits__start_s": 60.0}
    return arena.file(bots, seatings=1, games=1, **times, **settings)


def test_a_gauntlet_stops_when_its_condition_holds_and_says_so(arena):
    file = cup(arena, format__stage=20, machine__tables=8)
    words = ("--matches", "300", "--challenger", "caller", "--until", "p(caller>random) > 0.9")

    planned = arena.run("run", file, *words, "--dry-run").out
    done = arena.run("run", file, *words, "--progress", "none", timeout=180)
    status = arena.run("status").out
    verified = json.loads(arena.run("verify", "--json").out)

    assert "at most 300 matches" in planned
    assert "format gauntlet of caller, until p(caller>random) > 0.9" in planned
    assert "stages of 20 matches" in planned
    played = arena.rows("SELECT count(*) AS n FROM matches")[0]["n"]
    assert 20 <= played < 300
    assert f"stopped after {played} matches: p(caller>random) > 0.9 holds" in done.err
    assert "ended: p(caller>random) > 0.9 holds" in status
    assert verified["ok"], verified
    seats = arena.rows("SELECT match_index, entrant FROM match_seats ORDER BY 1")
    for _, three in groupby(seats, key=lambda row: row["match_index"]):
        assert "caller" in {row["entrant"] for row in three}


def test_killed_in_a_stage_or_between_the_same_stages_and_leaderboard_come(arena):
    file = cup(arena, matches=30, format__name="informative", format__stage=10, machine__tables=3)
    arena.run("run", file, "--progress", "none", timeout=180, results=arena.work / "straight")
    straight = arena.work / "straight"

    arena.was_killed = True
    for words, aim in ((("run", file), 4), (("resume",), 10)):
        running = arena.start(*words, "--progress", "none")
        wait_until(lambda: arena.sessions_stored() >= aim, patience_s=90)  # noqa: B023
        running.stop()
    arena.run("resume", "--workers", "2", "--progress", "none", timeout=180)

    assert arena.rows(STAGES) == arena.rows(STAGES, results=straight)
    boards = [arena.run("leaderboard", "--json", results=r).out for r in (arena.results, straight)]
    assert timeless(boards[0]) == timeless(boards[1])
    assert len(arena.rows(STAGES)) == 4
    assert json.loads(arena.run("verify", "--json").out)["ok"]


def test_a_condition_nobody_can_read_plays_nothing(arena):
    done = arena.run("run", cup(arena, matches=9), "--until", "caller wins", code=EXIT_CONFIG)

    assert "format.until: 'caller wins' is no condition: write for instance" in done.err
    assert len(done.err.splitlines()) == 1
