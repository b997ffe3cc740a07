# ruff: noqa: S608  # the statements are put together from constants
"""Whatever is changed in the rows of a tournament is found, and its place named."""

import json
import sqlite3
import zlib

import pytest
from tongits_harness.results.connection import database_path

from tests.durability.played import cup, plans
from tests.durability.tampering import SESSION, broken, execute, place

TAMPERINGS = {
    "an illegal action": (
        (
            f"UPDATE games SET actions = 'fold' || substr(actions, instr(actions, char(10)))"
            f" WHERE session_id = {SESSION} AND game = 1"
        ),
        {"games": (3, 1, 1)},
    ),
    "a decision called forced": (
        (
            f"UPDATE games SET sources = replace(sources, 'd', 'f')"
            f" WHERE session_id = {SESSION} AND game = 1"
        ),
        {"games": (3, 1, 1)},
    ),
    "a time": (
        (
            f"UPDATE games SET elapsed_us = replace(elapsed_us, ',0,', ',1,')"
            f" WHERE session_id = {SESSION} AND game = 0"
        ),
        {"games": (3, 1, 0)},
    ),
    "a winner": (
        f"UPDATE games SET winner = (winner + 1) % 3 WHERE session_id = {SESSION} AND game = 1",
        {"games": (3, 1, 1), "standings": None},
    ),
    "a dealer": (
        f"UPDATE games SET dealer = (dealer + 1) % 3 WHERE session_id = {SESSION} AND game = 0",
        {"games": (3, 1, 0)},
    ),
    "a deck digest": (
        f"UPDATE games SET deck_digest = '00' WHERE session_id = {SESSION} AND game = 1",
        {"decks": (3, 1, 1)},
    ),
    "a view digest": (
        (
            f"UPDATE games SET view_digests = '[\"0\",' || substr(view_digests, instr(view_digests,"
            f" ',') + 1) WHERE session_id = {SESSION} AND game = 0"
        ),
        {"games": (3, 1, 0)},
    ),
    "payments": (
        f"UPDATE games SET payments = '[9,-4,-5]' WHERE session_id = {SESSION} AND game = 0",
        {"games": (3, 1, 0)},
    ),
    "chips of a game": (
        f"UPDATE games SET chips = '[9,-4,-5]' WHERE session_id = {SESSION} AND game = 0",
        {"games": (3, 1, 0), "chips": (3, 1, None), "standings": (None, None, None)},
    ),
    "chips of a seat": (
        f"UPDATE session_seats SET chips = chips + 1 WHERE session_id = {SESSION} AND seat = 2",
        {"games": (3, 1, None), "chips": (3, 1, None), "standings": (None, None, None)},
    ),
    "chips of a match": (
        "UPDATE match_seats SET chips = chips + 1 WHERE match_index = 3 AND entrant = 'dee'",
        {"chips": (3, None, None), "standings": None},
    ),
    "the times of a match": (
        "UPDATE match_seats SET decisions = 1 WHERE match_index = 3 AND entrant = 'dee'",
        {"chips": (3, None, None), "standings": None},
    ),
    "the sandbox of a match": (
        "UPDATE matches SET sandbox = 'none' WHERE match_index = 3",
        {"chips": (3, None, None), "standings": None},
    ),
    "a forfeit": (
        (
            f"UPDATE session_seats SET forfeited = 1 - forfeited WHERE session_id = {SESSION}"
            " AND entrant = 'dee'"
        ),
        {
            "games": (3, 1, None),
            "chips": (3, None, None),
            "standings": (None, None, None),
        },
    ),
    "a fault": (
        "DELETE FROM faults WHERE rowid = (SELECT max(rowid) FROM faults)",
        {"games": None, "standings": None},
    ),
    "whose fault": (
        "UPDATE faults SET seat = (seat + 1) % 3 WHERE rowid = (SELECT max(rowid) FROM faults)",
        {"games": None},
    ),
    "a request": (
        (
            "UPDATE faults SET observation = x'00' WHERE rowid ="
            " (SELECT max(rowid) FROM faults WHERE length(observation) > 0)"
        ),
        {"games": None},
    ),
    "a key": (
        f"UPDATE sessions SET match_key = 'feed' WHERE id = {SESSION}",
        {
            "decks": (3, 1, 0),
            "schedule": (3, 1, None),
            "chips": (3, None, None),
            "standings": (None, None, None),
        },
    ),
    "a process of another seating": (
        (
            f"UPDATE session_seats SET incarnations = '[\"{3:08x}{0:08x}\"]'"
            f" WHERE session_id = {SESSION} AND entrant = 'dee'"
        ),
        {"processes": (3, 1, None)},
    ),
    "a process of another bot": (
        (
            f"UPDATE session_seats SET incarnations = '[\"{1:08x}{1:08x}\"]'"
            f" WHERE session_id = {SESSION} AND entrant = 'dee'"
        ),
        {"processes": None},
    ),
    "no process": (
        (
            f"UPDATE session_seats SET incarnations = '[]' WHERE session_id = {SESSION}"
            " AND entrant = 'dee'"
        ),
        {"processes": (3, 1, None)},
    ),
}
DEE = next(plan.index for plan in plans(cup()) if "dee" in plan.entrants and plan.index >= 3)


