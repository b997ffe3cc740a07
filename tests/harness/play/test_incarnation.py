"""One process from start to end, and whose doing its end was."""

import pytest
import trio
from tongits_harness.faults import Blame, FaultKind, Phase
from tongits_harness.protocol.decisions import Chosen

from tests.harness.play.fake_house import FakeSitter, settle, submit


async def test_no_hello_within_the_start_limit_is_no_handshake(open_mute_lane, autojump_clock):
    here, lane = open_mute_lane(start_s=3.0)
    began = trio.current_time()
    fault = (await lane.start()).fault
    assert trio.current_time() - began == pytest.approx(3.0, abs=0.01)
    assert (fault.kind, fault.blame, fault.phase) == (
        FaultKind.NO_HANDSHAKE,
        Blame.BOT,
        Phase.HANDSHAKE,
    )
    assert fault.message == "no Hello within the start limit of 3 s"
    assert fault.evidence["argv"] == ["a-bot"]
    assert here.bots[0].process.killed == "it did not start in time"


async def test_a_process_that_ends_before_its_hello_is_no_handshake(open_mute_lane, autojump_clock):
    _, lane = open_mute_lane(lambda bot: bot.process.end("exited with status 3"))
    fault = (await lane.start()).fault
    assert (fault.kind, fault.phase) == (FaultKind.NO_HANDSHAKE, Phase.HANDSHAKE)
    assert fault.message == "the process exited with status 3"


async def test_a_wrong_word_in_hello_is_no_handshake(open_mute_lane, autojump_clock):
    def greet(bot):
        bot.token = "another"  # noqa: S105  # a nonce, nothing secret
        bot.hears(bot.hello())

    here, lane = open_mute_lane(greet)
    fault = (await lane.start()).fault
    assert fault.kind is FaultKind.NO_HANDSHAKE
    assert here.bots[0].process.killed == "it broke the protocol"


async def test_a_start_that_the_machine_held_up_is_tried_three_times(
    open_mute_lane, autojump_clock
):
    def starve(bot):
        bot.process.waited_us = 2_000_000

    here, lane = open_mute_lane(starve, start_s=4.0)
    fault = (await lane.start()).fault
    assert len(here.bots) == 3
    assert fault.evidence["run_queue_wait_ms"] == 2000


async def test_a_failed_start_is_charged_to_the_decision_that_asked_for_it(
    open_mute_lane, autojump_clock
):
    here, lane = open_mute_lane(start_s=1.0)
    table, other = FakeSitter(), FakeSitter()
    submit(lane, table, 1)
    submit(lane, other, 2)
    await trio.sleep(1.01)
    assert table.replies[1].process_lost
    assert table.replies[1].fault.blame is Blame.BOT
    assert other.replies == {}
    assert len(here.bots) == 2


def greet_and_go(bot):
    bot.hears(bot.hello(), hangs_up=True)


async def test_a_bot_that_hangs_up_as_soon_as_it_is_ready_does_not_hold_up_the_start(
    open_mute_lane, autojump_clock
):
    _, lane = open_mute_lane(greet_and_go)
    with trio.fail_after(60):
        await lane.start()


async def test_a_bot_that_always_hangs_up_when_it_is_ready_is_charged_in_the_end(
    open_mute_lane, autojump_clock
):
    here, table = None, FakeSitter()
    starts = 0

    def greet(bot):
        nonlocal starts
        starts += 1
        assert starts < 20, "started again and again"
        greet_and_go(bot)

    here, lane = open_mute_lane()
    here.on_start = greet
    submit(lane, table, 1)
    await trio.sleep(30)
    assert table.replies[1].process_lost


async def test_a_stream_that_ends_while_the_process_runs_is_a_bad_message(
    open_lane, autojump_clock
):
    here, _, (table,) = await open_lane()
    here.bots[0].violates(None)
    await trio.sleep(1.99)
    assert table.replies == {}
    await trio.sleep(0.02)
    fault = table.replies[0].fault
    assert (fault.kind, fault.phase) == (FaultKind.BAD_MESSAGE, Phase.DECISION)
    assert here.bots[0].process.killed == "its stream ended while it was running"


async def test_a_process_that_ends_just_after_its_stream_has_crashed(open_lane, autojump_clock):
    here, _, (table,) = await open_lane()
    here.bots[0].violates(None)
    await trio.sleep(0.3)
    here.bots[0].process.end("ended by SIGSEGV")
    await settle()
    assert table.replies[0].fault.kind is FaultKind.CRASH
    assert "SIGSEGV" in table.replies[0].fault.message
    assert here.bots[0].process.killed in {None, "closed"}


async def test_a_bot_that_breaks_the_protocol_is_stopped_at_once(open_lane, autojump_clock):
    here, _, (table,) = await open_lane()
    here.bots[0].violates("sent 3 bytes that are no message")
    await settle()
    reply = table.replies[0]
    assert reply.process_lost
    assert reply.fault.kind is FaultKind.BAD_MESSAGE
    assert reply.fault.evidence["stopped_because"] == "it broke the protocol"
    assert reply.fault.evidence["exit"] == "ended by SIGKILL"


async def test_ten_limits_of_silence_are_a_crash_that_says_why(open_lane, autojump_clock):
    here, lane, (table,) = await open_lane()
    tables = [FakeSitter() for _ in range(12)]
    for number, one in enumerate(tables):
        submit(lane, one, 100 + number)
    await trio.sleep(11.5)
    assert table.replies[0].fault.kind is FaultKind.TIMEOUT
    assert here.bots[0].process.killed == "a decision was left unanswered for ten limits"
    lost = [r for one in tables for r in one.replies.values() if r.process_lost]
    assert [reply.fault.kind for reply in lost] == [FaultKind.CRASH]
    assert len(here.bots) == 2


async def test_an_answer_sent_just_before_the_end_counts(open_lane, autojump_clock):
    here, _, (table,) = await open_lane()
    here.bots[0].answer(1)
    here.bots[0].process.end("exited with status 0")
    await settle()
    assert isinstance(table.replies[0], Chosen)


async def test_the_link_is_closed_whatever_ended_the_process(open_lane, autojump_clock):
    here, lane, (table,) = await open_lane()
    for number in (2, 3, 4):
        submit(lane, table, number)
    here.bots[0].process.end()
    await settle()
    here.bots[1].violates("sent nonsense")
    await settle()
    lane.restart("enough")
    await settle()
    assert [bot.closed for bot in here.bots] == [True, True, True, False]
