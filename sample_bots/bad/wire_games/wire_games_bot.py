"""Plays over HTTP/2 of its own and abuses it (rows 22, 23, 26); the argument says how.

Expected: TIMEOUT or BAD_MESSAGE in the game, NO_HANDSHAKE for those that never come so far, no
fault for what only costs itself.
"""

import os
import struct
import sys
import threading
import time
from collections.abc import Callable

import http2
from tongits.v1 import table_pb2 as pb2

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
HOARDERS, EACH = 12, 200
IDLE = threading.Event()
LINGERS_S = 0.3

Game = Callable[[http2.Wire, bytes], None]
"""What is done instead of giving this answer."""


def slowly(wire: http2.Wire, raw: bytes, pause_s: float = 0.05) -> None:
    """One byte and one frame at a time."""
    for number in range(len(raw)):
        wire.send(http2.frame(http2.DATA, 0, http2.STREAM, raw[number : number + 1]))
        time.sleep(pause_s)


def repeat(raw: bytes, times: int) -> Game:
    """Frames before the answer."""

    def game(wire: http2.Wire, answer: bytes) -> None:
        for _ in range(times // 100):
            wire.send(raw * 100)
        wire.send(http2.frame(http2.DATA, 0, http2.STREAM, answer))

    return game


def instead(raw: bytes) -> Game:
    """Something else, and the answer after it."""

    def game(wire: http2.Wire, answer: bytes) -> None:
        wire.send(raw + http2.frame(http2.DATA, 0, http2.STREAM, answer))

    return game


def other_streams(wire: http2.Wire, answer: bytes) -> None:
    """Many more calls of Play on the same connection, each given up at once."""
    for number in range(3, 2003, 2):
        opened = http2.frame(http2.HEADERS, http2.END_HEADERS, number, http2.CALL)
        wire.send(opened + http2.frame(http2.RST_STREAM, 0, number, struct.pack(">I", 8)))
    wire.send(http2.frame(http2.DATA, 0, http2.STREAM, answer))


def dial_again(wire: http2.Wire, _answer: bytes) -> None:
    """Hang up and come again as if nothing had been."""
    wire.socket.close()
    try:
        http2.dial()
        print("the table let it in again")
    except OSError as error:
        print("dialling again:", error)
    IDLE.wait()


def half_message(wire: http2.Wire, answer: bytes) -> None:
    """All of a message but its last byte."""
    wire.send(http2.frame(http2.DATA, 0, http2.STREAM, answer[:-1]))


HEADERS_WITHOUT_END = http2.frame(http2.HEADERS, 0, 3, http2.CALL) + b"".join(
    http2.frame(http2.CONTINUATION, 0, 3, http2.literal(b"a" * 100, b"b" * 100) * 40)
    for _ in range(100)
)
LOUD = b"\x1b]0;owned\x07\x1b[2J\nerror: forged line\n"
"""What some library may log."""
GAMES: dict[str, Game] = {
    "slow_loris": slowly,
    "half_message": half_message,
    "ping_flood": repeat(http2.frame(http2.PING, 0, 0, bytes(8)), 20_000),
    "settings_flood": repeat(http2.setting(3, 100), 20_000),
    "window_flood": repeat(http2.window(0, 1), 20_000),
    "empty_frames": repeat(http2.frame(http2.DATA, 0, http2.STREAM), 20_000),
    "window_overflow": repeat(http2.window(0, 2**31 - 1), 100),
    "closed_window": instead(http2.setting(http2.INITIAL_WINDOW, 0)),
    "other_streams": other_streams,
    "endless_headers": instead(HEADERS_WITHOUT_END),
    "huge_frame": instead(
        b"\xff\xff\xff" + bytes((http2.DATA, 0)) + struct.pack(">I", 1) + bytes(70_000)
    ),
    "lying_length": instead(http2.frame(http2.DATA, 0, 1, b"\x00\xff\xff\xff\xff")),
    "compressed_flag": instead(
        http2.frame(http2.DATA, 0, 1, b"\x01\x00\x00\x00\x04\x1f\x8b\x08\x00")
    ),
    "reset": instead(http2.frame(http2.RST_STREAM, 0, 1, struct.pack(">I", 8))),
    "half_close": instead(http2.frame(http2.DATA, http2.END_STREAM, 1)),
    "goaway": instead(http2.frame(http2.GOAWAY, 0, 0, struct.pack(">II", 0, 2) + LOUD)),
    "garbage": instead(os.urandom(4096)),
    "dial_again": dial_again,
}


def hoard() -> None:
    """Thousands of connections that say nothing, from as many processes as it takes."""
    for _ in range(HOARDERS):
        reading, writing = os.pipe()
        if os.fork() == 0:
            kept = []
            try:
                for _ in range(EACH):
                    wire = http2.dial()
                    wire.settimeout(1)
                    kept.append(wire)
            except OSError:
                pass
            os.write(writing, b"!")
            time.sleep(600)
            os._exit(0)
        os.read(reading, 1)


def say_hello(wire: http2.Wire, way: str) -> None:
    """The first message, or something else."""
    hello = pb2.Hello(protocol_version=1, token=os.environ["TONGITS_TOKEN"], concurrent_games=64)
    raw = pb2.BotMessage(hello=hello).SerializeToString()
    if way == "slow_hello":
        slowly(wire, http2.prefixed(raw), pause_s=0.3)
    else:
        wire.say(raw)


def main(way: str) -> None:
    """Play in the ordinary way but for what the argument says."""
    if way == "http1":
        with http2.dial() as wire:
            wire.sendall(b"GET / HTTP/1.1\r\nHost: table\r\n\r\n")
            IDLE.wait()
    if way == "hoarder":
        hoard()
    windows = {"never_reads": 0, "tiny_window": 64}
    wire = http2.Wire(windows.get(way, 1 << 20), grants=64 if way == "tiny_window" else None)
    say_hello(wire, way)
    for raw in wire.messages():
        for request in pb2.TableMessage.FromString(raw).requests:
            decision = pb2.Decision(decision_id=request.decision_id, index=0)
            message = pb2.BotMessage(decisions=pb2.Decisions(decisions=[decision]))
            answer = http2.prefixed(message.SerializeToString())
            if request.observation.turn >= FROM_TURN and way in GAMES:
                GAMES[way](wire, answer)
            else:
                wire.send(http2.frame(http2.DATA, 0, http2.STREAM, answer))
    IDLE.wait(LINGERS_S)  # the end of the stream comes well before that of the process


if __name__ == "__main__":
    main(sys.argv[1])
