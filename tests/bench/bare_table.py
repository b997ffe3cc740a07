"""The harness's end of a bare connection: sends recorded messages, each after the last's answers.

No clock, no waiting games, no trio: what gRPC, or a socket, can do with these messages.
"""

import queue
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager
from pathlib import Path

import grpc
from tongits.v1 import table_pb2 as pb

from tests.bench.bare_bot import SIZE
from tests.bench.machine import on_core
from tests.bench.measured import Exchange

_BOT = Path(__file__).with_name("bare_bot.py")
_PATIENCE_S = 60


@contextmanager
def _bot(transport: str, address: str, core: int | None) -> Iterator["subprocess.Popen[bytes]"]:
    with on_core(core):
        bot = subprocess.Popen([sys.executable, str(_BOT), transport, address])
    try:
        yield bot
    finally:
        bot.kill()
        bot.wait()


def over_grpc(messages: Sequence[bytes], core: int | None) -> Exchange:
    """A sync server with a thread that reads, as `protocol.link` has it."""
    done = threading.Event()
    found: list[Exchange] = []

    def play(requests: Iterator[bytes], _context: grpc.ServicerContext) -> Iterator[bytes]:
        next(requests)
        outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

        def read() -> None:
            with Exchange.timed(found, bot.pid) as exchange:
                for message in messages:
                    outbox.put(message)
                    exchange.answered += _count(next(requests))
            outbox.put(None)
            done.set()

        threading.Thread(target=read, daemon=True).start()
        yield from iter(outbox.get, None)

    handler = grpc.method_handlers_generic_handler(
        "bench.Stream", {"Play": grpc.stream_stream_rpc_method_handler(play)}
    )
    server = grpc.server(futures.ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((handler,))
    with tempfile.TemporaryDirectory(prefix="tgt-") as folder:
        address = f"unix:{folder}/s"
        server.add_insecure_port(address)
        server.start()
        with _bot("grpc", address, core) as bot:
            if not done.wait(_PATIENCE_S):
                raise RuntimeError("the bare bot never answered")
        server.stop(0).wait(5)
    return found[0]


def over_socket(messages: Sequence[bytes], core: int | None) -> Exchange:
    """Four bytes of length, then the message; blocking reads and writes."""
    found: list[Exchange] = []
    with tempfile.TemporaryDirectory(prefix="tgt-") as folder, socket.socket(socket.AF_UNIX) as ear:
        ear.bind(f"{folder}/s")
        ear.listen(1)
        ear.settimeout(_PATIENCE_S)
        with _bot("socket", f"{folder}/s", core) as bot, ear.accept()[0] as connection:
            connection.settimeout(_PATIENCE_S)
            stream = connection.makefile("rwb")
            with Exchange.timed(found, bot.pid) as exchange:
                for message in messages:
                    stream.write(SIZE.pack(len(message)) + message)
                    stream.flush()
                    (size,) = SIZE.unpack(stream.read(SIZE.size))
                    exchange.answered += _count(stream.read(size))
    return found[0]


def _count(raw: bytes) -> int:
    return len(pb.BotMessage.FromString(raw).decisions.decisions)
