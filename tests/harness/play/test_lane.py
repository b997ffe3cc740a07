"""A lane: what it asks, of which process, and what it asks again of the next."""

import pytest
import trio
from tongits_harness.bots.spawner import SpawnFailedError
from tongits_harness.protocol.decisions import Chosen

from tests.harness.play.fake_house import FakeSitter, settle, submit


def games(bot):
    return [game for _, game in bot.was_asked()]


def begun(bot):
    return {game.game_id: game.resumed for message in bot.sent for game in message.started}


async def test_a_process_is_started_when_something_is_asked_and_not_before(
    open_lane, autojump_clock
):
    here, lane, _ = await open_lane(tables=0)
    assert here.bots == []
    assert not lane.is_open
    table = FakeSitter()
    submit(lane, table, 1)
    await settle()
    assert here.bots[0].was_asked() == [(1, "game-1")]
    assert table.incarnations == ["process-1"]
    here.bots[0].answer(1)
    assert isinstance(table.replies[1], Chosen)


@pytest.mark.parametrize(("wanted", "held"), [(2, 2), (64, 4), (0, 1)])
async def test_a_start_reports_how_many_games_are_held(
    open_mute_lane, autojump_clock, wanted, held
):
    _, lane = open_mute_lane(lambda bot: bot.hears(bot.hello(games=wanted)))
    report = await lane.start()
    assert (report.fault, report.concurrent_games) == (None, held)
    assert await lane.start() == report
    assert lane.processes_started == 1


async def test_everything_that_waits_travels_in_one_message(open_lane, autojump_clock):
    here, _, _ = await open_lane(tables=3)
    assert [len(message.requests) for message in here.bots[0].sent if message.requests] == [3]


async def test_what_is_asked_meanwhile_waits_for_all_answers(open_lane, autojump_clock):
    here, lane, (table, _) = await open_lane(tables=2)
    submit(lane, table, 3)
    here.bots[0].answer(1)
    await settle()
    assert len(here.bots[0].was_asked()) == 2
    here.bots[0].answer(2)
    await settle()
    assert here.bots[0].was_asked()[2] == (3, "game-3")


async def test_after_a_death_the_other_games_go_on_in_a_new_process_as_resumed(
    open_lane, autojump_clock
):
    here, _, tables = await open_lane(tables=3)
    here.bots[0].process.end()
    await settle()
    again = here.bots[1]
    assert again.was_asked() == [(1, "game-1"), (2, "game-2")]
    assert begun(again) == {"game-1": True, "game-2": True}
    assert tables[0].incarnations == ["process-1"]
    assert tables[1].incarnations == ["process-1", "process-2"]
    again.answer(1, 2)
    assert isinstance(tables[1].replies[1], Chosen)
    assert isinstance(tables[2].replies[2], Chosen)


async def test_what_was_answered_before_the_death_is_not_asked_again(open_lane, autojump_clock):
    here, _, tables = await open_lane(tables=3)
    here.bots[0].answer(1)
    here.bots[0].process.end()
    await settle()
    assert isinstance(tables[0].replies[0], Chosen)
    assert tables[1].replies[1].process_lost
    assert here.bots[1].was_asked() == [(1, "game-2")]


async def test_a_decision_that_was_waiting_comes_after_those_asked_again(open_lane, autojump_clock):
    here, lane, tables = await open_lane(tables=3)
    submit(lane, tables[0], 9)
    here.bots[0].process.end()
    await settle()
    assert games(here.bots[1]) == ["game-1", "game-2", "game-9"]
    assert begun(here.bots[1]) == {"game-1": True, "game-2": True, "game-9": False}


async def test_a_restart_asks_everything_again(open_lane, autojump_clock):
    here, lane, tables = await open_lane(tables=2)
    lane.restart("a session was void")
    await settle()
    assert tables[0].replies == tables[1].replies == {}
    assert here.bots[0].process.killed == "a session was void"
    assert here.bots[0].closed
    assert games(here.bots[1]) == ["game-0", "game-1"]
    assert lane.processes_started == 2


