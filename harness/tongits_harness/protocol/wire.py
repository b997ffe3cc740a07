"""Protobuf messages put together from parts that are serialised once.

A protobuf message is the concatenation of its fields, so an observation is serialised once, hashed
once, and then wrapped into a request and a batch by prefixing a tag and a length. Field numbers are
read from the descriptors of `table.proto`, never written here.
"""

from functools import lru_cache

from google.protobuf.message import Message
from tongits.v1 import table_pb2 as pb

_LENGTH_DELIMITED = 2
SMALL_VARINTS = 0x80
"""Numbers below it take one byte."""
_SMALL = tuple(bytes((value,)) for value in range(SMALL_VARINTS))


def varint(value: int) -> bytes:
    """The protobuf base-128 encoding of a non-negative integer."""
    if value < SMALL_VARINTS:
        return _SMALL[value]
    out = bytearray()
    while value >= SMALL_VARINTS:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(message: type[Message], field: str) -> int:
    return int(message.DESCRIPTOR.fields_by_name[field].number)


def tag(message: type[Message], field: str) -> bytes:
    """What stands before the length of a length-delimited field."""
    return varint(_number(message, field) << 3 | _LENGTH_DELIMITED)


def number_tag(message: type[Message], field: str) -> bytes:
    """What stands before a varint field's value."""
    return varint(_number(message, field) << 3)


_STARTED = tag(pb.TableMessage, "started")
_REQUESTS = tag(pb.TableMessage, "requests")
_OVER = tag(pb.TableMessage, "over")
_OBSERVATION = tag(pb.DecisionRequest, "observation")
_STARTED_ID = tag(pb.GameStarted, "game_id")
_OVER_ID = tag(pb.GameOver, "game_id")
_REQUEST_GAME_ID = tag(pb.DecisionRequest, "game_id")
_REQUEST_ID = number_tag(pb.DecisionRequest, "decision_id")
_REQUEST_TIME = number_tag(pb.DecisionRequest, "time_left_us")


def delimited(field_tag: bytes, body: bytes) -> bytes:
    """A length-delimited field: tag, length, body."""
    return field_tag + varint(len(body)) + body


def game_started(game_id: bytes, body: bytes) -> bytes:
    """A `started` field of TableMessage from a GameStarted serialised without its game_id."""
    return delimited(_STARTED, delimited(_STARTED_ID, game_id) + body)


def game_over(game_id: bytes, body: bytes) -> bytes:
    """An `over` field of TableMessage from a GameOver serialised without its game_id."""
    return delimited(_OVER, delimited(_OVER_ID, game_id) + body)


def decision_request(decision_id: int, game_id: bytes, time_left_us: int, view: bytes) -> bytes:
    """A serialised DecisionRequest around a serialised Observation."""
    return b"".join(
        (
            _REQUEST_ID,
            varint(decision_id),
            _game_and_time(game_id, time_left_us),
            varint(len(view)),
            view,
        )
    )


@lru_cache(maxsize=4096)
def _game_and_time(game_id: bytes, time_left_us: int) -> bytes:
    """What is alike in the requests of a game, up to the observation's length."""
    game = delimited(_REQUEST_GAME_ID, game_id)
    return game + _REQUEST_TIME + varint(time_left_us) + _OBSERVATION


def request_field(request: bytes) -> bytes:
    """A `requests` field of TableMessage from a serialised DecisionRequest."""
    return delimited(_REQUESTS, request)
