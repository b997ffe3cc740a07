"""Lanes in surroundings that do as they are told, in the virtual time of their test."""

import pytest

from tests.harness.play.fake_house import FakeSitter, World, settle, submit


@pytest.fixture
def world(monkeypatch):
    """The surroundings of lanes; to be called within the test."""
    return lambda **how: World(monkeypatch, **how)


@pytest.fixture
def open_lane(world, nursery):
    """A lane that was asked one decision by each of some tables: (world, lane, tables).

    The decision of table 0 is of game 0, and so on; the test takes `autojump_clock`.
    """

    async def make(tables=1, *, busy=False, **how):
        here, sitters = world(**how), [FakeSitter() for _ in range(tables)]
        if busy:
            here.slots.request(FakeSitter())
        lane = here.lane()
        nursery.start_soon(lane.run)
        for number, table in enumerate(sitters):
            submit(lane, table, number)
        await settle()
        return here, lane, sitters

    return make


@pytest.fixture
def open_mute_lane(world, nursery):
    """A lane whose processes say nothing by themselves: (world, lane)."""

    def make(on_start=lambda _bot: None, **how):
        here = world(**how)
        here.greets, here.on_start = False, on_start
        lane = here.lane()
        nursery.start_soon(lane.run)
        return here, lane

    return make
