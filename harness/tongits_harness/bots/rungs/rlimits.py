"""The lowest rung: rlimits alone. There is no group; memory is watched, nothing can be frozen."""

from dataclasses import dataclass

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs.base import Join, Usage


@dataclass(frozen=True, slots=True)
class NoGroup:
    """In place of a group where there is none."""

    join: Join = Join()  # noqa: RUF009  # frozen

    def joined(self, pid: int) -> None:
        """Nothing has to be learnt."""

    def kill(self) -> None:
        """Is left to whoever knows the pids."""

    def freeze(self) -> None:
        """Cannot be done; see `Rung.can_freeze`."""

    def thaw(self) -> None:
        """Nothing was frozen."""

    def usage(self) -> Usage:
        """Nothing is counted."""
        return Usage()

    def cpu_us(self) -> int | None:
        """Nothing is counted."""
        return None

    def close(self) -> None:
        """Nothing to remove."""


@dataclass(frozen=True, slots=True)
class RlimitsRung:
    """Works everywhere."""

    @property
    def name(self) -> str:
        """As little as it is."""
        return "rlimits only"

    @property
    def enforces(self) -> frozenset[str]:
        """Nothing for a bot as a whole."""
        return frozenset()

    @property
    def can_freeze(self) -> bool:
        """Never."""
        return False

    def open(self, limits: Limits) -> NoGroup:  # noqa: ARG002  # the protocol's signature
        """No group."""
        return NoGroup()
