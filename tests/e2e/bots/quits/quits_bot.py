"""Says Hello, is welcomed, and ends as if all were done. Expected fault: NO_HANDSHAKE."""

import os
from queue import SimpleQueue

import grpc
from tongits.v1 import table_pb2 as pb2
from tongits.v1.table_pb2_grpc import TableStub

if __name__ == "__main__":
    outbox: SimpleQueue[pb2.BotMessage] = SimpleQueue()
    hello = pb2.Hello(protocol_version=1, token=os.environ["TONGITS_TOKEN"], concurrent_games=1)
    outbox.put(pb2.BotMessage(hello=hello))
    with grpc.insecure_channel(os.environ["TONGITS_ADDRESS"]) as channel:
        next(TableStub(channel).Play(iter(outbox.get, None)))
        os._exit(0)
