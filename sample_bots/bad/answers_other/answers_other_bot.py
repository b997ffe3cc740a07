"""Answers decisions that nobody asked for. Expected fault: BAD_MESSAGE, once there are too many."""

import os
from queue import SimpleQueue

import grpc
from tongits.v1 import table_pb2 as pb2
from tongits.v1.table_pb2_grpc import TableStub

FAR_AHEAD = 1_000_000


def answer(request: pb2.DecisionRequest) -> list[pb2.Decision]:
    """The first legal action, and an answer to a question of the future."""
    asked = pb2.Decision(decision_id=request.decision_id, index=0)
    return [asked, pb2.Decision(decision_id=request.decision_id + FAR_AHEAD, index=0)]


def main() -> None:
    """Play in the ordinary way but for `answer`."""
    outbox: SimpleQueue[pb2.BotMessage] = SimpleQueue()
    hello = pb2.Hello(protocol_version=1, token=os.environ["TONGITS_TOKEN"], concurrent_games=64)
    outbox.put(pb2.BotMessage(hello=hello))
    with grpc.insecure_channel(os.environ["TONGITS_ADDRESS"]) as channel:
        stream = TableStub(channel).Play(iter(outbox.get, None))
        for message in stream:
            for request in message.requests:
                outbox.put(pb2.BotMessage(decisions=pb2.Decisions(decisions=answer(request))))


if __name__ == "__main__":
    main()
