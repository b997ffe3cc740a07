"""Answers with an index beyond the list of legal actions. Expected fault: ILLEGAL_ACTION."""

import os
from queue import SimpleQueue

import grpc
from tongits.v1 import table_pb2 as pb2
from tongits.v1.table_pb2_grpc import TableStub

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""


def answer(request: pb2.DecisionRequest) -> list[pb2.Decision]:
    """The first legal action, later the one after the last."""
    seen = request.observation
    index = len(seen.legal) if seen.turn >= FROM_TURN else 0
    return [pb2.Decision(decision_id=request.decision_id, index=index)]


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
