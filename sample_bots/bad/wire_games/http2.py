"""As much of HTTP/2 as one gRPC stream needs, so that every byte of it is in our hands."""

import os
import socket
import struct
from collections.abc import Iterator

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = (
    0x0, 0x1, 0x3, 0x4, 0x6, 0x7, 0x8, 0x9,
)  # fmt: skip
END_STREAM, ACK, END_HEADERS = 0x1, 0x1, 0x4
INITIAL_WINDOW = 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
STREAM = 1
_HEAD = 9


def frame(kind: int, flags: int, stream: int, body: bytes = b"") -> bytes:
    """A frame; its length is that of the body."""
    return (
        struct.pack(">I", len(body))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + body
    )


def literal(name: bytes, value: bytes) -> bytes:
    """A header that is written out."""
    return b"\x00" + bytes((len(name),)) + name + bytes((len(value),)) + value


def setting(number: int, value: int) -> bytes:
    """A SETTINGS frame with one value."""
    return frame(SETTINGS, 0, 0, struct.pack(">HI", number, value))


def window(stream: int, size: int) -> bytes:
    """Room for so many more bytes."""
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", size))


def prefixed(message: bytes) -> bytes:
    """A gRPC message with its length."""
    return b"\x00" + struct.pack(">I", len(message)) + message


CALL = b"".join(
    literal(name, value)
    for name, value in (
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/tongits.v1.Table/Play"),
        (b":authority", b"table"), (b"content-type", b"application/grpc"), (b"te", b"trailers"),
    )
)  # fmt: skip


def dial() -> socket.socket:
    """A connection to the table."""
    wire = socket.socket(socket.AF_UNIX)
    wire.connect(os.environ["TONGITS_ADDRESS"].removeprefix("unix:"))
    return wire


class Wire:
    """One connection with one call of Play."""

    def __init__(self, first_window: int = 1 << 20, *, grants: int | None = None) -> None:
        self.socket = dial()
        self.grants = grants
        """Bytes of window given back for a frame; None for as many as came."""
        self.send(PREFACE + setting(INITIAL_WINDOW, first_window))
        self.send(frame(HEADERS, END_HEADERS, STREAM, CALL))
        self._raw = bytearray()
        self._data = bytearray()

    def send(self, raw: bytes) -> None:
        """Bytes as they are."""
        self.socket.sendall(raw)

    def say(self, message: bytes) -> None:
        """A message in one frame."""
        self.send(frame(DATA, 0, STREAM, prefixed(message)))

    def messages(self) -> Iterator[bytes]:
        """What the table says, until it closes the connection."""
        while received := self.socket.recv(65536):
            self._raw += received
            while len(self._raw) >= _HEAD:
                size = int.from_bytes(self._raw[:3], "big")
                if len(self._raw) < _HEAD + size:
                    break
                kind, flags = self._raw[3], self._raw[4]
                body = bytes(self._raw[_HEAD : _HEAD + size])
                del self._raw[: _HEAD + size]
                self._react(kind, flags, body)
            yield from self._whole()

    def _react(self, kind: int, flags: int, body: bytes) -> None:
        if kind == DATA and body:
            self._data += body
            granted = self.grants or len(body)
            self.send(window(0, len(body)) + window(STREAM, granted))
        elif kind in {SETTINGS, PING} and not flags & ACK:
            self.send(frame(kind, ACK, 0, body if kind == PING else b""))

    def _whole(self) -> Iterator[bytes]:
        while len(self._data) >= 5:
            size = int.from_bytes(self._data[1:5], "big")
            if len(self._data) < 5 + size:
                return
            yield bytes(self._data[5 : 5 + size])
            del self._data[: 5 + size]
