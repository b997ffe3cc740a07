"""The isolation levels and what a sandbox is to the rest of the harness. Values and types only."""

import enum
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tongits_harness.bots.limits import RANGES, Limits
from tongits_harness.bots.mounts import Runtime
from tongits_harness.bots.rungs.base import Rung

BOT_UID_BASE = 61184
"""First of the uids bots get when the harness is root: systemd's range for dynamic users."""
BOT_SLOTS = 65519 - BOT_UID_BASE + 1
"""How many of them there are."""

BRIDGE = "tongits-stdio"
"""The program of the Python SDK that plays for a bot that reads and writes lines."""


class Level(enum.StrEnum):
    """How well bots are kept apart from the machine and each other, best first."""

    FULL = "full"
    """Namespaces, seccomp and a control group: memory and processes are enforced."""
    CONTAINED = "contained"
    """Namespaces, seccomp and rlimits: the bot's whole memory is only watched."""
    PARTIAL = "partial"
    """Landlock, seccomp and rlimits, where no namespace can be made."""
    NONE = "none"
    """Empty environment, closed descriptors, rlimits: for programs one trusts."""


class Holds(enum.StrEnum):
    """How firmly a limit holds."""

    ENFORCED = "enforced"
    """The kernel keeps the bot as a whole within it."""
    WATCHED = "watched"
    """The kernel bounds each process of the bot; the sum is only looked at."""
    NOT_ENFORCED = "not enforced"
    """Nothing keeps the bot within it."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """What a step of a build has and a bot has not; its `bot_folder` can be written to."""

    scratch: Path
    """Folder on the host for its home and caches, writable."""
    environment: Callable[[str], Mapping[str, str]]
    """Its variables, given where the scratch folder is seen."""


@dataclass(frozen=True, slots=True)
class Relay:
    """A TCP port on loopback that leads to the socket in the seat folder."""

    socket_name: str
    port: int
    """In a network namespace of its own; elsewhere any that is free."""
    variable: str = "-"
    """Variable that is set to its address, if any."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One bot process to be started."""

    argv: tuple[str, ...]
    """The bot's own command, as in its manifest."""
    language: str
    bot_folder: Path
    """Read-only copy of its files on the host."""
    seat_folder: Path
    """Folder on the host that holds only the socket."""
    token: str
    limits: Limits
    slot: int
    """Which of the harness's process slots: picks the uid when the harness is root."""
    runtime: Runtime = field(default_factory=Runtime)
    """What its language needs; Python's is the sandbox's own."""
    relay: Relay | None = None
    work: Workshop | None = None
    """Present in a step of a build."""

    @property
    def needs_python(self) -> bool:
        """Whether the Python of the harness must be there: for Python, and for the bridge."""
        return self.language == "python" or self.argv[:1] == (BRIDGE,)


@dataclass(frozen=True, slots=True)
class Command:
    """What the spawner runs for a launch."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    fds: tuple[int, ...]
    """Descriptors the command inherits; closed when the preparing context ends."""
    status_fd: int | None
    """Our end of the status pipe, if the sandbox has one; the taker closes it."""
    gate_fd: int | None
    """Our end of the set-up gate (see `bwrap`), if there is one; the taker closes it."""


class Sandbox(Protocol):
    """A way of starting bots that was tried on this machine and works."""

    @property
    def level(self) -> Level:
        """How well it isolates."""

    @property
    def rung(self) -> Rung:
        """How limits of a bot as a whole are held."""

    def describe(self) -> str:
        """One line for the header of a run: level, means, what is not enforced."""

    def bot_uid(self, slot: int) -> int:
        """The uid on the host that a bot in this process slot runs as.

        Raises:
            ValueError: There is no such slot.
        """

    def prepare(self, launch: Launch) -> AbstractContextManager[Command]:
        """The command for one start; the descriptors it inherits live as long as the context."""


_HELD_BY_RLIMITS = {"open_files", "file_size_mib"}
"""Limits that mean the same for one process and for the whole bot."""
_IN_NAMESPACES = {Level.FULL, Level.CONTAINED}
_WORDS = {
    "memory_mib": "memory",
    "processes": "processes",
    "tmp_mib": "size of /tmp",
    "cpu_cores": "share of CPU",
}


def how_limits_hold(level: Level, enforced: frozenset[str] = frozenset()) -> dict[str, Holds]:
    """For every limit by name, how firmly it holds at a level.

    Args:
        level: How bots are kept apart.
        enforced: What the rung of the limits ladder enforces (`Rung.enforces`).
    """
    return {name: _holds(name, level, enforced) for name in RANGES}


def tell_weak_limits(level: Level, enforced: frozenset[str]) -> str:
    """What is not enforced, in words for a header; empty if nothing is amiss."""
    holds = how_limits_hold(level, enforced)
    watched = [word for name, word in _WORDS.items() if holds[name] is Holds.WATCHED]
    lacking = [word for name, word in _WORDS.items() if holds[name] is Holds.NOT_ENFORCED]
    told = [f"{', '.join(watched)} watched, not enforced"] if watched else []
    told += [f"{', '.join(lacking)} not enforced"] if lacking else []
    return "; ".join(told)


def _holds(name: str, level: Level, enforced: frozenset[str]) -> Holds:
    if name in enforced or name in _HELD_BY_RLIMITS:
        return Holds.ENFORCED
    if name in {"memory_mib", "cpu_s"} or (name == "processes" and level not in _IN_NAMESPACES):
        return Holds.WATCHED
    is_held = level in _IN_NAMESPACES and name in {"processes", "tmp_mib"}
    is_held |= level is Level.PARTIAL and name == "tmp_mib"  # it can write no file at all
    return Holds.ENFORCED if is_held else Holds.NOT_ENFORCED
