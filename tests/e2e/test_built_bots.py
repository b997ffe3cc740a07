"""A tournament with bots that have to be built first."""

import json
import shutil

import pytest

from tests.e2e.arena import EXIT_BOT, EXIT_CONFIG, SAMPLES, Arena, timeless

pytestmark = pytest.mark.process

PATIENT = {"limits__decision_s": 30.0, "limits__bank_s": 900.0, "limits__start_s": 60.0}
ONE_MATCH = {"rounds": 1, "seatings": 1, "games": 1, **PATIENT}


def make_bot(arena: Arena, build: str, **keys: object):
    """A copy of greedy whose program only its build puts in place."""
    folder = arena.work / "made bot"
    shutil.copytree(SAMPLES / "greedy", folder, dirs_exist_ok=True)
    source = folder / "greedy_bot.py"
    if source.exists():
        source.rename(folder / "source")
    table = {
        "name": "made", "version": "1", "language": "python", "run": ["python3", "made_bot.py"],
        "concurrent_games": 128, "build": ["sh", "-c", build], **keys,
    }  # fmt: skip
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    (folder / "bot.toml").write_text("\n".join(lines) + "\n")
    return folder


def test_a_run_builds_once_says_so_and_plays_what_was_built(arena: Arena):
    bots = {"made": make_bot(arena, "cp source made_bot.py"), "greedy": SAMPLES / "greedy"}
    bots["caller"] = SAMPLES / "caller"
    cup, other = arena.file(bots, **ONE_MATCH), arena.work / "other"
    first = arena.run("run", cup, "--progress", "none")
    shutil.copytree(arena.results / "builds", other / "builds")
    again = arena.run("run", cup, "--progress", "none", results=other)

    assert "made: built in " in first.err
    assert "made: built before" in again.err
    board = arena.run("leaderboard", "--json").out
    assert timeless(board) == timeless(arena.run("leaderboard", "--json", results=other).out)
    assert [row["faults"] for row in json.loads(board)["rows"]] == [{}, {}, {}]


def test_a_build_that_fails_stores_nothing_and_a_fetch_needs_leave(arena: Arena):
    bots = {"made": make_bot(arena, "echo no such luck; exit 7"), "greedy": SAMPLES / "greedy"}
    bots["caller"] = SAMPLES / "caller"
    cup = arena.file(bots, **ONE_MATCH)
    failed = arena.run("run", cup, "--progress", "none", code=EXIT_BOT)
    assert "build failed: sh exited with status 7" in failed.err
    assert "no such luck" in failed.err

    make_bot(arena, "cp source made_bot.py", fetch=["true"])
    refused = arena.run("run", cup, "--progress", "none", code=EXIT_CONFIG)
    assert "--allow-fetch" in refused.err
    assert not (arena.results / "arena.db").exists()
