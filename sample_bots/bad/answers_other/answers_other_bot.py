"""Answers twenty decisions that nobody asked for. Expected fault: BAD_MESSAGE."""

import os
from queue import SimpleQueue

import grpc
from tongits.v1 import table_pb2 as pb2
from tongits.v1.table_pb2_grpc import TableStub

FAR_AHEAD = 1_000_000
STRAYS = 20
"""Four more than are forgiven."""
FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""


def answer(request: pb2.DecisionRequest) -> list[pb2.Decision]:
    """The first legal action, later with answers to questions of the future."""
    ids = [request.decision_id]
    if request.observation.turn >= FROM_TURN:
        ids += [FAR_AHEAD + stray for stray in range(STRAYS)]
    return [pb2.Decision(decision_id=number, index=0) for number in ids]


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
