"""Asks for a version of the protocol that does not exist. Expected fault: NO_HANDSHAKE."""

import os

import grpc
from tongits.v1 import table_pb2 as pb2
from tongits.v1.table_pb2_grpc import TableStub

if __name__ == "__main__":
    hello = pb2.Hello(protocol_version=99, token=os.environ["TONGITS_TOKEN"], concurrent_games=64)
    with grpc.insecure_channel(os.environ["TONGITS_ADDRESS"]) as channel:
        for message in TableStub(channel).Play(iter([pb2.BotMessage(hello=hello)])):
            print("the harness answered:", message)
