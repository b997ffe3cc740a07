"""Answers with messages that should not be (rows 24 to 27); the argument says with which.

Expected: BAD_MESSAGE for what breaks the protocol, ILLEGAL_ACTION for what breaks the rules, no
fault for what is merely superfluous.
"""

import os
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue

import grpc
from tongits.v1 import table_pb2 as pb2

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
Answer = Callable[[pb2.DecisionRequest], list[bytes]]
LINGERS_S = 0.3
LARGEST = 60_000
EARLY = 12
"""Decisions in which what is forgiven a few times is done."""
HUGE = 50 << 20


def message(*decisions: pb2.Decision) -> bytes:
    """A message as it should be."""
    return pb2.BotMessage(decisions=pb2.Decisions(decisions=decisions)).SerializeToString()


def choose(request: pb2.DecisionRequest, **choice: object) -> list[bytes]:
    """One answer, good or bad."""
    return [message(pb2.Decision(decision_id=request.decision_id, **choice))]


def spell(request: pb2.DecisionRequest, **action: object) -> list[bytes]:
    """One action spelled out, good or bad."""
    return choose(request, action=pb2.Action(**action))


def field(number: int, body: bytes) -> bytes:
    """A length-delimited protobuf field."""
    size, value = bytearray(), len(body)
    while value >= 0x80:
        size.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((number << 3 | 2, *size, value)) + body


def nested(depth: int) -> bytes:
    """Groups within groups that nobody knows."""
    return b"\x7b" * depth + b"\x7c" * depth


def lone_surrogate(request: pb2.DecisionRequest) -> list[bytes]:
    """A note that is no UTF-8: half of a pair, as UTF-16 has it."""
    note = field(4, b"\xed\xa0\x80")
    decision = pb2.Decision(decision_id=request.decision_id, index=0).SerializeToString() + note
    return [field(2, field(1, decision))]


def good(request: pb2.DecisionRequest) -> list[bytes]:
    """As a bot should."""
    return choose(request, index=0)


def stray(request: pb2.DecisionRequest) -> list[bytes]:
    """An answer to a question of the future, a few times in a life."""
    early = request.decision_id < EARLY
    return [message(pb2.Decision(decision_id=10**6 + request.decision_id))] if early else []


WAYS: dict[str, Answer] = {
    "huge": lambda _: [bytes(HUGE)],
    "repeated": lambda _: [field(2, b"\x0a\x00" * (2 << 20))],
    "bomb": lambda _: [bytes(HUGE)],  # compressed to a few KiB by the channel, see `main`
    "small_bomb": lambda _: [bytes(1_900_000)],
    "nested": lambda _: [nested(20_000)],
    "unknown_groups": lambda r: [good(r)[0] + nested(1) * 15_000],
    "empty": lambda _: [b""],
    "unsolicited": lambda r: [*[message(pb2.Decision(decision_id=10**6))] * 30, *good(r)],
    "small_flood": lambda r: [*[message()] * 5000, *good(r)],
    "within_reason": lambda r: [*stray(r), *good(r)],
    "second_hello": lambda _: [field(1, b"\x08\x01")],
    "id_0": lambda _: [message(pb2.Decision(decision_id=0, index=0))] * 20,
    "id_max": lambda _: [message(pb2.Decision(decision_id=2**64 - 1, index=0))] * 20,
    "no_choice": choose,
    "index_max": lambda r: choose(r, index=2**32 - 1),
    "kind_negative": lambda r: spell(r, kind=-1),
    "kind_max": lambda r: spell(r, kind=2**31 - 1),
    "card_255": lambda r: spell(r, kind=6, cards=b"\xff"),
    "cards_twice": lambda r: spell(r, kind=6, cards=r.observation.hand[:1] * 2),
    "cards_many": lambda r: spell(r, kind=3, cards=bytes(range(52)) * 1000),
    "meld_max": lambda r: spell(r, kind=5, cards=r.observation.hand[:1], meld=2**32 - 1),
    "card_not_held": lambda r: spell(
        r, kind=6, cards=bytes(sorted(set(range(52)) - set(r.observation.hand))[:1])
    ),
    "surrogate": lone_surrogate,
    "long_notes": lambda r: choose(r, index=0, note="\u20ac" * (LARGEST // 3)),
    "twice_differing": lambda r: [
        message(
            pb2.Decision(decision_id=r.decision_id, index=0),
            pb2.Decision(decision_id=r.decision_id, index=10**9),
        )
    ] if r.decision_id < EARLY else good(r),
}  # fmt: skip


def main(answer: Answer, *, compressed: bool) -> None:
    """Play over a call that takes and gives plain bytes."""
    outbox: SimpleQueue[bytes] = SimpleQueue()
    hello = pb2.Hello(protocol_version=1, token=os.environ["TONGITS_TOKEN"], concurrent_games=64)
    outbox.put(pb2.BotMessage(hello=hello).SerializeToString())
    options = (("grpc.max_send_message_length", -1),)
    squeeze = grpc.Compression.Gzip if compressed else None
    address = os.environ["TONGITS_ADDRESS"]
    with grpc.insecure_channel(address, options=options, compression=squeeze) as channel:
        stream = channel.stream_stream("/tongits.v1.Table/Play")(iter(outbox.get, None))
        for received in stream:
            for request in pb2.TableMessage.FromString(received).requests:
                is_due = request.observation.turn >= FROM_TURN
                for sent in (answer if is_due else good)(request):
                    outbox.put(sent)
    threading.Event().wait(LINGERS_S)  # the end of the stream comes before that of the process


if __name__ == "__main__":
    main(WAYS[sys.argv[1]], compressed=sys.argv[1].endswith("bomb"))
