"""The bot's end of a bare connection: parses requests, answers each with index 0, nothing more.

`python bare_bot.py grpc|socket ADDRESS`. What a transport can do at best with a Python peer.
"""

import os
import queue
import socket
import struct
import sys

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

from tongits.v1 import table_pb2 as pb

METHOD = "/bench.Stream/Play"
SIZE = struct.Struct("!I")


def answers_to(raw: bytes) -> bytes:
    """One message of answers to one message of requests."""
    requests = pb.TableMessage.FromString(raw).requests
    answers = [pb.Decision(decision_id=request.decision_id, index=0) for request in requests]
    return pb.BotMessage(decisions=pb.Decisions(decisions=answers)).SerializeToString()


def over_grpc(address: str) -> None:
    import grpc

    outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    outbox.put(b"")
    with grpc.insecure_channel(address) as channel:
        for raw in channel.stream_stream(METHOD)(iter(outbox.get, None)):
            outbox.put(answers_to(raw))


def over_socket(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        stream = connection.makefile("rwb")
        while head := stream.read(SIZE.size):
            answer = answers_to(stream.read(*SIZE.unpack(head)))
            stream.write(SIZE.pack(len(answer)) + answer)
            stream.flush()


if __name__ == "__main__":
    {"grpc": over_grpc, "socket": over_socket}[sys.argv[1]](sys.argv[2])
