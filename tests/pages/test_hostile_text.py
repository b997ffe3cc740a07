"""Words of bots are text on every page; a match that is going on shows no hand."""

import json
import shutil
import sqlite3
from contextlib import closing
from functools import partial

import pytest
import trio
from tongits_harness.results.connection import database_path
from tongits_harness.web import makers
from tongits_harness.web.arena import Arena
from tongits_harness.web.makers import NotFoundError
from tongits_harness.web.pages import Frame
from tongits_harness.web.publish import publish

HOSTILE = "</script><script>alert(1)</script>\u202egnp.exe\x1b[31m<img src=x onerror=alert(2)>"


@pytest.fixture
def copied(results, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(results, folder)
    return folder


def execute(folder, statement, *values):
    with closing(sqlite3.connect(database_path(folder))) as connection, connection:
        connection.execute(statement, values)


def page(folder, maker, values):
    return trio.run(partial(maker, Arena(folder), "cup", values, {}))


def test_markup_in_notes_and_evidence_stays_text(copied, tmp_path):
    notes = json.dumps(dict.fromkeys(range(30), HOSTILE))
    execute(copied, "UPDATE games SET notes = ?", notes)
    execute(
        copied,
        "INSERT INTO faults SELECT id, 0, 0, 'greedy', 0, 1, 1, 0, 0, 'CRASH', 'bot', 'decision',"
        " ?1, ?2, x'' FROM sessions WHERE match_index < 3",
        HOSTILE,
        json.dumps({"stderr": HOSTILE, "argv": ["python3", HOSTILE]}),
    )
    execute(copied, "DELETE FROM checkpoints")
    publish(copied, tmp_path / "site", "cup", replays=3)

    seen = 0
    for file in (tmp_path / "site").rglob("*.html"):
        text = file.read_text()
        seen += "gnp.exe" in text
        for evil in ("<script>alert", "<img src=x", "\u202e", "\x1b"):
            assert evil not in text, file
    assert seen > 3


def test_a_match_that_is_not_complete_shows_the_table_only(copied):
    (key,) = _one(copied, "SELECT match_key FROM matches WHERE match_index = 5")
    for table in ("match_seats", "matches"):
        execute(copied, f"DELETE FROM {table} WHERE match_index = 5")  # noqa: S608
    (session,) = _one(copied, "SELECT id FROM sessions WHERE match_index = 5 AND seating = 2")
    for table in ("faults", "games", "session_seats"):
        execute(copied, f"DELETE FROM {table} WHERE session_id = {session}")  # noqa: S608
    execute(copied, "DELETE FROM sessions WHERE id = ?", session)

    shown = page(copied, makers.replay, {"key": key})
    assert all(frame["h"] == [None, None, None] for frame in shown.document["frames"])
    assert "not complete" in shown.html(Frame("cup"))
    for view in ("all", "seat0", "seat1", "seat2"):
        with pytest.raises(NotFoundError, match="when the match is complete"):
            page(copied, makers.replay, {"key": key, "seating": "0", "game": "0", "view": view})


def test_a_tournament_without_a_match_says_how_to_begin(copied):
    for table in ("checkpoints", "match_seats", "matches"):
        execute(copied, f"DELETE FROM {table}")  # noqa: S608
    html = page(copied, makers.leaderboard, {}).html(Frame("cup"))
    assert "No match is complete yet" in html
    assert "tongits run" in html


def test_the_checkpoint_of_another_version_is_made_anew(copied):
    execute(copied, "UPDATE checkpoints SET state = x'789c'")
    board = page(copied, makers.leaderboard, {}).document
    assert board["matches"] == 30


def _one(folder, statement):
    with closing(sqlite3.connect(database_path(folder))) as connection:
        return connection.execute(statement).fetchone()
