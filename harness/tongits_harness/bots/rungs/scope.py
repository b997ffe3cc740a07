"""`systemd-run --user --scope` per bot: the user's own service manager makes the group.

Its group is found once the bot is in it. It vanishes with the bot's last process, so what it
counted is read while it is there, and the manager is asked at the end how the scope ended.
"""

import os
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs import files
from tongits_harness.bots.rungs.base import (
    CPU,
    HELPER_PROCESSES,
    MEMORY,
    PROCESSES,
    Join,
    RungUnavailableError,
    Usage,
)
from tongits_harness.bots.rungs.places import Places
from tongits_harness.bots.rungs.version2 import Version2Group
from tongits_harness.bots.tools import find_tool

_LIMIT_S = 10.0
_ENVIRONMENT = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
_SHOW = (
    "d=$1$(sed -n s/^0:://p /proc/self/cgroup); "
    'for f in memory.max pids.max cpu.max; do cat "$d/$f" || echo; done'
)
"""Prints the limits of the group it runs in, one a line."""
Ask = Callable[[Sequence[str]], str]
"""Runs a short command and gives its output."""


@dataclass(slots=True)
class ScopeGroup:
    """The scope of one bot."""

    unit: str
    join: Join
    root: Path
    """Where version 2 is mounted."""
    ask: Ask
    proc: Path = Path("/proc")
    _pid: int | None = field(default=None, init=False)
    _found: Version2Group | None = field(default=None, init=False)
    _last: Usage = field(default_factory=Usage, init=False)

    def joined(self, pid: int) -> None:
        """Remembers in which process's entry its folder will be named."""
        self._pid = pid

    def kill(self) -> None:
        """Kills all of it."""
        if group := self._group():
            group.kill()

    def freeze(self) -> None:
        """Stops all of it."""
        if group := self._group():
            group.freeze()

    def thaw(self) -> None:
        """Lets it go on."""
        if group := self._group():
            group.thaw()

    def usage(self) -> Usage:
        """The last that could be read; the manager knows of a kill that came after it."""
        group = self._group()
        if group is None:
            return self._last
        if group.folder.is_dir():
            self._last = group.usage()
        elif not self._last.memory_kills and self._ended_by() == "oom-kill":
            self._last = replace(self._last, memory_kills=1)
        return self._last

    def cpu_us(self) -> int | None:
        """One read."""
        group = self._group()
        return group.cpu_us() if group else None

    def close(self) -> None:
        """The manager removes the scope; a failed one is forgotten."""
        if group := self._group():
            group.close()
            self.ask(["reset-failed", self.unit])

    def _group(self) -> Version2Group | None:
        """The scope's folder, once the process is in it."""
        if self._found is None and self._pid is not None:
            with suppress(OSError):
                for line in Path(f"{self.proc}/{self._pid}/cgroup").read_text().splitlines():
                    number, _, path = line.split(":", 2)
                    if number == "0" and path.endswith(f"/{self.unit}"):
                        self._found = Version2Group(self.root / path.lstrip("/"), None, [])
        return self._found

    def _ended_by(self) -> str:
        return self.ask(["show", "--property=Result", "--value", self.unit]).strip()


@dataclass(frozen=True, slots=True)
class ScopeRung:
    """A scope for each bot, asked of the user's manager."""

    program: str
    root: Path
    env: Mapping[str, str]
    ask: Ask
    has_cpu: bool = True

    @property
    def name(self) -> str:
        """With what is in use."""
        return f"systemd user scopes (memory, pids{', cpu' if self.has_cpu else ''})"

    @property
    def enforces(self) -> frozenset[str]:
        """Memory and processes always, the share of CPU where the manager may."""
        return frozenset({MEMORY, PROCESSES} | ({CPU} if self.has_cpu else set()))

    @property
    def can_freeze(self) -> bool:
        """The scope's folder belongs to the user."""
        return True

    def open(self, limits: Limits) -> ScopeGroup:
        """A scope that is made when its command starts."""
        unit = f"{files.new_name()}.scope"
        properties = {
            "MemoryMax": f"{limits.memory_mib}M",
            "MemorySwapMax": "0",
            "TasksMax": str(limits.processes + HELPER_PROCESSES),
            "CPUQuota": f"{max(1, round(limits.cpu_cores * 100))}%",
        }
        words = (
            *(self.program, "--user", "--scope", "--quiet", f"--unit={unit}"),
            *(word for name, value in properties.items() for word in ("-p", f"{name}={value}")),
            "--",
        )
        return ScopeGroup(unit, Join(words, dict(self.env)), self.root, self.ask)


def open_scopes(places: Places) -> ScopeRung:
    """The rung, if the user's manager makes a scope that has its limits.

    Raises:
        RungUnavailableError: There is no manager, or it has no controllers.
    """
    program, control = find_tool("systemd-run"), find_tool("systemctl")
    if not (program and control):
        raise RungUnavailableError("systemd-run is not installed")
    env = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    if "XDG_RUNTIME_DIR" not in env:
        raise RungUnavailableError("no user session (XDG_RUNTIME_DIR is not set)")
    if places.unified_root is None:
        raise RungUnavailableError("no cgroup v2 is mounted")

    def ask(words: Sequence[str]) -> str:
        command = [control, "--user", *words]
        with suppress(OSError, subprocess.TimeoutExpired):
            done = subprocess.run(
                command, env=env, capture_output=True, text=True, timeout=_LIMIT_S, check=False
            )
            return done.stdout
        return ""

    return _tried(ScopeRung(program, places.unified_root, env, ask))


def _tried(rung: ScopeRung) -> ScopeRung:
    group = rung.open(Limits())
    argv, env = group.join.command(("/bin/sh", "-c", _SHOW, "sh", str(rung.root)), {})
    try:
        done = subprocess.run(
            argv, env=env, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RungUnavailableError(f"{shlex.join(argv[:3])}: {error}") from None
    memory, processes, cpu, *_ = (*done.stdout.splitlines(), "", "", "")
    if not memory:
        told = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise RungUnavailableError(f"{shlex.join(argv[:3])}: {told[0]}")
    limits = Limits()
    wanted = (str(limits.memory_mib << 20), str(limits.processes + HELPER_PROCESSES))
    if (memory, processes) != wanted:
        raise RungUnavailableError("the user manager has no memory and pids controllers")
    return replace(rung, has_cpu=cpu not in {"", "max 100000"})
