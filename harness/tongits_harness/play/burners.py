"""Bots that keep others from the processors: noted at every void decision, charged at the third."""

from collections import Counter

import structlog

from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.protocol.load import Burner

log = structlog.get_logger()

STRIKES = 3
"""Void decisions of others that a bot was the reason of, and at which it is charged."""


class Burners:
    """Counts, over a run, whose computing made decisions of others void."""

    def __init__(self) -> None:
        self._strikes: Counter[str] = Counter()

    def note(self, burner: Burner, head: str) -> None:
        """A decision of `head` was void because of this bot."""
        log.warning(
            "burner",
            entrant=burner.entrant,
            kept_waiting=head,
            used_ms=burner.used_us // 1000,
            waited_ms=burner.waited_us // 1000,
            window_ms=burner.window_us // 1000,
        )
        self._strikes[burner.entrant] += 1
        if self._strikes[burner.entrant] % STRIKES == 0:
            burner.lane.condemn(_fault(burner, head))


def _fault(burner: Burner, head: str) -> Fault:
    evidence = {
        "limit": "cpu",
        "used_ms": burner.used_us // 1000,
        "window_ms": burner.window_us // 1000,
        "kept_waiting": head,
        "waited_ms": burner.waited_us // 1000,
    }
    message = (
        f"used {evidence['used_ms']} ms of processor time within {evidence['window_ms']} ms while"
        f" nothing was asked of it; a decision of {head} was late for want of a processor, the"
        f" {STRIKES}rd one by its doing"
    )
    return Fault(FaultKind.RESOURCE_LIMIT, Blame.BOT, Phase.IDLE, message, evidence)
