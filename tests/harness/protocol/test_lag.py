"""What the harness's own delays change: lag of its loop, and bots kept from a processor."""

from types import SimpleNamespace

import pytest
import trio
from tongits_harness.faults import FaultKind
from tongits_harness.protocol.decisions import Chosen, Failed
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.protocol.load import Burner

MS = 1_000_000


def timed_out(reply):
    return isinstance(reply, Failed) and reply.fault.kind is FaultKind.TIMEOUT


async def test_lag_up_to_fifty_milliseconds_is_forgiven(open_bench, autojump_clock):
    bench = open_bench()
    bench.lag.ns = 50 * MS
    (number,) = bench.ask_games(1)
    await trio.sleep(1.04)
    bench.answer(number)
    assert isinstance(bench.replies[number], Chosen)
    assert bench.voids == {}


async def test_lag_is_forgiven_once(open_bench, autojump_clock):
    bench = open_bench()
    bench.lag.ns = 40 * MS
    (number,) = bench.ask_games(1)
    await trio.sleep(1.041)
    assert timed_out(bench.replies[number])
    assert bench.replies[number].fault.evidence["lag_ms"] == 40


async def test_forgiven_lag_is_neither_charged_nor_called_the_limit(open_bench, autojump_clock):
    bench = open_bench()
    bench.lag.ns = 40 * MS
    (number,) = bench.ask_games(1)
    await trio.sleep(1.041)
    assert bench.replies[number].elapsed_us == 1_000_000
    assert bench.replies[number].fault.evidence["limit_ms"] == 1000


async def test_more_lag_voids_the_decision(open_bench, autojump_clock):
    bench = open_bench()
    bench.lag.ns = 51 * MS
    (number,) = bench.ask_games(1)
    await trio.sleep(1.001)
    assert bench.replies == {}
    assert bench.voids == {number: ("the harness lagged 51 ms during a decision", None)}
    bench.answer(number)
    assert bench.talk.strays == 0


async def test_lag_voids_only_where_a_fault_would_be_charged(open_bench, autojump_clock):
    bench = open_bench()
    bench.lag.ns = 900 * MS
    (number,) = bench.ask_games(1)
    await trio.sleep(0.95)
    bench.answer(number)
    assert isinstance(bench.replies[number], Chosen)


