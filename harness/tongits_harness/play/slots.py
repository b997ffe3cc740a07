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
        self.count = count
        """How many there are."""
        self._used = 0
        self._queue: deque[Waiting] = deque()
        self._token = trio.lowlevel.current_trio_token()
        self._used_s = 0.0
        self._since = trio.current_time()

    def request(self, who: Waiting) -> None:
        """Queues for a slot; `who.granted` is called when there is one."""
        self._queue.append(who)
        if self._used < self.count:
            self._token.run_sync_soon(self._pump, idempotent=True)

    def release(self) -> None:
        """Gives a slot back."""
        self._book()
        self._used -= 1
        self._pump()

    def resize(self, count: int) -> None:
        """From now on there are so many; those that are in use are given back when they are."""
        self.count = count
        self._token.run_sync_soon(self._pump, idempotent=True)

    def take_used_s(self) -> float:
        """Seconds for which slots were in use since this was last asked, added up."""
        self._book()
        used, self._used_s = self._used_s, 0.0
        return used

    def _pump(self) -> None:
        while self._used < self.count and self._queue:
            self._book()
            self._used += 1
            self._queue.popleft().granted()

    def _book(self) -> None:
        now = trio.current_time()
        self._used_s += self._used * (now - self._since)
        self._since = now
