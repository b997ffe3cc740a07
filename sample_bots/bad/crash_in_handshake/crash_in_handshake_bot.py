"""Dials and opens the stream, then dies before its Hello. Expected fault: NO_HANDSHAKE."""

import os
import time
from collections.abc import Iterator

import grpc
from tongits.v1 import table_pb2 as pb2
from tongits.v1.table_pb2_grpc import TableStub


def die() -> Iterator[pb2.BotMessage]:
    """What grpc asks for the first message, once the call has begun."""
    time.sleep(0.2)  # long enough for the harness to see the stream
    os._exit(3)
    yield pb2.BotMessage()


if __name__ == "__main__":
    with grpc.insecure_channel(os.environ["TONGITS_ADDRESS"]) as channel:
        list(TableStub(channel).Play(die()))