@pytest.mark.parametrize(
    ("first_half_ms", "second_half_ms", "void"), [(0, 260, True), (0, 240, False), (490, 0, False)]
)
async def test_a_bot_kept_from_a_processor_for_a_quarter_of_its_time_towards_the_end_is_not_late(
    open_bench, autojump_clock, first_half_ms, second_half_ms, void
):
    waited = {"us": 7_000_000}
    bench = open_bench(queue_waits_us=lambda: {1: waited["us"], 2: waited["us"] // 2})
    (number,) = bench.ask_games(1)
    await trio.sleep(0.49)
    waited["us"] += first_half_ms * 1000
    await trio.sleep(0.3)
    waited["us"] += second_half_ms * 1000
    await trio.sleep(0.3)
    assert (number in bench.voids) == void
    assert timed_out(bench.replies.get(number)) != void


async def test_the_wait_for_a_processor_of_an_earlier_decision_does_not_count(
    open_bench, autojump_clock
):
    waited = {"us": 0}
    bench = open_bench(queue_waits_us=lambda: {1: waited["us"], 2: waited["us"] // 2})
    first, second = bench.ask_games(2)
    await trio.sleep(0.8)
    waited["us"] += 600_000
    await trio.sleep(0.1)
    bench.answer(first)
    await trio.sleep(1.01)
    assert timed_out(bench.replies[second])


@pytest.mark.parametrize("quiet_s", [0.1, 0.4, 0.9])
async def test_the_wait_for_a_processor_is_seen_whenever_the_decision_was_sent(
    open_bench, autojump_clock, quiet_s
):
    waited = {"us": 0}
    bench = open_bench(queue_waits_us=lambda: {1: waited["us"], 2: waited["us"] // 2})
    (first,) = bench.ask_games(1)
    await trio.sleep(0.1)
    bench.answer(first)
    await trio.sleep(quiet_s)
    (second,) = bench.ask_games(1)
    await trio.sleep(0.51)
    waited["us"] += 300_000
    await trio.sleep(0.5)
    assert second in bench.voids


class LateLoop:
    """Virtual time and a meter of it; the loop can be made to stand still."""

    def __init__(self):
        self.stood_ns = 0
        self.meter = LagMeter(self.now_ns)

    def now_ns(self):
        return round(trio.current_time() * 1e9) + self.stood_ns

    def stand_still(self, ms):
        self.stood_ns += ms * MS


async def test_a_punctual_loop_has_no_lag(nursery, autojump_clock):
    loop = LateLoop()
    nursery.start_soon(loop.meter.run)
    await trio.sleep(1.005)
    assert loop.meter.lag_ns(0, loop.now_ns()) == pytest.approx(0, abs=10)


async def test_a_loop_that_stood_still_is_known_afterwards(nursery, autojump_clock):
    loop = LateLoop()
    nursery.start_soon(loop.meter.run)
    await trio.sleep(0.5)
    before = loop.now_ns()
    loop.stand_still(ms=100)
    await trio.sleep(0.5)
    after = loop.now_ns()
    assert loop.meter.lag_ns(before, after) == pytest.approx(100 * MS, abs=21 * MS)
    assert loop.meter.lag_ns(0, before) == pytest.approx(0, abs=10)
    assert loop.meter.lag_ns(before + 300 * MS, after) == pytest.approx(0, abs=10)


async def test_a_loop_that_stands_still_is_known_at_once(nursery, autojump_clock):
    loop = LateLoop()
    nursery.start_soon(loop.meter.run)
    await trio.sleep(0.505)
    loop.stand_still(ms=100)
    assert loop.meter.lag_ns(0, loop.now_ns()) == pytest.approx(85 * MS, abs=MS)


async def test_a_decision_bears_no_more_lag_than_lies_within_its_time(nursery, autojump_clock):
    loop = LateLoop()
    nursery.start_soon(loop.meter.run)
    await trio.sleep(0.505)
    loop.stand_still(ms=100)
    await trio.sleep(0.1)
    assert loop.meter.lag_ns(560 * MS, 570 * MS) == 10 * MS


def burner(entrant, seen):
    """Who is named whenever somebody waited; `seen` is told since when, and how long."""

    def named(since_ns, waited_us):
        seen.append((since_ns, waited_us))
        return Burner(SimpleNamespace(entrant=entrant), 950_000, waited_us, 700_000)

    return named


@pytest.mark.parametrize(("judged", "is_void"), [("ben", True), ("ana", False)])
async def test_a_harness_that_lagged_by_the_doing_of_the_late_bot_itself_is_no_excuse(
    open_bench, autojump_clock, judged, is_void
):
    bench = open_bench(burner=burner(judged, []))
    (number,) = bench.ask_games(1)
    bench.lag.ns = 60 * MS
    await trio.sleep(1.1)
    assert (number in bench.voids) == is_void
    assert timed_out(bench.replies.get(number)) != is_void


async def test_an_excuse_names_the_bot_that_took_the_time(open_bench, autojump_clock):
    waited, seen = {"us": 0}, []
    bench = open_bench(queue_waits_us=lambda: {1: waited["us"]}, burner=burner("ben", seen))
    await trio.sleep(3)
    (number,) = bench.ask_games(1)
    await trio.sleep(0.51)
    waited["us"] = 400_000
    await trio.sleep(0.5)
    reason, who = bench.voids[number]
    assert reason == "the bot waited 400 ms for a processor"
    assert (who.entrant, who.waited_us) == ("ben", 400_000)
    assert seen == [(pytest.approx(3e9, abs=100), 400_000)]
