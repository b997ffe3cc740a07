"""What a bot prints: drained for life at a bounded rate, its beginning and end kept."""

import os
from collections import deque
from collections.abc import Callable

import trio

from tongits_harness.text import safe_text

HEAD_BYTES = 64 * 1024
"""Kept from the start of each stream (table.proto)."""
TAIL_BYTES = 16 * 1024
"""Kept from the end of each stream."""
RATE_BYTES_PER_S = 1024 * 1024
"""Read at most this fast over time; a flooding bot waits, the harness does not work for it."""
_CHUNK_BYTES = 64 * 1024
_LAST_READ_BYTES = 1024 * 1024
"""Most that is read after the end: the largest buffer an unprivileged pipe can have."""


class Output:
    """One stream of one bot process; owns the reading end of its pipe."""

    def __init__(self, descriptor: int) -> None:
        self.total = 0
        """Bytes seen so far."""
        self.heard: Callable[[bytes], None] | None = None
        """Is told all that is read, kept or not, if somebody listens."""
        self._descriptor = descriptor
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._more = trio.Event()
        os.set_blocking(descriptor, False)

    @property
    def head(self) -> bytes:
        """The first 64 KiB."""
        return bytes(self._head)

    @property
    def last(self) -> bytes:
        """The last 16 KiB of what came after the head."""
        return b"".join(self._tail)[-TAIL_BYTES:]

    @property
    def dropped(self) -> int:
        """Bytes that were read and not kept."""
        return self.total - len(self._head) - len(self.last)

    def text(self) -> str:
        """All that was kept, as safe text, with a line that counts what is missing."""
        gap = f"\n[... {self.dropped} bytes left out ...]\n" if self.dropped else ""
        return safe_text(self.head, lines=True) + gap + safe_text(self.last, lines=True)

    def tail(self, lines: int = 20) -> str:
        """The last lines, as safe text of at most 16 KiB of the original bytes."""
        kept = (self._head[-TAIL_BYTES:] + self.last)[-TAIL_BYTES:]
        return "\n".join(safe_text(bytes(kept), lines=True).splitlines()[-lines:])

    async def wait_more(self) -> None:
        """Waits until more was read, or until the stream has ended."""
        await self._more.wait()

    async def drain(self) -> None:
        """Reads until every writer has closed, never faster over time than the rate."""
        await trio.lowlevel.checkpoint()  # cancelled before it began: the pipe may be closed
        allowed, since = float(_CHUNK_BYTES), trio.current_time()
        while True:
            await trio.lowlevel.wait_readable(self._descriptor)
            if (data := self._read(_CHUNK_BYTES)) == b"":
                return
            now = trio.current_time()
            allowed = min(_CHUNK_BYTES, allowed + (now - since) * RATE_BYTES_PER_S)
            allowed, since = allowed - len(data or b""), now
            if allowed < 0:
                await trio.sleep(-allowed / RATE_BYTES_PER_S)

    def finish(self) -> None:
        """Takes what still lies in the pipe, without waiting, and closes it."""
        if self._descriptor < 0:
            return
        left = _LAST_READ_BYTES
        while left > 0 and (data := self._read(_CHUNK_BYTES)):
            left -= len(data)
        os.close(self._descriptor)
        self._descriptor = -1

    def _read(self, size: int) -> bytes | None:
        try:
            data = os.read(self._descriptor, size)
        except BlockingIOError:
            return None
        self._keep(data)
        return data

    def _keep(self, data: bytes) -> None:
        self.total += len(data)
        if self.heard is not None and data:
            self.heard(data)
        self._more.set()
        self._more = trio.Event()
        room = HEAD_BYTES - len(self._head)
        self._head += data[:room]
        if rest := data[max(room, 0) :]:
            self._tail.append(rest)
            self._tail_size += len(rest)
            while self._tail_size - len(self._tail[0]) >= TAIL_BYTES:
                self._tail_size -= len(self._tail.popleft())
