"""The bridge to gRPC, with a real client at the other end of a unix socket."""

import os
import threading
from contextlib import asynccontextmanager

import grpc
import pytest
import trio
from tongits.v1 import table_pb2 as pb
from tongits_harness.protocol.link import MESSAGE_LIMIT_BYTES, Broken, Received

from tests.harness.protocol.dialling import LIMIT_S, Client, Harness

pytestmark = pytest.mark.process

HELLO = pb.BotMessage(hello=pb.Hello(protocol_version=1)).SerializeToString()


@pytest.fixture
def connect(tmp_path_factory):
    """Opens a link and as many clients as wanted; everything is closed in the end."""

    @asynccontextmanager
    async def opened(clients=1):
        path = tmp_path_factory.mktemp("s") / "t"
        harness = Harness(path)
        ends = [Client(path) for _ in range(clients)]
        try:
            with trio.fail_after(LIMIT_S):
                yield (harness, *ends)
        finally:
            for end in ends:
                end.close()
            await harness.link.close()

    return opened


async def test_messages_go_both_ways_in_order(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO, *[b""] * 3)
        harness.link.send(b"first", asked=0)
        harness.link.send(b"second", asked=0)
        assert [await bot.hear(), await bot.hear()] == [b"first", b"second"]
        await harness.until(4)
        assert harness.received[0].message.hello.protocol_version == 1
        stamps = [item.at_ns for item in harness.received]
        assert stamps == sorted(stamps)


async def test_bytes_that_are_no_message_are_a_violation_that_shows_them(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO, b"\xff\xff\xff not a message")
        broken = await harness.until(2)
        assert isinstance(broken, Broken)
        assert "no tongits.v1.BotMessage" in broken.violation
        assert b"\xff\xff\xff not".hex() in broken.violation


async def test_text_that_is_no_utf_8_is_no_message(connect):
    async with connect() as (harness, bot):
        bot.say(b"\x0a\x04\x12\x02\xff\xfe")
        assert "no tongits.v1.BotMessage" in (await harness.until(1)).violation


def message_of(size):
    note = "x" * (size - 100)
    while True:
        decision = pb.Decision(decision_id=1, note=note)
        raw = pb.BotMessage(decisions=pb.Decisions(decisions=[decision])).SerializeToString()
        if len(raw) == size:
            return raw
        note += "x" * (size - len(raw))


@pytest.mark.parametrize("size", [MESSAGE_LIMIT_BYTES + 1, 1_900_000])
async def test_a_message_over_the_limit_is_a_violation_that_names_its_size(connect, size):
    async with connect() as (harness, bot):
        bot.say(HELLO, message_of(size))
        assert str(size) in (await harness.until(2)).violation


async def test_a_message_of_the_limit_is_taken(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO, message_of(MESSAGE_LIMIT_BYTES))
        assert isinstance(await harness.until(2), Received)


async def test_a_message_that_grpc_refuses_ends_the_stream(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO, bytes(3_000_000))
        assert isinstance(await harness.until(2), Broken)


async def test_a_bot_that_hangs_up_is_seen_without_a_violation(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO)
        await harness.until(1)
        bot.close()
        assert await harness.until(2) == Broken(harness.received[1].at_ns, None)


async def test_a_bot_that_ends_its_half_of_the_stream_is_seen(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO, None)
        assert isinstance(await harness.until(2), Broken)


async def test_a_second_stream_is_refused_and_counted_and_the_first_goes_on(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO)
        await harness.until(1)
        second = Client(harness.path)
        second.say(HELLO)
        assert await second.code() is grpc.StatusCode.ALREADY_EXISTS
        second.close()
        assert harness.link.refused_streams == 1
        harness.link.send(b"still here", asked=0)
        assert await bot.hear() == b"still here"
        assert len(harness.received) == 1


async def test_there_is_no_other_method(connect):
    async with connect(clients=0) as (harness,):
        other = Client(harness.path, method="Peek")
        assert await other.code() is grpc.StatusCode.UNIMPLEMENTED
        other.close()


ANSWER = pb.BotMessage(decisions=pb.Decisions(decisions=[pb.Decision()])).SerializeToString()


@pytest.mark.parametrize("word", [ANSWER, b"", HELLO])
async def test_a_flood_that_nobody_asked_for_is_read_no_further(connect, word):
    async with connect() as (harness, bot):
        bot.say(HELLO, *[word] * 500)
        await harness.until(18)
        broken = harness.received[-1]
        assert isinstance(broken, Broken)
        assert "17 answers to 0 requests" in broken.violation
        assert len(harness.received) == 18


async def test_a_flood_in_one_message_is_a_violation_too(connect):
    many = pb.BotMessage(decisions=pb.Decisions(decisions=[pb.Decision()] * 20))
    async with connect() as (harness, bot):
        bot.say(HELLO, many.SerializeToString())
        assert "20 answers" in (await harness.until(2)).violation


async def test_every_request_makes_room_for_one_more_answer(connect):
    async with connect() as (harness, bot):
        harness.link.send(b"100 requests", asked=100)
        bot.say(HELLO, *[ANSWER] * 116)
        await harness.until(117)
        assert all(isinstance(item, Received) for item in harness.received)


async def test_closing_is_bounded_while_a_client_never_reads(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO)
        await harness.until(1)
        for _ in range(200):
            harness.link.send(bytes(60_000), asked=0)
        with trio.fail_after(5):
            await harness.link.close()


async def test_closing_is_bounded_while_a_raw_connection_says_nothing(connect):
    async with connect(clients=0) as (harness,):
        raw = await trio.open_unix_socket(harness.path)
        with trio.fail_after(5):
            await harness.link.close()
        await raw.aclose()


async def test_a_link_nobody_dials_can_be_closed(connect):
    async with connect(clients=0) as (harness,):
        await harness.link.close()


def threads_of_links():
    return [t for t in threading.enumerate() if t.name.startswith(("table-link", "table-read"))]


async def test_nothing_remains_of_thirty_links(connect):
    async with connect() as (harness, bot):
        bot.say(HELLO)
        await harness.until(1)
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(30):
        async with connect() as (harness, bot):
            bot.say(HELLO)
            await harness.until(1)
            harness.link.send(b"welcome", asked=1)
            assert await bot.hear() == b"welcome"
    for thread in threads_of_links():
        await trio.to_thread.run_sync(thread.join, LIMIT_S)
    assert threads_of_links() == []
    assert len(os.listdir("/proc/self/fd")) <= descriptors + 6
