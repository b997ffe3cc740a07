"""The standing is a fold: in one go or with breaks, stored or not, it comes out the same."""

import itertools
import random
import re
import sqlite3

import pytest
from tongits_harness.play.schedule import round_robin
from tongits_harness.results.connection import database_path
from tongits_harness.results.fold import Standing
from tongits_harness.results.leaderboard import read_leaderboard
from tongits_harness.results.queries import open_reader
from tongits_harness.results.schema import ADDED
from tongits_harness.results.store import open_store

from tests.harness.results.builders import match_sessions, tournament

NAMES = ("ana", "ben", "cy", "dee")
MATCHES = 24


def records(seed=1):
    chance = random.Random(seed)
    for plan in round_robin("cup", NAMES, MATCHES // 4):
        a, b = chance.randint(-5, 5), chance.randint(-5, 5)
        lost = [n for n in plan.entrants if chance.random() < 0.2]
        yield from match_sessions(plan, (a, b, -a - b), seatings=3, lost=lost)


@pytest.fixture
def stored(tmp_path):
    with open_store(tmp_path, create=True) as store:
        store.create_tournament(tournament("cup", NAMES, seatings=3, matches=MATCHES))
        for record in records():
            store.add_session("cup", record)
    return tmp_path


def board(results):
    with open_reader(results) as reader:
        return read_leaderboard(reader)


def standing(results):
    with open_reader(results) as reader:
        return reader.standing(reader.tournament("cup"))


@pytest.mark.parametrize("until", [0, 7, 22, None])
def test_a_checkpoint_changes_nothing(stored, until):
    before, whole = board(stored), standing(stored).to_bytes()
    with open_store(stored, create=False) as store:
        store.checkpoint("cup", until)

    assert board(stored) == before
    assert standing(stored).to_bytes() == whole


def test_checkpoints_one_after_the_other_come_to_the_same(stored):
    whole = standing(stored).to_bytes()
    with open_store(stored, create=False) as store:
        for until in range(MATCHES):
            store.checkpoint("cup", until)

    assert standing(stored).to_bytes() == whole


def test_a_checkpoint_that_cannot_be_read_is_passed_over(stored):
    before = board(stored)
    with open_store(stored, create=False) as store:
        store.checkpoint("cup")
    with sqlite3.connect(database_path(stored)) as connection:
        connection.execute("UPDATE checkpoints SET state = x'00'")
    connection.close()

    assert board(stored) == before


def test_a_database_of_the_first_format_is_read_and_raised(stored):
    before = board(stored)
    with sqlite3.connect(database_path(stored)) as connection:
        for name in re.findall(r"CREATE (?:TABLE|VIEW) (\w+)", " ".join(ADDED.values())):
            (kind,) = connection.execute(
                "SELECT type FROM sqlite_schema WHERE name = ?", (name,)
            ).fetchone()
            connection.execute(f"DROP {kind} {name}")
        connection.execute("PRAGMA user_version = 1")
    connection.close()

    assert board(stored) == before
    with open_store(stored, create=False) as store:
        store.checkpoint("cup")
    assert board(stored) == before


def test_sums_agree_with_the_matches(stored):
    made = standing(stored)
    with open_reader(stored) as reader:
        matches = reader.matches("cup")
    counted = [match for match in matches if not made.suspended or match.index <= made.last]

    assert sum(totals.matches for totals in made.totals.values()) == 3 * made.matches
    assert made.matches <= len(counted)
    assert sum(made.seats.chips) == 0
    for (first, second), pair in made.pairs.items():
        both = made.totals[first].matches + made.totals[second].matches
        assert 0 < 2 * pair.matches <= both
    for totals in made.totals.values():
        assert totals.history[-1].matches == totals.matches


def test_a_long_history_is_thinned_evenly():
    made = Standing(("ana",), "x").totals["ana"]
    rating = Standing(("ana",), "x").ratings["ana"]
    for index in range(10_000):
        made.places[0] += 1
        made.rated(index, rating)

    points = [point.matches for point in made.history]
    assert 128 <= len(points) < 256
    assert {b - a for a, b in itertools.pairwise(points)} == {made.stride}


def test_an_unknown_state_is_refused():
    with pytest.raises(ValueError, match="no state"):
        Standing.from_bytes(b"nonsense", "x")
