"""Sends bytes that are no message of the protocol. Expected fault: BAD_MESSAGE."""

import os
from queue import SimpleQueue

import grpc
from tongits.v1 import table_pb2 as pb2

GARBAGE = b"\xff" * 64
"""A field tag that never ends: no protobuf parser takes it."""

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""


def answer(request: pb2.DecisionRequest) -> bytes:
    """The first legal action, later garbage."""
    if request.observation.turn >= FROM_TURN:
        return GARBAGE
    decision = pb2.Decision(decision_id=request.decision_id, index=0)
    decisions = pb2.Decisions(decisions=[decision])
    return pb2.BotMessage(decisions=decisions).SerializeToString()


def main() -> None:
    """Play over a call that takes and gives plain bytes."""
    outbox: SimpleQueue[bytes] = SimpleQueue()
    hello = pb2.Hello(protocol_version=1, token=os.environ["TONGITS_TOKEN"], concurrent_games=64)
    outbox.put(pb2.BotMessage(hello=hello).SerializeToString())
    with grpc.insecure_channel(os.environ["TONGITS_ADDRESS"]) as channel:
        stream = channel.stream_stream("/tongits.v1.Table/Play")(iter(outbox.get, None))
        for message in stream:
            for request in pb2.TableMessage.FromString(message).requests:
                outbox.put(answer(request))


if __name__ == "__main__":
    main()
