"""The one bridge between gRPC's threads and trio: a server for a single bot process.

The harness listens, the bot dials and keeps one stream (design section 5). Threads of gRPC only
append to a deque and wake trio, coalesced; trio only puts messages into a queue. Nothing on the
trio thread ever waits for gRPC.
"""

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent import futures
from dataclasses import dataclass
from typing import TypeAlias

# gRPC's core prints what a peer sends, raw: no bot may write on an organiser's terminal. It reads
# this when it is imported, and only here.
os.environ["GRPC_VERBOSITY"] = "NONE"

import grpc
import trio
from google.protobuf.message import DecodeError
from tongits.v1 import table_pb2 as pb

MESSAGE_LIMIT_BYTES = 64 * 1024
"""Largest message in either direction (table.proto)."""
UNSOLICITED_LIMIT = 16
"""Answers that nobody asked for, beyond which the process is stopped (table.proto)."""
_METHOD = "/tongits.v1.Table/Play"
_CLOSE_LIMIT_S = 2.0
_TRANSPORT_LIMIT_BYTES = 2 * 1024 * 1024
"""gRPC itself breaks the stream above this, and cannot tell us why; below it we name the size."""
_OPTIONS = (
    ("grpc.max_receive_message_length", _TRANSPORT_LIMIT_BYTES),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_concurrent_streams", 1),
    # One is needed; without a bound a bot's idle connections use up the harness's descriptors.
    ("grpc.max_allowed_incoming_connections", 4),
    ("grpc.so_reuseport", 0),
    ("grpc.http2.max_ping_strikes", 2),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.keepalive_permit_without_calls", 0),
)


@dataclass(frozen=True, slots=True)
class Received:
    """A message of the bot, stamped when the reading thread had it whole."""

    at_ns: int
    message: pb.BotMessage


@dataclass(frozen=True, slots=True)
class Broken:
    """The stream is over. `violation` says what the bot did against the protocol, if anything."""

    at_ns: int
    violation: str | None


Incoming = Received | Broken
_MethodHandler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes] | None"


class TableLink:
    """Serves `tongits.v1.Table` to one bot process on one unix socket.

    `wake` is called on the trio thread, coalesced, whenever `take` has something new.
    """

    def __init__(self, socket_path: str, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._token = trio.lowlevel.current_trio_token()
        self._inbox: deque[Incoming] = deque()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._connected = False
        self._asked = 0
        self.refused_streams = 0
        self._pool = futures.ThreadPoolExecutor(2, thread_name_prefix="table-link")
        self._server = grpc.server(self._pool, options=_OPTIONS, maximum_concurrent_rpcs=2)
        self._server.add_generic_rpc_handlers((_Handler(self._play),))
        self._server.add_insecure_port(f"unix:{socket_path}")
        self._server.start()

    def send(self, message: bytes, asked: int) -> None:
        """Queues a serialised TableMessage that holds `asked` decision requests."""
        self._asked += asked
        self._outbox.put(message)

    def take(self) -> Iterator[Incoming]:
        """Everything received since the last call, oldest first."""
        while self._inbox:
            yield self._inbox.popleft()

    def end(self) -> None:
        """Ends the stream once all that was sent has gone out, as bots are told a run is over."""
        self._outbox.put(None)

    async def close(self) -> None:
        """Ends the stream and the server. The process must be dead or about to end by itself."""
        self._outbox.put(None)
        with trio.move_on_after(_CLOSE_LIMIT_S):
            await trio.to_thread.run_sync(self._stop, abandon_on_cancel=True)

    def _stop(self) -> None:
        self._server.stop(0).wait(_CLOSE_LIMIT_S)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _play(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        with self._lock:
            second, self._connected = self._connected, True
        if second:
            self.refused_streams += 1
            context.abort(
                grpc.StatusCode.ALREADY_EXISTS,
                "this process already has its stream: call Play once",
            )
        threading.Thread(
            target=self._read, args=(requests,), name="table-read", daemon=True
        ).start()
        yield from iter(self._outbox.get, None)

    def _read(self, requests: Iterator[bytes]) -> None:
        """Reading thread: parses, stamps, counts, until the stream ends or breaks the protocol."""
        violation = None
        answers = -1  # the Hello is no answer
        try:
            for raw in requests:
                now = time.monotonic_ns()
                if len(raw) > MESSAGE_LIMIT_BYTES:
                    violation = (
                        f"sent a message of {len(raw)} bytes; {MESSAGE_LIMIT_BYTES} is the most"
                    )
                    break
                message = pb.BotMessage.FromString(raw)
                answers += max(1, len(message.decisions.decisions))
                if answers > self._asked + UNSOLICITED_LIMIT:
                    violation = f"sent {answers} answers to {self._asked} requests"
                    break
                self._post(Received(now, message))
        except DecodeError:
            violation = f"sent {len(raw)} bytes that are no tongits.v1.BotMessage: {raw[:64].hex()}"
        except Exception:  # noqa: S110  # grpc raises a bare Exception when the call is cancelled
            pass
        self._post(Broken(time.monotonic_ns(), violation))

    def _post(self, item: Incoming) -> None:
        self._inbox.append(item)
        try:
            self._token.run_sync_soon(self._wake, idempotent=True)
        except trio.RunFinishedError:
            return


class _Handler(grpc.GenericRpcHandler):
    """Routes the one method, with bytes in and bytes out: parsing is the link's own."""

    def __init__(self, play: Callable[..., Iterator[bytes]]) -> None:
        self._play: _MethodHandler = grpc.stream_stream_rpc_method_handler(play)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> _MethodHandler:
        return self._play if handler_call_details.method == _METHOD else None
