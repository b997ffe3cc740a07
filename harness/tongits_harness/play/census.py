"""What all processes of a run have used of the processors, kept from time to time."""

import time
from collections import deque
from collections.abc import Callable, Mapping

from tongits_harness.protocol.load import Burner, Computing, CpuUse, find_burner

_EVERY_NS = 250_000_000
"""Between two looks; one reads a file for each process."""
_KEPT = 64


class Census:
    """Looks when decisions are sent, so that there is a look from before any that is late."""

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.computing: set[Computing] = set()
        """Lanes with a process."""
        self._now_ns = now_ns
        self._looks: deque[tuple[int, Mapping[Computing, CpuUse]]] = deque(maxlen=_KEPT)

    def look(self) -> None:
        """Looks, if the last look was a while ago."""
        now_ns = self._now_ns()
        if not self._looks or now_ns - self._looks[-1][0] >= _EVERY_NS:
            self._looks.append((now_ns, self._used()))

    def burner(self, *, since_ns: int, waited_us: int, cores: float) -> Burner | None:
        """The bot that kept others from a core since then, if any did."""
        for at_ns, used in reversed(self._looks):
            if at_ns <= since_ns:
                window_us = (self._now_ns() - at_ns) // 1000
                return find_burner(
                    used, self._used(anew=True),
                    window_us=window_us, waited_us=waited_us, cores=cores,
                )  # fmt: skip
        return None

    def _used(self, *, anew: bool = False) -> dict[Computing, CpuUse]:
        uses = ((lane, lane.cpu_use(anew=anew)) for lane in self.computing)
        return {lane: use for lane, use in uses if use is not None}
