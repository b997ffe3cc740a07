"""Time in a conversation: limits, silence, and what the harness's own delays change."""

import pytest
import trio
from tongits_harness.faults import Blame, FaultKind, Phase
from tongits_harness.play.limits import PlayLimits
from tongits_harness.protocol.decisions import Chosen, Failed

from tests.harness.protocol.bench import Bench


def timed_out(reply):
    return isinstance(reply, Failed) and reply.fault.kind is FaultKind.TIMEOUT


async def test_a_bot_that_sleeps_is_late_at_the_limit(open_bench, autojump_clock):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    await trio.sleep(0.999)
    assert bench.replies == {}
    await trio.sleep(0.002)
    fault = bench.replies[number].fault
    assert (fault.kind, fault.blame, fault.phase) == (
        FaultKind.TIMEOUT,
        Blame.BOT,
        Phase.DECISION,
    )
    assert fault.message == "no answer within 1000 ms"
    assert fault.evidence["limit_ms"] == 1000
    assert bench.replies[number].elapsed_us == 1_000_000
    assert bench.rounds_done == 1


async def test_an_answer_just_in_time_is_in_time(open_bench, autojump_clock):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    await trio.sleep(0.999)
    bench.answer(number)
    assert isinstance(bench.replies[number], Chosen)
    assert bench.replies[number].elapsed_us == pytest.approx(999_000, abs=10)


async def test_what_is_left_of_the_bank_is_the_limit_where_it_is_less(open_bench, autojump_clock):
    bench = open_bench()
    (number,) = bench.ask_games(1, budget_s=0.3)
    assert bench.link.requests()[-1].time_left_us == 300_000
    await trio.sleep(0.301)
    assert timed_out(bench.replies[number])
    assert bench.replies[number].elapsed_us == 300_000


async def test_the_next_clock_starts_when_the_head_is_late(open_bench, autojump_clock):
    bench = open_bench()
    first, second = bench.ask_games(2)
    await trio.sleep(1.001)
    assert list(bench.replies) == [first]
    await trio.sleep(0.9)
    bench.answer(second)
    assert isinstance(bench.replies[second], Chosen)
    assert bench.replies[second].elapsed_us == pytest.approx(901_000, abs=10)


async def test_nothing_can_be_parked_behind_quick_answers_to_others(open_bench, autojump_clock):
    bench = open_bench()
    parked, *others = bench.ask_games(4)
    for number in others:
        await trio.sleep(0.3)
        bench.answer(number)
    await trio.sleep(0.101)
    assert timed_out(bench.replies[parked])
    assert [bench.replies[number].elapsed_us for number in others] == [0, 0, 0]


async def test_a_bot_that_works_in_order_has_the_whole_limit_for_each(open_bench, autojump_clock):
    bench = open_bench()
    ids = bench.ask_games(3)
    for number in ids:
        await trio.sleep(0.9)
        bench.answer(number)
    assert all(isinstance(bench.replies[number], Chosen) for number in ids)
    assert [bench.replies[i].elapsed_us for i in ids] == pytest.approx([900_000] * 3, abs=10)


async def test_a_request_sent_later_has_its_own_deadline(open_bench, autojump_clock):
    bench = open_bench()
    (first,) = bench.ask_games(1)
    await trio.sleep(0.1)
    bench.answer(first)
    await trio.sleep(0.4)
    (second,) = bench.ask_games(1)
    await trio.sleep(0.999)
    assert second not in bench.replies
    await trio.sleep(0.002)
    assert timed_out(bench.replies[second])


async def test_a_shorter_deadline_rings_first(open_bench, autojump_clock):
    bench = open_bench()
    (first,) = bench.ask_games(1)
    await trio.sleep(0.1)
    bench.answer(first)
    (second,) = bench.ask_games(1, budget_s=0.2)
    await trio.sleep(0.201)
    assert timed_out(bench.replies[second])


async def test_the_stamp_of_the_reading_thread_decides_not_the_moment_of_handling(
    autojump_clock,
):
    bench = Bench()  # not watched: the loop that would have noticed stands still
    bench.greet()
    early, late = bench.ask_games(2)
    await trio.sleep(5)
    bench.answer(early, at_s=0.9)
    bench.answer(late, at_s=2.0)
    assert isinstance(bench.replies[early], Chosen)
    assert timed_out(bench.replies[late])


async def test_ten_limits_of_silence_end_the_process(open_bench, autojump_clock):
    bench = open_bench(games=64)
    ids = bench.ask_games(64)
    await trio.sleep(9.5)
    assert list(bench.replies) == ids[:9]
    assert not bench.talk.silent
    await trio.sleep(0.6)
    assert bench.talk.silent
    assert bench.talk.over.is_set()
    assert bench.talk.fault is None
    assert len(bench.talk.outstanding) == 64 - 9


async def test_a_bot_that_comes_back_within_ten_limits_goes_on(open_bench, autojump_clock):
    bench = open_bench(games=16)
    ids = bench.ask_games(16)
    await trio.sleep(9.5)
    bench.answer(*ids)
    await trio.sleep(20)
    assert not bench.talk.silent
    assert [timed_out(bench.replies[number]) for number in ids] == [True] * 9 + [False] * 7


async def test_limits_of_the_tournament_set_the_length_of_silence(open_bench, autojump_clock):
    bench = open_bench(games=64, limits=PlayLimits(decision_s=0.1))
    bench.ask_games(64, budget_s=0.1)
    await trio.sleep(1.05)
    assert bench.talk.silent


async def test_an_answer_read_together_with_the_tenth_limit_is_not_taken(autojump_clock):
    bench = Bench()  # not watched: both are noticed only when the answer is read
    bench.greet()
    (first,) = bench.ask_games(1)
    await trio.sleep(9.5)
    bench.answer(999)
    (second,) = bench.ask_games(1)
    await trio.sleep(1.5)
    bench.answer(second)
    assert timed_out(bench.replies[first])
    assert bench.talk.silent
    assert not isinstance(bench.replies.get(second), Chosen)


async def test_nothing_is_told_when_the_alarm_of_an_answered_request_rings(
    open_bench, autojump_clock
):
    bench = open_bench()
    bench.ask_games(1)
    await trio.sleep(0.1)
    bench.answer(1)
    await trio.sleep(3)
    assert bench.rounds_done == 1