@pytest.mark.parametrize("what", TAMPERINGS)
def test_a_change_is_found_and_its_place_named(finished, verify, what):
    statement, wanted = TAMPERINGS[what]
    assert DEE == 3, "the changes below are made in match 3, with dee in it"
    execute(finished, statement)

    code, document = verify(finished)

    found = broken(document)
    assert code == 1
    assert set(found) == set(wanted), found
    for claim, where in wanted.items():
        assert where is None or place(found[claim]) == where, found[claim]


def remove(results, where):
    for table in ("session_seats", "games", "faults"):
        execute(
            results,
            f"DELETE FROM {table} WHERE session_id IN (SELECT id FROM sessions WHERE {where})",
        )
    execute(results, f"DELETE FROM sessions WHERE {where}")


def test_a_removed_session_is_missed(finished, verify):
    remove(finished, "match_index = 3 AND seating = 1")

    code, document = verify(finished)

    found = broken(document)
    assert code == 1
    assert place(found["schedule"]) == (3, 1, None)
    assert "session is missing" in found["schedule"]["what"]
    assert place(found["chips"]) == (3, None, None)
    assert "games" not in found


def test_a_removed_match_is_missed(finished, verify):
    remove(finished, "match_index = 3")
    execute(finished, "DELETE FROM match_seats WHERE match_index = 3")
    execute(finished, "DELETE FROM matches WHERE match_index = 3")

    code, document = verify(finished)

    found = broken(document)
    assert (code, set(found)) == (1, {"schedule", "standings"})
    assert place(found["schedule"]) == (3, None, None)
    assert "match is missing" in found["schedule"]["what"]


def test_a_session_too_many_is_noticed(finished, verify):
    execute(finished, "UPDATE tournaments SET matches_planned = 7")

    code, document = verify(finished)

    assert code == 1
    assert place(broken(document)["schedule"]) == (7, 0, None)
    assert "not planned" in broken(document)["chips"]["what"]


def test_a_rating_edited_in_the_checkpoint_is_found(finished, verify):
    connection = sqlite3.connect(database_path(finished))
    (packed,) = connection.execute("SELECT state FROM checkpoints").fetchone()
    state = json.loads(zlib.decompress(packed))
    state["ratings"]["dee"][0] += 1
    forged = zlib.compress(json.dumps(state, separators=(",", ":")).encode(), 1)
    with connection:
        connection.execute("UPDATE checkpoints SET state = ?", (forged,))
    connection.close()

    code, document = verify(finished)

    assert (code, set(broken(document))) == (1, {"standings"})
    assert "dee mu" in broken(document)["standings"]["what"]