async def test_a_table_that_has_left_is_not_asked_again(open_lane, autojump_clock):
    here, lane, tables = await open_lane(tables=2)
    lane.leave(tables[0])
    lane.restart("a session was void")
    await settle()
    assert games(here.bots[1]) == ["game-1"]


async def test_games_of_a_table_that_has_left_are_forgotten(open_lane, autojump_clock):
    here, lane, tables = await open_lane(tables=2)
    lane.leave(tables[0])
    assert set(lane._games_seen) == {b"game-1"}
    assert lane.now.talk._told == {b"game-1"}
    here.bots[0].answer(1, 2)
    lane.leave(tables[1])
    assert lane._games_seen == {}
    assert lane.now.talk._told == set()


async def test_a_table_that_leaves_takes_its_waiting_decisions_along(open_lane, autojump_clock):
    here, lane, (table,) = await open_lane()
    other = FakeSitter()
    submit(lane, other, 5)
    submit(lane, table, 6)
    lane.leave(other)
    here.bots[0].answer(1)
    await settle()
    assert games(here.bots[0]) == ["game-0", "game-6"]


async def test_the_end_of_a_game_is_told_to_the_process_that_knows_it(open_lane, autojump_clock):
    here, lane, _ = await open_lane()
    here.bots[0].answer(1)
    lane.tell_over(b"game-0", b"")
    lane.tell_over(b"game-1", b"")
    await settle()
    told = [over.game_id for message in here.bots[0].sent for over in message.over]
    assert told == ["game-0"]


async def test_an_idle_lane_can_be_closed_and_opens_again_when_it_is_asked(
    open_lane, autojump_clock
):
    here, lane, (table,) = await open_lane()
    here.bots[0].answer(1)
    lane.restart("idle, and its memory is wanted")
    await settle()
    assert (len(here.bots), lane.is_open, here.changes) == (1, False, 1)
    submit(lane, table, 2)
    await settle()
    assert here.bots[1].was_asked() == [(1, "game-2")]


async def test_a_closed_lane_gives_its_uid_back(open_lane, autojump_clock):
    here, lane, _ = await open_lane()
    free = here.services.uid_slots.free
    here.bots[0].answer(1)
    lane.restart("idle")
    await settle()
    assert len(here.services.uid_slots.free) == len(free) + 1
    assert len(set(here.services.uid_slots.free)) == len(free) + 1


async def test_closing_a_lane_that_is_closed_does_nothing(open_lane, autojump_clock):
    here, lane, _ = await open_lane(tables=0)
    lane.restart("idle")
    await settle()
    assert here.bots == []


async def test_a_process_that_is_lost_gives_its_slot_back(open_lane, nursery, autojump_clock):
    here, _, _ = await open_lane(slots=1)
    second, table = here.lane(), FakeSitter()
    nursery.start_soon(second.run)
    submit(second, table, 2)
    await settle()
    assert here.bots[1].was_asked() == []
    here.bots[0].process.end()
    await settle()
    assert here.bots[1].was_asked() == [(1, "game-2")]


async def test_a_broken_down_sandbox_is_tried_once_more(open_mute_lane, autojump_clock):
    def fail_once(bot):
        if bot is here.bots[0]:
            raise SpawnFailedError("no more memory")
        bot.hears(bot.hello())

    here, lane = open_mute_lane(fail_once)
    report = await lane.start()
    assert report.fault is None
    assert len(here.bots) == 2


async def test_a_wrong_uid_is_tried_once_more_like_any_trouble_of_the_sandbox(
    world, autojump_clock
):
    def wrong_once(bot):
        if bot is here.bots[0]:
            bot.process.uid_problem = SpawnFailedError("a bot runs as uid 0")

    here = world()
    here.on_start = wrong_once
    lane = here.lane()
    async with trio.open_nursery() as inner:
        inner.start_soon(lane.run)
        assert (await lane.start()).fault is None
        inner.cancel_scope.cancel()
    assert len(here.bots) == 2
