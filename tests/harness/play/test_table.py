"""A table: one session between its generator and the three lanes it is seated at."""

from collections import deque
from types import SimpleNamespace

import pytest
from tongits_harness.faults import Blame, FaultKind
from tongits_harness.play.table import Table, Void
from tongits_harness.protocol.load import Burner
from tongits_harness.results.records import SessionRecord

from tests.harness.play.driving import play, player, setup_for


class FakeLane:
    """Keeps what is submitted and answers when it is told to."""

    def __init__(self, entrant, seat):
        self.entrant, self.answer = entrant, player(seat)
        self.sitters, self.waiting, self.over = set(), deque(), []

    def submit(self, pending, _sitter):
        self.waiting.append(pending)

    def leave(self, sitter):
        self.sitters.discard(sitter)
        self.waiting.clear()

    def tell_over(self, game_id, _over):
        self.over.append(game_id)


class Arena:
    """A table with its lanes, and how it ended."""

    def __init__(self, *, voids=(), games=1):
        self.setup = setup_for(games=games)
        self.lanes = tuple(FakeLane(name, seat) for seat, name in enumerate(self.setup.plan.seats))
        self.ended = []
        self.table = Table(
            self.setup,
            self.lanes,
            lambda _table, result: self.ended.append(result),
            voids=voids,
            sandbox="full",
        )
        self.table.open()

    @property
    def head(self):
        (lane,) = [lane for lane in self.lanes if lane.waiting]
        return lane

    def answer(self, times=1):
        for _ in range(times):
            lane = self.head
            pending = lane.waiting.popleft()
            pending.deliver(lane.answer(pending.ask))

    def play_out(self):
        while not self.ended:
            self.answer()
        (result,) = self.ended
        return result


def test_a_table_sits_at_its_three_lanes_and_asks_one_of_them():
    arena = Arena()
    assert all(lane.sitters == {arena.table} for lane in arena.lanes)
    assert [len(lane.waiting) for lane in arena.lanes].count(1) == 1


def test_a_session_played_at_a_table_is_the_one_the_generator_plays():
    record = Arena(games=2).play_out()
    outcome = play(setup_for(games=2), [player(seat) for seat in range(3)]).outcome
    assert (record.games, record.faults) == (outcome.games, outcome.faults)


def test_a_record_says_where_how_and_by_which_processes_it_was_played():
    arena = Arena()
    arena.table.incarnated(arena.lanes[1], "one")
    arena.table.incarnated(arena.lanes[1], "one")
    arena.table.incarnated(arena.lanes[1], "two")
    record = arena.play_out()
    assert isinstance(record, SessionRecord)
    assert [seat.incarnations for seat in record.seats] == [(), ("one", "two"), ()]
    assert (record.sandbox, record.voids, record.plan) == ("full", 0, arena.setup.plan)
    assert record.started_at <= record.finished_at


def test_a_table_that_is_done_has_left_its_lanes():
    arena = Arena()
    arena.play_out()
    assert all(lane.sitters == set() for lane in arena.lanes)
    assert not any(lane.waiting for lane in arena.lanes)


def test_every_seat_is_told_the_end_of_every_game():
    arena = Arena(games=3)
    arena.play_out()
    assert [len(set(lane.over)) for lane in arena.lanes] == [3, 3, 3]


def _void(pending, reason):
    pending.void(pending, reason)


def test_a_void_decision_ends_the_session_without_a_record():
    arena = Arena()
    arena.answer(3)
    lane = arena.head
    _void(lane.waiting[0], "the harness lagged")
    assert arena.ended == [Void("the harness lagged", lane.entrant)]
    assert all(lane.sitters == set() for lane in arena.lanes)


def test_an_answer_to_a_void_session_is_dropped():
    arena = Arena()
    lane = arena.head
    pending = lane.waiting[0]
    _void(pending, "the harness lagged")
    pending.deliver(lane.answer(pending.ask))
    _void(pending, "again")
    assert len(arena.ended) == 1


@pytest.mark.parametrize("earlier", [(), ("ana",), ("ana", "ben", "cy"), ("ben", "ben", "ben")])
def test_a_session_is_replayed_while_no_one_bot_was_late_too_often(earlier):
    arena = Arena(voids=earlier)
    while arena.head.entrant != "ana":
        arena.answer()
    _void(arena.head.waiting[0], "late")
    assert isinstance(arena.ended[0], Void)


def test_a_bot_that_is_late_in_every_replay_is_charged_and_the_session_goes_on():
    arena = Arena(voids=("ana", "ben", "ana"))
    while arena.head.entrant != "ana":
        arena.answer()
    _void(arena.head.waiting.popleft(), "the bot waited 900 ms for a processor")
    assert arena.ended == []
    record = arena.play_out()
    (fault,) = record.faults
    assert (fault.entrant, fault.fault.kind, fault.fault.blame) == (
        "ana",
        FaultKind.TIMEOUT,
        Blame.BOT,
    )
    assert "after 2 replays" in fault.fault.message
    assert record.voids == 3


@pytest.mark.parametrize(("burner", "is_charged"), [("ben", False), ("ana", True)])
def test_a_bot_is_not_charged_where_another_was_the_reason(burner, is_charged):
    arena = Arena(voids=("ana",) * 7)
    while arena.head.entrant != "ana":
        arena.answer()
    pending = arena.head.waiting.popleft()
    pending.burner = Burner(SimpleNamespace(entrant=burner), 900, 400, 500)
    _void(pending, "late")
    expected = [] if is_charged else [Void("late", "ana", pending.burner)]
    assert arena.ended == expected


def test_a_table_that_is_closed_says_nothing_more():
    arena = Arena()
    lane = arena.head
    pending = lane.waiting[0]
    arena.table.close()
    pending.deliver(lane.answer(pending.ask))
    arena.table.close()
    assert arena.ended == []
    assert all(lane.sitters == set() for lane in arena.lanes)
