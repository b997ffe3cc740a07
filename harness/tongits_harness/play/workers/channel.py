"""Messages over a pair of pipes, on the event loop."""

from collections import deque

import trio

from tongits_harness.play.workers.messages import (
    LENGTH_BYTES,
    LONGEST,
    FromWorker,
    MessageError,
    ToWorker,
    from_bytes,
    to_bytes,
)


class Channel:
    """Sends what it is given in order, from a task of its own; reads until the other side ends."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        """Takes two descriptors, which it closes in the end."""
        self._incoming = trio.lowlevel.FdStream(incoming)
        self._outgoing = trio.lowlevel.FdStream(outgoing)
        self._buffer = bytearray()
        self._received: deque[ToWorker | FromWorker] = deque()
        self._waiting: list[bytes] = []
        self._some = trio.Event()
        self._sent = trio.Event()
        self._is_heard = True

    def send(self, message: ToWorker | FromWorker) -> None:
        """Puts a message in line."""
        self._waiting.append(to_bytes(message))
        self._some.set()

    async def run(self) -> None:
        """Task: sends until cancelled, or until nobody reads any more."""
        try:
            while True:
                await self._some.wait()
                self._some = trio.Event()
                waiting, self._waiting = self._waiting, []
                await self._outgoing.send_all(b"".join(waiting))
                if not self._waiting:
                    self._sent.set()
                    self._sent = trio.Event()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._is_heard = False
            self._sent.set()

    async def drained(self) -> None:
        """Waits until all that was given has been sent, or nobody reads any more."""
        if self._is_heard and (self._waiting or self._some.is_set()):
            await self._sent.wait()

    async def receive(self) -> ToWorker | FromWorker | None:
        """The next message; None when the other side has ended.

        Raises:
            MessageError: What comes is none.
        """
        while not self._received:
            try:
                chunk = await self._incoming.receive_some(1 << 16)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return None
            if not chunk:
                return None
            self._buffer += chunk
            self._received.extend(whole_messages(self._buffer))
        return self._received.popleft()

    async def end(self) -> None:
        """Says that nothing more is sent; what the other side still says can be received."""
        await self._outgoing.aclose()

    async def close(self) -> None:
        """Closes both ends."""
        await self._outgoing.aclose()
        await self._incoming.aclose()


def whole_messages(buffer: bytearray) -> list[ToWorker | FromWorker]:
    """Takes the whole messages from the front of a buffer."""
    found: list[ToWorker | FromWorker] = []
    while len(buffer) >= LENGTH_BYTES:
        length = int.from_bytes(buffer[:LENGTH_BYTES], "big")
        if length > LONGEST:
            raise MessageError(f"a message of {length} bytes; {LONGEST} is the most")
        end = LENGTH_BYTES + length
        if len(buffer) < end:
            break
        found.append(from_bytes(bytes(buffer[LENGTH_BYTES:end])))
        del buffer[:end]
    return found
