"""A bot that keeps others from the processors: it is charged, and they are not."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.burners import STRIKES, Burners
from tongits_harness.play.census import Census
from tongits_harness.protocol.load import Burner, CpuUse

from tests.harness.play.fake_house import FakeSitter, settle, submit

FAULT = Fault(FaultKind.RESOURCE_LIMIT, Blame.BOT, Phase.IDLE, "used too much", {"limit": "cpu"})


def test_every_third_void_decision_is_charged_to_the_bot_that_caused_it():
    charged = []
    lanes = {
        name: SimpleNamespace(entrant=name, condemn=lambda _fault, name=name: charged.append(name))
        for name in ("ben", "cy")
    }
    burners = Burners()
    for name in ["ben"] * (STRIKES - 1) + ["cy"] * (STRIKES - 1) + ["ben"] * (STRIKES + 1):
        burners.note(Burner(lanes[name], 900_000, 400_000, 500_000), "ana")

    assert charged == ["ben", "ben"]


def test_the_charge_says_what_was_used_and_whom_it_kept_waiting():
    told = []
    lane = SimpleNamespace(entrant="ben", condemn=told.append)
    burners = Burners()
    for _ in range(STRIKES):
        burners.note(Burner(lane, 900_000, 400_000, 500_000), "ana")

    (fault,) = told
    assert (fault.kind, fault.blame, fault.phase) == (
        FaultKind.RESOURCE_LIMIT,
        Blame.BOT,
        Phase.IDLE,
    )
    assert fault.evidence == {
        "limit": "cpu", "used_ms": 900, "window_ms": 500, "kept_waiting": "ana", "waited_ms": 400
    }  # fmt: skip
    assert "used 900 ms of processor time within 500 ms" in fault.message


async def test_a_condemned_lane_ends_its_process_and_forfeits_its_next_decision(
    open_lane, autojump_clock
):
    here, lane, (table,) = await open_lane()
    here.bots[0].answer(1)
    lane.condemn(FAULT)
    await settle()
    submit(lane, table, 2)
    submit(lane, table, 3)
    await settle()

    failed = table.replies[2]
    assert (failed.fault.kind, failed.process_lost) == (FaultKind.RESOURCE_LIMIT, True)
    assert failed.fault.evidence["argv"] == ["a-bot"]
    assert failed.fault.evidence["limit"] == "cpu"
    assert here.bots[0].process.killed == "used too much"
    assert [game for _, game in here.bots[1].was_asked()] == ["game-3"]


async def test_what_a_condemned_lane_owed_is_asked_again_of_its_next_process(
    open_lane, autojump_clock
):
    here, lane, (table,) = await open_lane()
    lane.condemn(FAULT)
    await settle()

    assert table.replies == {}
    assert [game for _, game in here.bots[1].was_asked()] == ["game-0"]


async def test_the_census_knows_who_computed_while_a_decision_was_late(
    world, nursery, autojump_clock
):
    here = world()
    lanes = [here.lane(), here.lane()]
    for lane in lanes:
        nursery.start_soon(lane.run)
        await lane.start()
    await settle()
    census = here.services.processes.census
    submit(lanes[0], FakeSitter(), 1)
    await settle()
    assert census.burner(since_ns=time.monotonic_ns(), waited_us=1000, cores=1.0) is None

    here.bots[1].process.used_us += 10**9
    burner = census.burner(since_ns=time.monotonic_ns(), waited_us=1000, cores=1.0)
    assert (burner.lane, burner.used_us) == (lanes[1], 10**9)
    assert census.burner(since_ns=0, waited_us=1000, cores=1.0) is None  # nobody looked then
    lanes[1].restart("idle")
    await settle()
    assert lanes[1] not in census.computing


@dataclass(frozen=True)
class Lane:
    cpu_use: Callable[..., CpuUse]
    entrant: str = "ben"


def test_a_census_looks_from_time_to_time():
    clock, uses = [0], [CpuUse(0, 0)]
    lane = Lane(lambda **_how: uses[0])
    census = Census(lambda: clock[0])
    census.computing.add(lane)
    for ms in range(0, 2000, 10):
        clock[0], uses[0] = ms * 1_000_000, CpuUse(0, ms * 1000)
        census.look()

    burner = census.burner(since_ns=1_600 * 1_000_000, waited_us=1000, cores=1.0)
    assert (burner.used_us, burner.window_us) == (490_000, 490_000)
