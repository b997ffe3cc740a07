"""The house: lanes are opened when they are needed and closed when memory asks for it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import trio
from tongits_harness.faults import FaultKind
from tongits_harness.play.house import House
from tongits_harness.play.plan import sessions_of
from tongits_harness.play.schedule import round_robin

from tests.harness.play.fake_house import FakeSitter, settle, submit

NAMES = ("ana", "ben", "cy", "dee", "eve", "flo")
FIRST, SECOND = (
    next(m for m in round_robin("cup", NAMES, 1) if m.entrants == three)
    for three in (NAMES[:3], NAMES[3:])
)


def plan(match=FIRST, seating=0):
    return sessions_of(match, 6)[seating]


@pytest.fixture
def open_house(world, nursery):
    """A house of six entrants without processes: (world, house)."""

    def make(*, cap=96, names=NAMES, games=4, **how):
        here = world(**how)
        manifest = SimpleNamespace(concurrent_games=games, memory=None)
        bots = {
            name: SimpleNamespace(bot=SimpleNamespace(name=name, manifest=manifest))
            for name in names
        }
        return here, House(here.services, bots, nursery, process_cap=cap)

    return make


def alive(here):
    return sum(bot.process.exit is None for bot in here.bots if bot.process)


async def ask(house, session, number=1):
    """One table sits down at its first lane and asks; gives the lane and the table."""
    lane, table = house.seat(session)[0], FakeSitter()
    submit(lane, table, number)
    await settle()
    return lane, table


async def test_preflight_starts_every_entrant_once(open_house, autojump_clock):
    here, house = open_house()
    assert await house.preflight() == {}
    assert len(here.bots) == house.processes_started == len(NAMES)


async def test_preflight_names_those_that_did_not_come_up(open_house, autojump_clock):
    here, house = open_house(start_s=2.0)
    here.greets = False
    started = iter(NAMES)
    here.on_start = lambda bot: next(started) == "cy" or bot.hears(bot.hello())
    failed = await house.preflight()
    assert [fault.kind for fault in failed.values()] == [FaultKind.NO_HANDSHAKE]


async def test_only_so_many_processes_start_at_a_time(open_house, nursery, autojump_clock):
    here, house = open_house()
    here.greets = False
    at_once = here.services.processes.starts.value
    nursery.start_soon(house.preflight)
    await settle()
    assert len(here.bots) == min(at_once, 4)
    here.bots[0].hears(here.bots[0].hello())
    await settle()
    assert len(here.bots) == min(at_once, 4) + 1


async def test_preflight_keeps_to_the_number_of_processes_too(open_house, autojump_clock):
    here, house = open_house(cap=3)
    await house.preflight()
    await settle()
    assert alive(here) <= 3


async def test_a_lane_is_kept_for_an_entrant_and_a_seating(open_house, autojump_clock):
    _, house = open_house()
    again = replace(plan(), match=replace(FIRST, index=99))
    assert house.seat(plan()) == house.seat(again)
    assert not set(house.seat(plan())) & set(house.seat(plan(seating=1)))
    assert [lane.entrant for lane in house.seat(plan(seating=3))] == ["ana", "cy", "ben"]
    assert {lane.seating for lane in house.seat(plan(seating=3))} == {3}


async def test_no_more_sessions_sit_at_a_lane_than_the_bot_holds_games(open_house, autojump_clock):
    _, house = open_house(games=2)
    for number in range(2):
        assert house.can_seat(plan())
        for lane in house.seat(plan()):
            lane.sitters.add(number)
    assert not house.can_seat(plan())
    assert house.can_seat(plan(seating=1))
    house.seat(plan())[0].sitters.discard(0)
    assert not house.can_seat(plan())


async def test_what_a_bot_said_in_preflight_holds_for_all_its_lanes(open_house, autojump_clock):
    here, house = open_house(games=4)
    here.greets = False
    here.on_start = lambda bot: bot.hears(bot.hello(games=1))
    await house.preflight()
    assert [lane.capacity for lane in (*house.seat(plan()), *house.seat(plan(seating=2)))] == [
        1
    ] * 6


async def test_the_lanes_longest_unused_are_closed_when_there_is_no_room(
    open_house, autojump_clock
):
    here, house = open_house(cap=4)
    old, _ = await ask(house, plan(seating=0))
    here.bots[0].answer(1)
    old.sitters.clear()
    await trio.sleep(5)
    recent, _ = await ask(house, plan(seating=1))
    here.bots[1].answer(1)
    recent.sitters.clear()
    await trio.sleep(5)
    assert not house.can_seat(plan(SECOND))
    await settle()
    assert (old.is_open, recent.is_open, alive(here)) == (False, True, 1)
    assert here.changes == 1
    assert house.can_seat(plan(SECOND))


async def test_a_lane_with_a_session_is_not_closed(open_house, autojump_clock):
    here, house = open_house(cap=3)
    busy, _ = await ask(house, plan())
    assert not house.can_seat(plan(SECOND))
    await settle()
    assert busy.is_open
    assert alive(here) == 1


async def test_lanes_that_are_wanted_are_not_closed_for_their_own_session(
    open_house, autojump_clock
):
    here, house = open_house(cap=3)
    lane, _ = await ask(house, plan())
    here.bots[0].answer(1)
    lane.sitters.clear()
    assert house.can_seat(plan())
    await settle()
    assert lane.is_open
