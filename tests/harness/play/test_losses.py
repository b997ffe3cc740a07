"""Who is charged when a process is lost: the decision at the head, or nobody."""

from tongits_harness.faults import Blame, FaultKind, Phase
from tongits_harness.protocol.decisions import Chosen, Failed

from tests.harness.play.fake_house import FakeSitter, settle, submit


async def test_a_death_is_charged_to_the_decision_at_the_head_alone(open_lane, autojump_clock):
    here, _, tables = await open_lane(tables=3)
    here.bots[0].process.end("ended by SIGSEGV")
    await settle()
    lost = tables[0].replies[0]
    assert isinstance(lost, Failed)
    assert lost.process_lost
    assert (lost.fault.kind, lost.fault.blame, lost.fault.phase) == (
        FaultKind.CRASH,
        Blame.BOT,
        Phase.DECISION,
    )
    assert "SIGSEGV" in lost.fault.message
    assert lost.fault.evidence["stderr"] == "last words"
    assert tables[1].replies == tables[2].replies == {}


async def test_a_second_death_is_charged_to_the_head_of_the_second_process(
    open_lane, autojump_clock
):
    here, _, tables = await open_lane(tables=3)
    for number in range(2):
        here.bots[number].process.end()
        await settle()
    assert [list(table.replies) for table in tables] == [[0], [1], []]


async def test_a_death_over_a_decision_nobody_waits_for_is_charged_to_nobody(
    open_lane, autojump_clock
):
    here, lane, tables = await open_lane(tables=2)
    lane.leave(tables[0])
    here.bots[0].process.end()
    await settle()
    assert tables[1].replies == {}
    assert here.bots[1].was_asked() == [(1, "game-1")]


async def test_a_restart_is_charged_to_nobody(open_lane, autojump_clock):
    _, lane, tables = await open_lane(tables=2)
    lane.restart("a session was void")
    await settle()
    assert tables[0].replies == tables[1].replies == {}


async def test_a_death_while_nothing_is_owed_is_not_charged(open_lane, autojump_clock):
    here, lane, (table,) = await open_lane()
    here.bots[0].answer(1)
    here.bots[0].process.end()
    await settle()
    assert not lane.is_open
    submit(lane, table, 2)
    await settle()
    here.bots[1].answer(1)
    assert isinstance(table.replies[2], Chosen)


async def lose_quietly(here, times):
    """Processes end one after another while their lane waits for a slot."""
    for _ in range(times):
        here.bots[-1].process.end()
        await settle()


async def test_three_quiet_losses_running_are_charged_to_the_next_in_line(
    open_lane, autojump_clock
):
    here, _, tables = await open_lane(tables=2, busy=True)
    await lose_quietly(here, 2)
    assert tables[0].replies == {}
    await lose_quietly(here, 1)
    assert tables[0].replies[0].process_lost
    assert tables[1].replies == {}


async def test_an_answer_ends_a_row_of_quiet_losses(open_lane, autojump_clock):
    here, lane, (table,) = await open_lane(busy=True)
    await lose_quietly(here, 2)
    here.slots.release()
    await settle()
    here.slots.request(FakeSitter())
    here.bots[-1].answer(1)
    submit(lane, table, 2)
    await settle()
    await lose_quietly(here, 2)
    assert list(table.replies) == [0]


async def test_a_row_of_quiet_losses_begins_anew_after_one_was_charged(open_lane, autojump_clock):
    here, _, tables = await open_lane(tables=2, busy=True)
    await lose_quietly(here, 5)
    assert tables[1].replies == {}
    await lose_quietly(here, 1)
    assert tables[1].replies[1].process_lost
