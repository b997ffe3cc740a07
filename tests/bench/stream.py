"""A bare gRPC stream between two processes: what the transport alone can do at a batch size.

The harness side is a sync server as in `protocol.link`, the bot side a sync Python client; both
only build and read messages of the real size. `python stream.py ADDRESS` is the bot side.
"""

import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent import futures
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
from tongits.v1 import table_pb2 as pb

METHOD = "/bench.Stream/Play"
SECONDS = 2.0


@dataclass(frozen=True)
class PingPong:
    """One measurement."""

    batch: int
    decisions_per_s: float
    """By the clock."""
    harness_us: float
    """CPU microseconds of this process per decision."""


def bot(address: str) -> None:
    """Answers every request of every batch with index 0 until the stream ends."""
    outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    outbox.put(b"")
    with grpc.insecure_channel(address) as channel:
        call = channel.stream_stream(METHOD)
        for raw in call(iter(outbox.get, None)):
            requests = pb.TableMessage.FromString(raw).requests
            answers = [pb.Decision(decision_id=r.decision_id, index=0) for r in requests]
            message = pb.BotMessage(decisions=pb.Decisions(decisions=answers))
            outbox.put(message.SerializeToString())


def ping_pong(batch: int, view_bytes: int) -> PingPong:
    """Sends batches of observations of `view_bytes` bytes, each after the answer to the last."""
    observation = pb.Observation(discards=bytes(view_bytes - 3))
    request = pb.DecisionRequest(decision_id=1, game_id="0" * 16, observation=observation)
    message = pb.TableMessage(requests=[request] * batch).SerializeToString()
    done = threading.Event()
    result: list[PingPong] = []

    def play(requests: Iterator[bytes], _context: grpc.ServicerContext) -> Iterator[bytes]:
        next(requests)
        outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

        def read() -> None:
            count = 0
            start, cpu = time.perf_counter(), time.process_time()
            outbox.put(message)
            for raw in requests:
                count += len(pb.BotMessage.FromString(raw).decisions.decisions)
                if time.perf_counter() - start > SECONDS:
                    break
                outbox.put(message)
            wall, used = time.perf_counter() - start, time.process_time() - cpu
            result.append(PingPong(batch, count / wall, used / count * 1e6))
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
        child = subprocess.Popen([sys.executable, str(Path(__file__)), address])
        try:
            if not done.wait(SECONDS + 30):
                raise RuntimeError("the bot side never answered")
        finally:
            child.kill()
            child.wait()
            server.stop(0).wait(5)
    return result[0]


if __name__ == "__main__":
    bot(sys.argv[1])
