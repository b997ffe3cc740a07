"""One tournament with one bot of every language that this machine has, all of one strategy."""

import json
import subprocess

import pytest

from tests.kits.kit import SAMPLE_BOTS, TONGITS, TOOL_S, need_toolchain

pytestmark = pytest.mark.kits

BOTS = {
    "python": "greedy",
    "node": "greedy-node",
    "go": "greedy-go",
    "rust": "greedy-rust",
    "java": "greedy-java",
    "cpp": "greedy-cpp",
    "awk": "greedy-awk",
    "perl": "greedy-perl",
    "c": "greedy-c",
}
MATCHES = 12


def tongits(results, *words):
    done = subprocess.run(
        [TONGITS, *words, "--results", results],
        capture_output=True, text=True, timeout=TOOL_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_the_same_strategy_cannot_be_told_apart_by_its_language(results):
    for language in BOTS:
        if language != "python":
            need_toolchain(language)
    words = ("--name", "babel", "--matches", str(MATCHES), "--seatings", "6", "--games", "1")
    tongits(results, "run", *BOTS.values(), *words, "--allow-fetch", "--progress", "none")

    board = json.loads(tongits(results, "leaderboard", "--json", "--tournament", "babel"))
    played = json.loads(tongits(results, "matches", "--json", "--tournament", "babel"))["matches"]

    assert {row["entrant"] for row in board["rows"]} == set(BOTS.values())
    assert board["matches"] == len(played) == MATCHES
    assert all(row["faults"] == {} for row in board["rows"])
    assert {one["chips"] for match in played for one in match["entrants"]} == {0}
    assert {one["place"] for match in played for one in match["entrants"]} == {1}


def test_the_bots_of_the_tournament_are_all_there_are():
    shipped = {
        folder.name
        for folder in SAMPLE_BOTS.iterdir()
        if folder.is_dir() and folder.name not in {"bad", "corpus", "stdio"}
    }
    assert shipped <= set(BOTS)
