"""Hundreds of raw connections to one link: it lives on, and nothing of them remains."""

import gc
import importlib.util
import os
import random
import socket
import struct
import sys
import threading
from contextlib import suppress

import pytest
import trio
from tongits.v1 import table_pb2 as pb
from tongits_harness.protocol.link import Received

from tests.attacks.seats import BAD
from tests.harness.protocol.dialling import Client, Harness

pytestmark = pytest.mark.process

LIMIT_S = 60
MOST_GROWTH_KIB = 24 * 1024
"""Buffers that gRPC and the allocator keep; the first rounds are not counted."""


def _http2():
    path = BAD / "wire_games" / "http2.py"
    spec = importlib.util.spec_from_file_location("wire_games_http2", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


http2 = _http2()
OTHER_CALL = http2.CALL.replace(b"Play", b"Peek")
SETTINGS = http2.setting(3, 100)
OPENED = http2.PREFACE + SETTINGS


def opened_calls(rng: random.Random) -> bytes:
    """Calls of a method that there is not, each given up at once."""
    numbers = range(1, 2 * rng.randint(1, 100), 2)
    return OPENED + b"".join(
        http2.frame(http2.HEADERS, http2.END_HEADERS, number, OTHER_CALL)
        + http2.frame(http2.RST_STREAM, 0, number, struct.pack(">I", 8))
        for number in numbers
    )


def frames(rng: random.Random) -> bytes:
    """Frames of any kind, flag, stream and size, some of which lie."""
    made = b""
    for _ in range(rng.randint(1, 20)):
        frame = http2.frame(
            rng.randint(0, 12), rng.randint(0, 255), rng.choice((0, 1, 2, 2**31 - 1)),
            rng.randbytes(rng.choice((0, 1, 4, 8, 300))),
        )  # fmt: skip
        made += rng.choice((frame, frame, rng.randbytes(3) + frame[3:]))
    return OPENED + made


KINDS = {
    "nothing": lambda _: b"",
    "random bytes": lambda rng: rng.randbytes(rng.randint(1, 4000)),
    "http 1.1": lambda rng: b"GET / HTTP/1.1\r\nHost: table\r\n\r\n" * rng.randint(1, 5),
    "truncated preface": lambda rng: http2.PREFACE[: rng.randint(1, 23)],
    "preface alone": lambda _: http2.PREFACE,
    "settings, garbage": lambda rng: OPENED + rng.randbytes(3000),
    "settings of any value": lambda rng: (
        OPENED
        + b"".join(http2.setting(rng.randint(0, 9), rng.randint(0, 2**32 - 1)) for _ in range(50))
    ),
    "goaway": lambda rng: OPENED + http2.frame(http2.GOAWAY, 0, 0, rng.randbytes(8)),
    "calls given up": opened_calls,
    "any frames": frames,
    "pings": lambda _: OPENED + http2.frame(http2.PING, 0, 0, bytes(8)) * 300,
    "headers that lie": lambda rng: (
        OPENED + http2.frame(http2.HEADERS, http2.END_HEADERS, 1, rng.randbytes(400))
    ),
    "large headers": lambda _: (
        OPENED
        + http2.frame(http2.HEADERS, 4, 1, OTHER_CALL + http2.literal(b"a" * 90, b"b" * 99) * 80)
    ),
    "data without a call": lambda _: OPENED + http2.frame(http2.DATA, 0, 1, bytes(5000)),
}


def throw(path: str, raw: bytes, *, piecemeal: bool) -> None:
    """One connection: says everything, at once or byte by byte, takes what comes, hangs up."""
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(2)
        try:
            wire.connect(path)
            for piece in (raw[n : n + 1] for n in range(len(raw))) if piecemeal else (raw,):
                wire.sendall(piece)
            wire.setblocking(False)
            wire.recv(65536)
        except OSError:
            return


def burden() -> tuple[int, int]:
    gc.collect()
    with open("/proc/self/statm") as file:
        return len(os.listdir("/proc/self/fd")), int(file.read().split()[1]) * 4


def throw_all(path: str, seed: int, times: int) -> None:
    rng = random.Random(seed)
    for _ in range(times):
        for kind in KINDS.values():
            raw = kind(rng)
            throw(path, raw, piecemeal=len(raw) < 300 and rng.random() < 0.3)


async def test_a_link_outlives_hundreds_of_raw_connections(tmp_path_factory):
    path = tmp_path_factory.mktemp("w") / "t"
    descriptors, _ = burden()
    threads = threading.active_count()
    harness = Harness(path)
    with trio.fail_after(LIMIT_S):
        await trio.to_thread.run_sync(throw_all, str(path), 1, 4)
        _, before = burden()
        await trio.to_thread.run_sync(throw_all, str(path), 2, 25)
        _, after = burden()
        assert harness.received == []
        assert harness.link.refused_streams == 0
        bot = Client(path)
        bot.say(pb.BotMessage(hello=pb.Hello(protocol_version=1)).SerializeToString())
        assert isinstance(await harness.until(1), Received)
        harness.link.send(b"welcome", asked=1)
        assert await bot.hear() == b"welcome"
        bot.close()
        await harness.link.close()
    sys.stdout.write(f"{29 * len(KINDS)} connections, {after - before} KiB more\n")
    assert after - before < MOST_GROWTH_KIB
    for thread in threading.enumerate():
        if thread.name.startswith(("table-link", "table-read")):
            await trio.to_thread.run_sync(thread.join, LIMIT_S)
    assert threading.active_count() <= threads + 4
    assert burden()[0] <= descriptors + 8


async def test_idle_connections_do_not_eat_the_descriptors_of_the_harness(tmp_path_factory):
    path = tmp_path_factory.mktemp("w") / "t"
    harness = Harness(path)
    before, _ = burden()
    kept = []
    try:
        for _ in range(150):
            wire = socket.socket(socket.AF_UNIX)
            wire.settimeout(5)
            kept.append(wire)
            with suppress(BrokenPipeError, ConnectionResetError):  # hung up on already
                wire.connect(str(path))
                wire.sendall(OPENED)
        closed = [await trio.to_thread.run_sync(is_closed, wire) for wire in kept[20:]]
        assert all(closed)
        assert burden()[0] <= before + len(kept) + 8
    finally:
        for wire in kept:
            wire.close()
        await harness.link.close()


def is_closed(wire: socket.socket) -> bool:
    """Whether the other end has hung up on this connection."""
    try:
        while wire.recv(65536):
            continue
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


async def test_messages_read_byte_by_byte_are_the_same(tmp_path_factory):
    path = tmp_path_factory.mktemp("w") / "t"
    harness = Harness(path)
    hello = pb.BotMessage(hello=pb.Hello(protocol_version=1, token="w")).SerializeToString()  # noqa: S106
    raw = OPENED + http2.frame(http2.HEADERS, http2.END_HEADERS, 1, http2.CALL)
    raw += http2.frame(http2.DATA, 0, 1, http2.prefixed(hello))
    with socket.socket(socket.AF_UNIX) as wire:
        wire.connect(str(path))
        for number in range(len(raw)):
            wire.sendall(raw[number : number + 1])
        assert (await harness.until(1)).message.hello.token == "w"  # noqa: S105
    await harness.until(2)
    await harness.link.close()
