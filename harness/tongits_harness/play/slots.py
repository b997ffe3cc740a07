"""How many bot processes may think at a time: no clock runs while a bot waits for a core."""

from collections import deque
from typing import Protocol

import trio


class Waiting(Protocol):
    """Something that can use a slot."""

    def granted(self) -> None:
        """A slot is yours until `release`."""


class ComputeSlots:
    """A first-come first-served counting gate, driven from the trio thread.

    A slot that comes free goes to the next in line at once. One that lies idle is handed out at the
    end of the current turn of the event loop, so that everything which becomes ready in one turn
    travels in one message.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._queue: deque[Waiting] = deque()
        self._token = trio.lowlevel.current_trio_token()

    def request(self, who: Waiting) -> None:
        """Queues for a slot; `who.granted` is called when there is one."""
        self._queue.append(who)
        if self._free:
            self._token.run_sync_soon(self._pump, idempotent=True)

    def release(self) -> None:
        """Gives a slot back."""
        self._free += 1
        self._pump()

    def _pump(self) -> None:
        while self._free and self._queue:
            self._free -= 1
            self._queue.popleft().granted()
