"""What is stored comes back, once, and a match appears with its last session."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tongits_harness.errors import ConfigError
from tongits_harness.faults import FaultKind
from tongits_harness.play.plan import sessions_of
from tongits_harness.results.match_result import settle_sessions
from tongits_harness.results.queries import open_reader
from tongits_harness.results.session_rows import insert_details, read_session
from tongits_harness.results.store import open_store
from tongits_harness.results.tournament_rows import as_stored

from tests.harness.results.builders import (
    SECRET,
    fault,
    match_plan,
    match_sessions,
    session,
    tournament,
)


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path, create=True) as opened:
        opened.create_tournament(tournament())
        yield opened


def test_a_tournament_comes_back_as_it_was_begun(store):
    assert store.tournament("cup") == tournament()
    store.create_tournament(tournament("pot", ("zoe", "ana", "ben")))
    assert store.tournament(None).name == "pot"
    assert [t.name for t in store.tournaments()] == ["cup", "pot"]


def test_a_tournament_can_be_compared_with_what_was_stored(store):
    begun = replace(
        tournament("pot"), parameters={"deal.cards": (13, 12)}, settings={"seatings": 3, "x": (1,)}
    )
    store.create_tournament(begun)
    assert store.tournament("pot") == as_stored(begun) == as_stored(as_stored(begun))
    assert store.tournament("pot") != begun


def test_a_session_comes_back_as_it_was_stored(store):
    plan = sessions_of(match_plan(), 3)[1]
    faults = [fault(plan, "cy", process_lost=True), fault(plan, "ana", kind=FaultKind.TIMEOUT)]
    record = session(plan, {"ana": 3, "ben": -1, "cy": -2}, faults=faults, games=2, forfeits=["cy"])
    record = replace(record, voids=2, started_at=12.25, finished_at=13.5)
    assert store.add_session("cup", record)
    assert list(store.read.sessions("cup")) == [record]
    assert list(store.read.sessions("cup", 0)) == [record]
    assert list(store.read.sessions("cup", 1)) == []


TEXT = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


@given(message=TEXT, note=TEXT, evidence=st.dictionaries(TEXT, JSON, max_size=4), raw=st.binary())
@settings(max_examples=25, deadline=None)
def test_whatever_a_bot_writes_comes_back(message, note, evidence, raw):
    import sqlite3
    from contextlib import closing

    from tongits_harness.results.schema import create_tables

    plan = sessions_of(match_plan(), 3)[0]
    what = fault(plan, "ben")
    what = replace(
        what, fault=replace(what.fault, message=message, evidence=evidence), observation=raw
    )
    record = session(plan, {"ana": 0, "ben": 0, "cy": 0}, faults=[what])
    record = replace(record, games=(replace(record.games[0], notes={1: note}),))
    with closing(sqlite3.connect(":memory:")) as connection:
        create_tables(connection)
        insert_details(connection, 7, record)
        row = (7, 0, 0, record.plan.match.key, 0, 0, "full", 1_000_000.0, 1_000_001.0)
        assert read_session(connection, row) == record


def test_broken_text_from_a_bot_is_stored_all_the_same(store):
    plan = sessions_of(match_plan(), 3)[0]
    what = fault(plan, "ben")
    what = replace(
        what,
        fault=replace(what.fault, message="bad \udc80", evidence={"raw": b"\xff", "x": "\ud800"}),
    )
    assert store.add_session("cup", session(plan, {"ana": 0, "ben": 0, "cy": 0}, faults=[what]))
    (read,) = store.read.sessions("cup")
    assert read.faults[0].fault.message == "bad \\udc80"
    assert read.faults[0].fault.evidence == {"raw": "ff", "x": "\ud800"}


def test_a_match_appears_with_its_last_session_and_not_before(store):
    records = match_sessions(match_plan(), (5, 0, -5), lost=["cy"])
    for record in reversed(records):
        assert store.matches("cup") == ()
        assert store.add_session("cup", record)
    assert store.matches("cup") == (settle_sessions(records),)
    (figures, *_) = store.read.seat_figures("cup")
    assert (figures.entrant, figures.decisions, figures.latency) == ("ana", 30, {40: 27, 52: 3})


def test_a_session_stored_twice_counts_once(store):
    records = match_sessions(match_plan(), (5, 0, -5))
    assert [store.add_session("cup", r) for r in (*records, *records)] == [True] * 3 + [False] * 3
    assert store.matches("cup") == (settle_sessions(records),)
    assert store.stored_sessions("cup") == {(0, 0), (0, 1), (0, 2)}
    assert store.read.progress("cup").sessions == 3


def test_tournaments_of_one_folder_do_not_mix(store):
    store.create_tournament(tournament("pot"))
    for name in ("cup", "pot"):
        for record in match_sessions(match_plan(), (5, 0, -5)):
            assert store.add_session(name, record)
    store.add_session("pot", match_sessions(match_plan(1), (0, 0, 0))[0])
    assert len(store.matches("cup")) == len(store.matches("pot")) == 1
    assert len(store.stored_sessions("pot")) == 4


def broken(change):
    plan = sessions_of(match_plan(), 3)[0]
    return change(session(plan, {"ana": 1, "ben": 0, "cy": -1}))


@pytest.mark.parametrize(
    "change",
    [
        lambda r: replace(r, seats=(replace(r.seats[0], chips=2), *r.seats[1:])),
        lambda r: replace(r, games=()),
        lambda r: replace(r, seats=r.seats[::-1]),
        lambda r: replace(r, sandbox="cardboard"),
        lambda r: replace(r, games=(replace(r.games[0], sources="d"),)),
        lambda r: replace(r, plan=replace(r.plan, seating=3)),
    ],
    ids=["chips", "no games", "seats", "sandbox", "sources", "seating"],
)
def test_a_record_that_cannot_be_true_is_refused_and_leaves_nothing(store, change):
    with pytest.raises(ValueError, match=r"match|session"):
        store.add_session("cup", broken(change))
    assert store.stored_sessions("cup") == frozenset()


def test_a_schedule_that_changed_is_noticed(store):
    first, second, _ = match_sessions(match_plan(), (0, 0, 0))
    store.add_session("cup", first)
    other = replace(second.plan, match=replace(second.plan.match, key="another"))
    with pytest.raises(ValueError, match="not another"):
        store.add_session("cup", replace(second, plan=other))


def test_a_finished_tournament_shows_its_secret_and_takes_no_more(store):
    assert store.read.progress("cup").secret is None
    with pytest.raises(ValueError, match="committed"):
        store.finish_tournament("cup", "00" * 32)
    store.finish_tournament("cup", SECRET.hex())
    finished = store.read.progress("cup")
    assert finished.secret == SECRET.hex()
    store.finish_tournament("cup", SECRET.hex())
    assert store.read.progress("cup") == finished
    with pytest.raises(ValueError, match="finished"):
        store.add_session("cup", match_sessions(match_plan(), (0, 0, 0))[0])


def test_a_taken_name_and_senseless_settings_are_refused(store):
    with pytest.raises(ConfigError, match=r"'cup' is in .*arena\.db already.*resume"):
        store.create_tournament(tournament())
    with pytest.raises(ConfigError, match="take 1, 3 or 6"):
        store.create_tournament(tournament("pot", seatings=4))
    with pytest.raises(ConfigError, match="cannot be used"):
        store.create_tournament(tournament("../pot"))
    assert [t.name for t in store.tournaments()] == ["cup"]


def test_an_unknown_tournament_is_answered_with_the_nearest(store):
    with pytest.raises(ConfigError, match=r"no tournament 'cupp' in .*did you mean 'cup'\?"):
        store.tournament("cupp")
    with pytest.raises(ConfigError, match="it holds cup"):
        store.stored_sessions("zzzzz")


def test_a_match_is_found_by_number_key_or_beginning_of_key(store):
    for index in (0, 12):
        store.add_session("cup", match_sessions(match_plan(index), (0, 0, 0))[0])
    find = store.read.find_match
    assert [find("cup", t) for t in ("12", "#12", match_plan(12).key, "0000000c")] == [12] * 4
    with pytest.raises(ConfigError, match="could be any of 2"):
        find("cup", "000000")
    with pytest.raises(ConfigError, match="`tongits matches` lists"):
        find("cup", "99")


def test_a_reader_sees_one_moment_while_sessions_are_added(tmp_path, store):
    first, second, third = match_sessions(match_plan(), (5, 0, -5))
    store.add_session("cup", first)
    with open_reader(tmp_path) as reader:
        assert reader.progress("cup").sessions == 1
        store.add_session("cup", second)
        store.add_session("cup", third)
        assert reader.progress("cup").sessions == 1
        assert reader.matches("cup") == ()
    with open_reader(tmp_path) as reader:
        assert len(reader.matches("cup")) == 1


def test_what_is_added_together_is_stored_whole_or_not_at_all(store):
    first, second, third = match_sessions(match_plan(), (0, 0, 0))

    with pytest.raises(ValueError, match="seats differ"):
        add_together(store, first, replace(second, plan=third.plan))
    assert store.stored_sessions("cup") == frozenset()

    add_together(store, first, second, third)
    assert len(store.stored_sessions("cup")) == 3
    assert len(store.matches("cup")) == 1


def add_together(store, *records):
    with store.together():
        for record in records:
            assert store.add_session("cup", record)
