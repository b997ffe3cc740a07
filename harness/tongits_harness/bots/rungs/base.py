"""What a rung of the limits ladder is to the rest of the harness. Values and types only."""

from dataclasses import dataclass, field
from typing import Protocol

from tongits_harness.bots.limits import Limits

MEMORY, PROCESSES, CPU = "memory_mib", "processes", "cpu_cores"
"""The limits a control group can hold, by their names in `Limits`."""
HELPER_PROCESSES = 4
"""What stands around a bot in its group: bwrap, the namespace's init, two to spare."""


class RungUnavailableError(Exception):
    """A rung that cannot be used on this machine; the text is the reason, for `tongits doctor`."""


@dataclass(frozen=True, slots=True)
class Join:
    """What stands before a command, so that it is in its group before it begins."""

    words: tuple[str, ...] = ()
    """Words of a command that becomes the rest of its arguments in the same process."""
    env: dict[str, str] = field(default_factory=dict)
    """What these words need in their environment, and the command must not see."""

    def command(
        self, argv: tuple[str, ...], env: dict[str, str]
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        """The joined command and its environment."""
        if not self.env:
            return (*self.words, *argv), env
        own = (f"{name}={value}" for name, value in env.items())
        return (*self.words, "/usr/bin/env", "-i", *own, *argv), self.env


@dataclass(frozen=True, slots=True)
class Usage:
    """What the kernel has counted of a group; None where it does not count."""

    memory_kills: int = 0
    """How many processes it ended because the group's memory limit was reached."""
    outside_kills: int = 0
    """How many it ended for want of memory while the group was below its limit."""
    refused_processes: int = 0
    """How often it refused a new process or thread."""
    memory_peak_kib: int | None = None
    cpu_us: int | None = None


class Group(Protocol):
    """The group of one bot process and of all it starts."""

    @property
    def join(self) -> Join:
        """How a command gets into the group."""

    def joined(self, pid: int) -> None:
        """To be told once the command with this pid has surely joined."""

    def kill(self) -> None:
        """SIGKILL for everything in it, frozen or not; never waits."""

    def freeze(self) -> None:
        """Stops everything in it until `thaw`."""

    def thaw(self) -> None:
        """Lets it go on."""

    def usage(self) -> Usage:
        """What was counted so far."""

    def cpu_us(self) -> int | None:
        """CPU time of everything that ever was in it, at the cost of one file read."""

    def close(self) -> None:
        """Removes the group; to be called once its processes have ended."""


class Rung(Protocol):
    """One way of holding limits, tried on this machine."""

    @property
    def name(self) -> str:
        """A few words for headers and reports."""

    @property
    def enforces(self) -> frozenset[str]:
        """Limits that the kernel holds for a bot as a whole, by their names in `Limits`."""

    @property
    def can_freeze(self) -> bool:
        """Whether a bot can be stopped between its decisions."""

    def open(self, limits: Limits) -> Group:
        """A new group with these limits.

        Raises:
            OSError: The machine refused it.
        """
