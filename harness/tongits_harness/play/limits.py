"""Time limits and the fault policy of a tournament: stored with it, printed with its results."""

from dataclasses import dataclass

FAULT_POLICY = "fallback-then-forfeit/1"
"""Name and version of what happens after a fault; printed with every leaderboard."""

SHORTEST_DECISION_S = 0.02
"""Shortest decision limit on offer: garbage collectors of honest runtimes pause that long."""


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """What a bot is granted (design section 5)."""

    start_s: float = 10.0
    """From spawn to a valid Hello and answered warm-up."""
    decision_s: float = 1.0
    """For one decision."""
    bank_s: float = 60.0
    """For all decisions of one session together."""
    faults: int = 3
    """Illegal or late decisions a session forgives; one more forfeits the match."""

    @property
    def decision_us(self) -> int:
        """The decision limit in microseconds."""
        return round(self.decision_s * 1e6)

    @property
    def bank_us(self) -> int:
        """The session bank in microseconds."""
        return round(self.bank_s * 1e6)
