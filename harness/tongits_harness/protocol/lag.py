"""How late the event loop itself was: the harness's own delays are never a bot's."""

import time
from collections import deque
from collections.abc import Callable

import trio

LAG_FORGIVEN_NS = 50_000_000
"""Lag up to this is subtracted from a late decision; more voids the session (design 11, 10)."""
_TICK_S = 0.02
_NOTICED_NS = 3_000_000
_KEPT = 512


class LagMeter:
    """Sleeps in short ticks and remembers when the loop woke it late.

    One instance a run; `run` is its task.
    """

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._now_ns = now_ns
        self._stalls: deque[tuple[int, int]] = deque(maxlen=_KEPT)
        self._due_ns = now_ns() + round(_TICK_S * 1e9)

    def lag_ns(self, since_ns: int, until_ns: int) -> int:
        """Nanoseconds within the span in which the loop is known to have stood still."""
        stalls = [*self._stalls, (self._due_ns, self._now_ns())]
        return sum(max(0, min(end, until_ns) - max(start, since_ns)) for start, end in stalls)

    async def run(self) -> None:
        """Measures until cancelled."""
        while True:
            self._due_ns = self._now_ns() + round(_TICK_S * 1e9)
            await trio.sleep(_TICK_S)
            now = self._now_ns()
            if now - self._due_ns > _NOTICED_NS:
                self._stalls.append((self._due_ns, now))
