"""Control groups of version 1, for root: one group per controller and bot.

Groups are made below our own, so that whatever bounds the harness bounds its bots too.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field
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

_NEEDED = ("memory", "pids")
_USED = (*_NEEDED, "cpu", "cpuacct", "freezer")
_PERIOD_US = 100_000
_AT_LIMIT = 0.97
"""Share of the limit from which a kill is the limit's doing; memory is charged in batches."""
_MIB = 1 << 20


@dataclass(slots=True)
class Version1Group:
    """Folders of one bot, one a controller."""

    folders: dict[str, Path]
    lock: int
    leftovers: list[Path]
    """Folders that could not be removed yet; shared by the groups of a rung."""
    _cpu_file: int | None = field(default=None, init=False)

    @property
    def join(self) -> Join:
        """Joins all of them."""
        return Join(files.join_words(tuple(dict.fromkeys(self.folders.values()))))

    def joined(self, pid: int) -> None:
        """Nothing has to be learnt."""

    def kill(self) -> None:
        """Stops it, so that nothing can fork away, kills each, and lets the signals through."""
        self.freeze()
        files.kill_members(self.folders["pids"])
        self.thaw()

    def freeze(self) -> None:
        """Stops everything in it."""
        self._write_state("FROZEN")

    def thaw(self) -> None:
        """Lets it go on."""
        self._write_state("THAWED")

    def usage(self) -> Usage:
        """As counted by the controllers."""
        memory, pids = self.folders["memory"], self.folders["pids"]
        peak = files.read_number(memory / "memory.max_usage_in_bytes")
        limit = files.read_number(memory / "memory.limit_in_bytes")
        kills = files.read_number(memory / "memory.oom_control", "oom_kill") or 0
        is_own = bool(peak and limit and peak >= limit * _AT_LIMIT)
        return Usage(
            memory_kills=kills if is_own else 0,
            outside_kills=0 if is_own else kills,
            refused_processes=files.read_number(pids / "pids.events", "max") or 0,
            memory_peak_kib=None if peak is None else peak // 1024,
            cpu_us=self.cpu_us(),
        )

    def cpu_us(self) -> int | None:
        """From cpuacct; the file stays open, so that it costs one read."""
        folder = self.folders.get("cpuacct")
        if folder is None:
            return None
        with suppress(OSError, ValueError):
            if self._cpu_file is None:
                self._cpu_file = os.open(folder / "cpuacct.usage", os.O_RDONLY | os.O_CLOEXEC)
            return int(os.pread(self._cpu_file, 32, 0)) // 1000
        return None

    def close(self) -> None:
        """Removes its folders, the locked one last; what is still busy is tried again later."""
        if self._cpu_file is not None:
            os.close(self._cpu_file)
            self._cpu_file = None
        folders = list(dict.fromkeys((*self.leftovers, *reversed(self.folders.values()))))
        self.leftovers[:] = [folder for folder in folders if not files.remove(folder)]
        os.close(self.lock)

    def _write_state(self, state: str) -> None:
        if "freezer" in self.folders:
            with suppress(OSError):
                (self.folders["freezer"] / "freezer.state").write_text(state)


@dataclass(frozen=True, slots=True)
class Version1Rung:
    """Root's way on machines whose controllers are still bound to version 1."""

    parents: dict[str, Path]
    """Our own group in each hierarchy that is used."""
    leftovers: list[Path] = field(default_factory=list)

    @property
    def name(self) -> str:
        """With the controllers in use."""
        return f"cgroup v1 ({', '.join(self.parents)})"

    @property
    def enforces(self) -> frozenset[str]:
        """Memory and processes always, the share of CPU with its controller."""
        return frozenset({MEMORY, PROCESSES} | ({CPU} if "cpu" in self.parents else set()))

    @property
    def can_freeze(self) -> bool:
        """With the freezer."""
        return "freezer" in self.parents

    def open(self, limits: Limits) -> Version1Group:
        """New folders, with the limits written before anything is in them."""
        return files.made_anew(lambda: self._make(limits))

    def _make(self, limits: Limits) -> Version1Group:
        name = files.new_name()
        folders = {controller: parent / name for controller, parent in self.parents.items()}
        lock = files.make_locked(folders["memory"])
        group = Version1Group(folders, lock, self.leftovers)
        try:
            for folder in folders.values():
                folder.mkdir(exist_ok=True)
            _write_limits(folders, limits)
        except OSError:
            group.close()
            raise
        return group


def _write_limits(folders: dict[str, Path], limits: Limits) -> None:
    memory, limit = folders["memory"], str(limits.memory_mib * _MIB)
    (memory / "memory.limit_in_bytes").write_text(limit)
    with_swap = memory / "memory.memsw.limit_in_bytes"
    if with_swap.exists():
        with_swap.write_text(limit)
    else:
        (memory / "memory.swappiness").write_text("0")
    (folders["pids"] / "pids.max").write_text(str(limits.processes + HELPER_PROCESSES))
    if "cpu" in folders:
        (folders["cpu"] / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
        quota = max(1000, round(limits.cpu_cores * _PERIOD_US))
        (folders["cpu"] / "cpu.cfs_quota_us").write_text(str(quota))


def open_version1(places: Places) -> Version1Rung:
    """The rung, if its controllers are mounted and ours to use.

    Raises:
        RungUnavailableError: They are not.
    """
    missing = [name for name in _NEEDED if name not in places.by_controller]
    if missing:
        raise RungUnavailableError(f"no version 1 hierarchy with {' and '.join(missing)}")
    if os.geteuid() != 0:
        raise RungUnavailableError("only root may use it")
    parents = {name: places.by_controller[name] for name in _USED if name in places.by_controller}
    files.sweep([places.roots[name] for name in parents])
    return Version1Rung(parents)
