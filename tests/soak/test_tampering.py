# ruff: noqa: S608  # the statements are put together from constants
"""A tournament of 3,000 matches is verified; every change of it is found, its place named."""

import json
import shutil
import sqlite3
import subprocess
import sys
import time
import zlib
from contextlib import closing

import pytest

from tests.durability.in_process import play
from tests.durability.tampering import broken, execute

MATCHES = 3_000
IN_THE_MIDDLE = 1_500
LIMIT_S = 1_200

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """All is real but the bots, which answer at once."""
    results = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as monkeypatch:
        play(results, monkeypatch, rounds=MATCHES, seatings=6, games=2)
    return results


@pytest.fixture
def results(played, tmp_path):
    return shutil.copytree(played, tmp_path / "results")


def verified(results, capsys, what):
    """Exit status and document of `tongits verify`, whose lines are shown."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "tongits_harness.cli", "verify", "--json", "--results", results],
        capture_output=True, text=True, check=False, timeout=LIMIT_S,
    )  # fmt: skip
    document = json.loads(done.stdout)
    with capsys.disabled():
        print(f"\n{what}: {time.monotonic() - began:.1f} s, {done.stderr.strip()}")  # noqa: T201
        for claim, failure in broken(document).items():
            print(f"  {claim}: {failure}")  # noqa: T201
    return done.returncode, document


def flip_a_byte(results):
    """The lowest bit of the first letter of a game's actions."""
    chosen = f"session_id = (SELECT min(id) FROM sessions WHERE match_index = {IN_THE_MIDDLE})"
    ((actions,),) = execute(results, f"SELECT actions FROM games WHERE {chosen} AND game = 1")
    flipped = chr(ord(actions[0]) ^ 1) + actions[1:]
    execute(results, f"UPDATE games SET actions = ? WHERE {chosen} AND game = 1", flipped)


def change_the_seed(results):
    """One digit of the secret that was published."""
    ((secret,),) = execute(results, "SELECT secret FROM tournaments")
    changed = ("1" if secret[0] == "0" else "0") + secret[1:]
    execute(results, "UPDATE tournaments SET secret = ?", changed)


def remove_a_match(results):
    """All rows of it."""
    with closing(sqlite3.connect(results / "arena.db")) as database, database:
        database.execute("PRAGMA foreign_keys = ON")
        chosen = f"SELECT id FROM sessions WHERE match_index = {IN_THE_MIDDLE}"
        for table in ("faults", "games", "session_seats"):
            database.execute(f"DELETE FROM {table} WHERE session_id IN ({chosen})")
        for table in ("sessions", "match_seats", "matches"):
            database.execute(f"DELETE FROM {table} WHERE match_index = {IN_THE_MIDDLE}")


def edit_a_rating(results):
    """The mu of one entrant, in the standing that is kept."""
    ((packed,),) = execute(results, "SELECT state FROM checkpoints")
    state = json.loads(zlib.decompress(packed))
    state["ratings"]["greedy"][0] += 0.01
    forged = zlib.compress(json.dumps(state, separators=(",", ":")).encode(), 1)
    execute(results, "UPDATE checkpoints SET state = ?", forged)


def test_it_holds(results, capsys):
    code, document = verified(results, capsys, "as played")
    assert (code, broken(document)) == (0, {})
    checked = {claim["claim"]: claim["checked"] for claim in document["claims"]}
    assert checked["games"] == checked["decks"] == MATCHES * 6 * 2
    assert checked["information"] > checked["games"]
    assert checked["schedule"] == checked["chips"] == MATCHES


@pytest.mark.parametrize(
    ("tamper", "claims", "named"),
    [
        (flip_a_byte, {"games"}, {"match": IN_THE_MIDDLE, "seating": 0, "game": 1}),
        (change_the_seed, {"secret", "decks"}, {"match": 0, "seating": 0, "game": 0}),
        (remove_a_match, {"schedule"}, {"match": IN_THE_MIDDLE}),
        (edit_a_rating, {"standings"}, {}),
    ],
)
def test_a_change_is_found_and_its_place_named(results, capsys, tamper, claims, named):
    tamper(results)

    code, document = verified(results, capsys, tamper.__name__)

    found = broken(document)
    assert code == 1
    assert claims <= set(found)
    assert any(named.items() <= failure.items() for failure in found.values())
    if tamper is edit_a_rating:
        assert found["standings"]["what"].startswith("greedy mu: shown ")
