"""Where a tournament was left: with a checkpoint or without, nothing that is stored is lost."""

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tongits_harness.play.schedule import round_robin
from tongits_harness.results.connection import database_path
from tongits_harness.results.fold import Standing
from tongits_harness.results.store import open_store
from tongits_harness.results.suspension import LiveMatches

from tests.harness.results.builders import match_sessions, tournament

NAMES = ("ana", "ben", "cy", "dee")
PLANS = tuple(round_robin("cup", NAMES, 4))
SEATINGS = 3


def plans_from(first):
    return iter(PLANS[first:])


@st.composite
def courses(draw):
    """Sessions in the order in which they were stored, some matches not to their end."""
    losers = draw(st.lists(st.sampled_from([(), ("ben",), ("ana",)]), min_size=16, max_size=16))
    stored = draw(st.lists(st.integers(0, SEATINGS), min_size=16, max_size=16))
    chance, records = draw(st.randoms(use_true_random=False)), []
    for plan, lost, count in zip(PLANS, losers, stored, strict=True):
        own = [name for name in lost if name in plan.entrants]
        chips = chance.randint(-5, 5)
        sessions = match_sessions(plan, (chips, 1, -1 - chips), seatings=SEATINGS, lost=own)
        records += list(sessions)[:count]
    chance.shuffle(records)
    return records


def fill(results, records):
    with open_store(results, create=True) as store:
        store.create_tournament(tournament("cup", NAMES, seatings=SEATINGS, matches=16))
        for record in records:
            store.add_session("cup", record)


@settings(max_examples=20, deadline=None)
@given(courses(), st.integers(0, 48))
def test_what_is_left_is_the_same_however_often_it_was_looked_at(tmp_path_factory, records, first):
    straight, parted = tmp_path_factory.mktemp("straight"), tmp_path_factory.mktemp("parted")
    fill(straight, records)
    with open_store(straight, create=False) as store:
        left = store.leave_off("cup", plans_from)
        matches = store.matches("cup")
        live = LiveMatches(PLANS)
        settled = [one for match in matches for one in live.add(match)]
        all_sessions = store.stored_sessions("cup")
        figures = list(store.read.figures("cup", -1, left.standing.last))

    fill(parted, records[:first])
    with open_store(parted, create=False) as store:
        store.leave_off("cup", plans_from)
        for record in records[first:]:
            store.add_session("cup", record)
        again = store.leave_off("cup", plans_from)

    made = Standing(NAMES, left.standing.seed)
    assert [match.result for match in figures if made.add(match)] == settled
    assert made.to_bytes() == left.standing.to_bytes()
    assert left.standing.suspended == live.suspended
    assert left.sessions == {key for key in all_sessions if key[0] > left.standing.last}
    assert [m.index for m in left.matches] == [
        match.index for match in matches if match.index > left.standing.last
    ]
    complete = {match.index for match in left.matches}
    assert {index for index, _ in left.sessions} - complete == left.partial.keys()
    assert (left.sessions_stored, left.matches_stored) == (len(all_sessions), len(matches))
    assert again.standing.to_bytes() == left.standing.to_bytes()
    assert (again.matches, again.sessions, again.partial) == (
        left.matches, left.sessions, left.partial,
    )  # fmt: skip
    assert (again.sessions_stored, again.matches_stored) == (len(all_sessions), len(matches))


@pytest.mark.parametrize(
    "damage", ["DELETE FROM checkpoints", "UPDATE checkpoints SET state = x'00'"]
)
def test_without_its_checkpoint_a_tournament_is_taken_up_the_same(tmp_path, damage):
    records = [
        record
        for plan in PLANS[:10]
        for record in match_sessions(plan, (plan.index, 0, -plan.index), seatings=SEATINGS)
    ]
    fill(tmp_path, records)
    with open_store(tmp_path, create=False) as store:
        before = store.leave_off("cup", plans_from)
        kept = standing_bytes(tmp_path)
    with sqlite3.connect(database_path(tmp_path)) as connection:
        connection.execute(damage)
    connection.close()
    with open_store(tmp_path, create=False) as store:
        after = store.leave_off("cup", plans_from)

    assert after.standing.to_bytes() == before.standing.to_bytes()
    assert standing_bytes(tmp_path) == kept
    assert after.next_match == before.next_match


def standing_bytes(results):
    with sqlite3.connect(database_path(results)) as connection:
        (row,) = connection.execute("SELECT state FROM checkpoints").fetchall()
    connection.close()
    return row[0]


def test_only_what_is_not_settled_is_read_one_by_one(tmp_path):
    records = [r for plan in PLANS for r in match_sessions(plan, (1, 0, -1), seatings=SEATINGS)]
    fill(tmp_path, [r for r in records if (r.plan.match.index, r.plan.seating) != (12, 1)])
    with open_store(tmp_path, create=False) as store:
        left = store.leave_off("cup", plans_from)

    assert left.next_match == 12
    assert [match.index for match in left.matches] == [13, 14, 15]
    assert left.partial.keys() == {12}
    assert len(left.sessions) == 4 * SEATINGS - 1
