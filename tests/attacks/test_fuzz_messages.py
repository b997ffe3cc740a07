"""Thousands of hostile messages for one conversation: nothing but documented faults comes of it."""

import gc

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st
from tongits.v1 import table_pb2 as pb
from tongits_harness.faults import Blame, FaultKind
from tongits_harness.play.warm_up import warm_up_asks
from tongits_harness.protocol import codec
from tongits_harness.protocol.conversation import Stage
from tongits_harness.protocol.decisions import Chosen, Failed

from tests.attacks.hostile import BYTES, MESSAGES, decisions
from tests.harness.protocol.bench import Bench

MANY = settings(deadline=None, derandomize=True, max_examples=200, database=None)
LEGAL = warm_up_asks()[0].legal
GAMES = 3


class Timeless(Bench):
    """A conversation whose clock only counts how often it is looked at."""

    def now_ns(self):
        return next(self._ticks)


def read(raw: bytes) -> pb.BotMessage | None:
    """What the link makes of bytes: a message, or a violation."""
    try:
        return pb.BotMessage.FromString(raw)
    except DecodeError:
        return None


def check(bench: Timeless, ids: list[int]) -> None:
    """Nothing but what the protocol's description says may have come of it."""
    fault = bench.talk.fault
    if fault is not None:
        assert fault.kind in {FaultKind.BAD_MESSAGE, FaultKind.NO_HANDSHAKE}
        assert fault.blame is Blame.BOT
        assert bench.talk.is_over
    assert set(bench.replies) <= set(ids)
    for reply in bench.replies.values():
        if isinstance(reply, Chosen):
            assert reply.action in LEGAL
        else:
            assert isinstance(reply, Failed)
            assert reply.fault.kind in {FaultKind.ILLEGAL_ACTION, FaultKind.BAD_MESSAGE}
            assert not reply.process_lost
    assert not bench.voids
    assert len(bench.replies) + len(bench.talk.outstanding) == len(ids)


@MANY
@given(st.lists(MESSAGES, min_size=1, max_size=8))
def test_a_game_goes_on_whatever_valid_messages_say(messages):
    bench = Timeless(games=GAMES)
    bench.greet(games=GAMES)
    ids = bench.ask_games(GAMES)
    for message in messages:
        bench.hears(message)
    check(bench, ids)
    if not bench.talk.is_over:  # and an honest answer is still taken
        for number in set(ids) - set(bench.replies):
            bench.answer(number)
            assert bench.replies[number].action is LEGAL[0]
        assert bench.talk.stage is Stage.READY


@MANY
@given(st.lists(BYTES, min_size=1, max_size=8))
def test_a_game_goes_on_whatever_bytes_are_read(raws):
    bench = Timeless(games=GAMES)
    bench.greet(games=GAMES)
    ids = bench.ask_games(GAMES)
    for message in filter(None, map(read, raws)):
        bench.hears(message)
    check(bench, ids)


@MANY
@given(st.lists(MESSAGES, min_size=1, max_size=4))
def test_nobody_is_let_in_without_the_word(messages):
    bench = Timeless(games=GAMES)
    for message in messages:
        bench.hears(message)
    check(bench, [])
    if bench.talk.stage is Stage.READY:
        assert messages[0].hello.token == "word-of-the-test"  # noqa: S105
        assert messages[0].hello.protocol_version == 1
        assert len(bench.link.sent) >= 1


@MANY
@given(decisions())
def test_reading_an_answer_changes_nothing_and_says_the_same_twice(decision):
    before = decision.SerializeToString()
    first, second = (codec.read_reply(decision, LEGAL, 5, b"request") for _ in range(2))
    assert first == second
    assert decision.SerializeToString() == before
    if isinstance(first, Failed):
        assert len(str(first.fault.evidence)) < 4096


@MANY
@given(st.binary(max_size=60), st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**32 - 1))
def test_an_action_is_one_of_the_engines_or_none(cards, kind, meld):
    action = codec.read_action(pb.Action(kind=kind, cards=cards, meld=meld))
    assert action is None or action.text


@pytest.mark.parametrize("depth", [50, 99, 101, 5000, 60_000])
def test_nesting_without_an_end_is_a_message_or_a_violation(depth):
    for raw in (b"\x7b" * depth + b"\x7c" * depth, b"\x7b" * depth):
        message = read(raw[:65_536])
        assert message is None or message.WhichOneof("content") is None


def test_memory_stays_flat_over_hostile_messages():
    hostile = [
        pb.BotMessage(decisions=pb.Decisions(decisions=[pb.Decision(note="\u20ac" * 5000)])),
        pb.BotMessage(hello=pb.Hello(token="x" * 60_000)),
        pb.BotMessage(),
    ]

    def play(times):
        for number in range(times):
            bench = Timeless(games=GAMES)
            bench.greet(games=GAMES)
            bench.ask_games(GAMES)
            for _ in range(6):
                bench.hears(hostile[number % 3])
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4

    play(300)
    before = play(100)
    assert play(600) - before < 4096, "KiB of growth over 600 conversations"
