"""Calls Play a second time while it plays. Expected: the second call is refused; no fault."""

import os
import threading

import grpc
from tongits.v1 import table_pb2 as pb2
from tongits.v1.table_pb2_grpc import TableStub
from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""

tried = threading.Event()


def dial_again() -> None:
    """Open another connection, call Play on it and print what comes of it."""
    hello = pb2.Hello(protocol_version=1, token=os.environ["TONGITS_TOKEN"], concurrent_games=64)
    own_connection = (("grpc.use_local_subchannel_pool", 1),)
    with grpc.insecure_channel(os.environ["TONGITS_ADDRESS"], options=own_connection) as channel:
        try:
            for message in TableStub(channel).Play(iter([pb2.BotMessage(hello=hello)])):
                print("a second stream was given:", message)
        except grpc.RpcError as error:
            print("the second stream was refused:", error.code().name, error.details())


def decide(view: View) -> Action:
    """The first legal action; once, a second stream besides."""
    if view.turn >= FROM_TURN and not tried.is_set():
        tried.set()
        threading.Thread(target=dial_again, daemon=True).start()
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
