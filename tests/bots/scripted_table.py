"""A table for tests: a real gRPC server that sends what it is told and keeps what a bot sends."""

import os
import queue
import subprocess
import sys
import tempfile
from concurrent import futures
from pathlib import Path

import grpc
from tongits.v1 import table_pb2 as pb2

ROOT = Path(__file__).parents[2]
SAMPLE_BOTS = ROOT / "sample_bots"
TOKEN = "word-of-the-test"  # noqa: S105  # a nonce, nothing secret
LIMIT_S = 10
"""Longest wait of a test for anything a bot does."""


class ScriptedTable:
    """Serves one bot process at `address`; use it in a `with` statement.

    `send` queues a message to the bot, `receive` waits for one of its messages, `end` closes the
    stream from this side, `refuse` ends it with an error instead. `lost` becomes true when the
    bot's side is gone.
    """

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="table-")
        self.address = f"unix:{self._folder.name}/table.sock"
        self._inbox = queue.SimpleQueue()
        self._outbox = queue.SimpleQueue()
        self._refusal = None
        self.calls = 0
        self._pool = futures.ThreadPoolExecutor(4)
        self._server = grpc.server(self._pool)
        method = grpc.stream_stream_rpc_method_handler(self._play)
        handlers = {"Play": method}  # bytes in, bytes out: a bot may send anything
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("tongits.v1.Table", handlers),)
        )
        self._server.add_insecure_port(self.address)

    def __enter__(self):
        self._server.start()
        return self

    def __exit__(self, *exc):
        self.end()
        self._server.stop(0).wait(LIMIT_S)
        self._pool.shutdown(wait=True)
        self._folder.cleanup()

    def _play(self, requests, context):
        self.calls += 1
        reader = futures.ThreadPoolExecutor(1)
        reader.submit(self._read, requests)
        reader.shutdown(wait=False)
        yield from iter(self._outbox.get, None)
        if self._refusal:
            context.abort(*self._refusal)

    def _read(self, requests):
        try:
            for raw in requests:
                self._inbox.put(raw)
        except Exception:  # noqa: S110  # grpc raises this bare when a bot is gone
            pass
        self._inbox.put(None)

    def send(self, message):
        self._outbox.put(message.SerializeToString())

    def receive_raw(self):
        """Bytes of the bot's next message; None once its side of the stream is closed or lost."""
        return self._inbox.get(timeout=LIMIT_S)

    def receive(self):
        return pb2.BotMessage.FromString(self.receive_raw())

    def end(self):
        self._outbox.put(None)

    def refuse(self, code, details):
        self._refusal = (code, details)
        self.end()

    def welcome(self, decision_limit_us=1_000_000):
        """Waits for the Hello and answers it; gives the Hello."""
        hello = self.receive().hello
        self.send(
            pb2.TableMessage(
                welcome=pb2.Welcome(
                    protocol_version=1,
                    concurrent_games=hello.concurrent_games,
                    decision_limit_us=decision_limit_us,
                )
            )
        )
        return hello

    def answers(self, count):
        """The next `count` decisions, however they come packed."""
        found = []
        while len(found) < count:
            found += self.receive().decisions.decisions
        return found


def start_bot(argv, address, *, cwd, token=TOKEN, **more_environment):
    """Starts a bot as the harness does: an address, a token, no arguments of its own."""
    environment = {"TONGITS_TOKEN": token, "PATH": os.environ["PATH"], **more_environment}
    environment["PYTHONPATH"] = os.pathsep.join([str(SAMPLE_BOTS / "python"), str(ROOT / "protos")])
    if address:
        environment["TONGITS_ADDRESS"] = address
    if argv[0] == "python3":
        argv = [sys.executable, *argv[1:]]
    return subprocess.Popen(
        argv, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
