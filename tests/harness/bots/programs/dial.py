"""Dials the table like a bot: one stream, one Hello; prints what came back."""

import json
import os
import sys
import time

started = time.monotonic()

import grpc  # noqa: E402
from tongits.v1 import table_pb2, table_pb2_grpc  # noqa: E402


def outcome(attempt):
    try:
        return repr(attempt())
    except OSError as error:
        return type(error).__name__


hello = table_pb2.Hello(protocol_version=1, token=os.environ["TONGITS_TOKEN"])
with grpc.insecure_channel(os.environ["TONGITS_ADDRESS"]) as channel:
    stub = table_pb2_grpc.TableStub(channel)
    welcome = next(iter(stub.Play(iter([table_pb2.BotMessage(hello=hello)]), timeout=20))).welcome
json.dump(
    {
        "version": welcome.protocol_version,
        "milliseconds": round((time.monotonic() - started) * 1000),
        "unlink": outcome(lambda: os.unlink("/run/bot/table.sock")),
        "cached": [grpc.__cached__, table_pb2.__cached__],
        "has_cache": [os.path.exists(grpc.__cached__), os.path.exists(table_pb2.__cached__)],
    },
    sys.stdout,
)
