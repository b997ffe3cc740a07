"""How a conversation begins: Hello, Welcome, warm-up. And how it does not."""

import pytest
import trio
from tongits.v1 import table_pb2 as pb
from tongits_harness.faults import Blame, FaultKind, Phase
from tongits_harness.play.limits import PlayLimits
from tongits_harness.protocol.conversation import Stage
from tongits_harness.protocol.decisions import Chosen

from tests.harness.protocol.bench import TOKEN, Bench


async def test_a_valid_hello_is_welcomed_with_the_limits():
    bench = Bench(limits=PlayLimits(decision_s=0.25, bank_s=9.0))
    bench.greet()
    welcome = bench.link.sent[0].welcome
    assert welcome.protocol_version == 1
    assert (welcome.decision_limit_us, welcome.session_bank_us) == (250_000, 9_000_000)
    assert bench.talk.ready.is_set()
    assert not bench.talk.over.is_set()


async def test_nothing_is_sent_before_the_hello():
    assert Bench(warm_up=3).link.sent == []


@pytest.mark.parametrize(
    ("granted", "wanted", "held"), [(4, 4, 4), (4, 64, 4), (64, 4, 4), (64, 0, 1)]
)
async def test_the_welcome_says_how_many_games_are_held(granted, wanted, held):
    bench = Bench(games=granted)
    bench.greet(games=wanted)
    assert bench.link.sent[0].welcome.concurrent_games == held


async def test_a_wrong_token_is_no_handshake():
    bench = Bench()
    bench.greet(token="another-word")  # noqa: S106  # a nonce, nothing secret
    fault = bench.talk.fault
    assert (fault.kind, fault.blame, fault.phase) == (
        FaultKind.NO_HANDSHAKE,
        Blame.BOT,
        Phase.HANDSHAKE,
    )
    assert "TONGITS_TOKEN" in fault.message
    assert TOKEN not in fault.message
    assert bench.link.sent == []
    assert bench.talk.over.is_set()


@pytest.mark.parametrize("version", [0, 2, 77])
async def test_another_version_is_refused_with_both_named(version):
    bench = Bench()
    bench.greet(version=version)
    assert bench.talk.fault.kind is FaultKind.NO_HANDSHAKE
    assert f"version {version};" in bench.talk.fault.message
    assert "speaks 1" in bench.talk.fault.message
    assert not bench.talk.ready.is_set()


async def test_decisions_before_the_hello_break_the_protocol():
    bench = Bench()
    bench.answer(1)
    fault = bench.talk.fault
    assert (fault.kind, fault.phase) == (FaultKind.BAD_MESSAGE, Phase.HANDSHAKE)
    assert "before its Hello" in fault.message


@pytest.mark.parametrize("warm_up", [0, 1])
async def test_a_second_hello_breaks_the_protocol(warm_up):
    bench = Bench(warm_up=warm_up)
    bench.greet()
    bench.greet()
    assert bench.talk.fault.kind is FaultKind.BAD_MESSAGE
    assert bench.talk.over.is_set()


@pytest.mark.parametrize("greeted", [False, True])
async def test_a_message_without_content_breaks_the_protocol(greeted):
    bench = Bench()
    if greeted:
        bench.greet()
    bench.hears(pb.BotMessage())
    assert bench.talk.fault.kind is FaultKind.BAD_MESSAGE


async def test_a_message_without_answers_is_allowed():
    bench = Bench()
    bench.greet()
    bench.decide()
    assert bench.talk.stage is Stage.READY


async def test_nothing_is_heard_after_the_end():
    bench = Bench()
    bench.greet(version=2)
    bench.greet()
    assert bench.link.sent == []
    assert bench.talk.fault.kind is FaultKind.NO_HANDSHAKE


@pytest.mark.parametrize(("wanted", "games"), [(0, 1), (1, 1), (2, 2), (3, 3), (64, 3)])
async def test_as_many_warm_up_requests_are_sent_as_the_bot_holds_games(wanted, games):
    bench = Bench(warm_up=3, games=64)
    bench.greet(games=wanted)
    first = bench.link.sent[0]
    assert first.HasField("welcome")
    assert [r.decision_id for r in first.requests] == list(range(1, games + 1))
    assert [s.game_id for s in first.started] == [r.game_id for r in first.requests]
    assert bench.link.asked == games


async def test_the_bot_is_ready_when_every_warm_up_request_is_answered():
    bench = Bench(warm_up=3)
    bench.greet()
    bench.answer(2, 1)
    assert not bench.talk.ready.is_set()
    bench.answer(3)
    assert bench.talk.ready.is_set()
    over = [over.game_id for message in bench.link.sent for over in message.over]
    assert over == [started.game_id for started in bench.link.sent[0].started]


async def test_warm_up_answers_are_not_judged():
    bench = Bench(warm_up=1)
    bench.greet()
    bench.answer(1, index=999)
    assert bench.talk.ready.is_set()
    assert bench.talk.fault is None


async def test_warm_up_takes_as_long_as_it_takes_and_costs_nothing(open_bench, autojump_clock):
    bench = open_bench(warm_up=2)
    await trio.sleep(8)
    bench.answer(1)
    bench.answer(2)
    assert bench.talk.ready.is_set()
    (asked,) = bench.ask_games(1)
    await trio.sleep(0.25)
    bench.answer(asked)
    assert isinstance(bench.replies[asked], Chosen)
    assert bench.replies[asked].elapsed_us == pytest.approx(250_000, abs=10)


async def test_a_stream_that_just_ends_is_over_without_a_violation():
    bench = Bench()
    bench.greet()
    bench.loses()
    assert bench.talk.over.is_set()
    assert bench.talk.fault is None


async def test_what_the_link_found_wrong_is_the_bots_fault():
    bench = Bench()
    bench.greet()
    bench.loses("sent 3 bytes that are no message")
    fault = bench.talk.fault
    assert (fault.kind, fault.blame) == (FaultKind.BAD_MESSAGE, Blame.BOT)
    assert fault.message == "the bot sent 3 bytes that are no message"
