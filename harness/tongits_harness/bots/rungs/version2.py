"""Control groups of version 2: a folder of our own for each bot, with or without controllers.

With memory and pids delegated to us it is the best rung; without any controller a group still
freezes, kills without a race and counts CPU time.
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

LEAF = "tongits.harness"
"""Where the harness itself moves: a group that gives controllers on may hold no process."""
_WANTED = {"memory": MEMORY, "pids": PROCESSES, "cpu": CPU}
_NEEDED = ("memory", "pids")
_PERIOD_US = 100_000
_MIB = 1 << 20
_CPU_STAT_BYTES = 512


@dataclass(slots=True)
class Version2Group:
    """The folder of one bot."""

    folder: Path
    lock: int | None
    leftovers: list[Path]
    """Folders that could not be removed yet; shared by the groups of a rung."""
    _cpu_file: int | None = field(default=None, init=False)

    @property
    def join(self) -> Join:
        """Joins it."""
        return Join(files.join_words([self.folder]))

    def joined(self, pid: int) -> None:
        """Nothing has to be learnt."""

    def kill(self) -> None:
        """By one write where the kernel can (5.14), else process by process while it is frozen."""
        try:
            _write(self.folder / "cgroup.kill", "1")
        except OSError:
            self.freeze()
            files.kill_members(self.folder)
            self.thaw()

    def freeze(self) -> None:
        """Stops everything in it."""
        with suppress(OSError):
            _write(self.folder / "cgroup.freeze", "1")

    def thaw(self) -> None:
        """Lets it go on."""
        with suppress(OSError):
            _write(self.folder / "cgroup.freeze", "0")

    def usage(self) -> Usage:
        """As counted by the controllers that are there."""
        peak = files.read_number(self.folder / "memory.peak")
        events = self.folder / "memory.events"
        kills = files.read_number(events, "oom_kill") or 0
        is_own = bool(files.read_number(events, "oom"))  # the group's limit, not the machine's end
        return Usage(
            memory_kills=kills if is_own else 0,
            outside_kills=0 if is_own else kills,
            refused_processes=files.read_number(self.folder / "pids.events", "max") or 0,
            memory_peak_kib=None if peak is None else peak // 1024,
            cpu_us=self.cpu_us(),
        )

    def cpu_us(self) -> int | None:
        """From cpu.stat, which is there without any controller; one read."""
        with suppress(OSError, ValueError):
            if self._cpu_file is None:
                path = self.folder / "cpu.stat"
                self._cpu_file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            first, _, _ = os.pread(self._cpu_file, _CPU_STAT_BYTES, 0).partition(b"\n")
            key, _, value = first.partition(b" ")
            return int(value) if key == b"usage_usec" else None
        return None

    def close(self) -> None:
        """Removes the folder; if it is still busy, that is tried again later."""
        if self._cpu_file is not None:
            os.close(self._cpu_file)
            self._cpu_file = None
        folders = dict.fromkeys((*self.leftovers, self.folder))
        self.leftovers[:] = [folder for folder in folders if not files.remove(folder)]
        if self.lock is not None:
            os.close(self.lock)


@dataclass(frozen=True, slots=True)
class Version2Rung:
    """Groups below a folder that is ours."""

    parent: Path
    controllers: frozenset[str]
    """Those of memory, pids and cpu that groups below the parent have."""
    leftovers: list[Path] = field(default_factory=list)

    @property
    def name(self) -> str:
        """With the controllers in use."""
        if not self.controllers:
            return "cgroup v2 without controllers (freeze, kill, CPU time)"
        return f"cgroup v2, delegated ({', '.join(c for c in _WANTED if c in self.controllers)})"

    @property
    def enforces(self) -> frozenset[str]:
        """What its controllers hold."""
        return frozenset(_WANTED[controller] for controller in self.controllers)

    @property
    def can_freeze(self) -> bool:
        """Always (Linux 5.2)."""
        return True

    def open(self, limits: Limits) -> Version2Group:
        """A new folder, with the limits written before anything is in it."""
        return files.made_anew(lambda: self._make(limits))

    def _make(self, limits: Limits) -> Version2Group:
        folder = self.parent / files.new_name()
        group = Version2Group(folder, files.make_locked(folder), self.leftovers)
        try:
            for name, value in limit_files(limits, self.controllers).items():
                _write(folder / name, value)
            if "memory" in self.controllers:
                with suppress(FileNotFoundError):  # no swap accounting: no swap either
                    _write(folder / "memory.swap.max", "0")
        except OSError:
            group.close()
            raise
        return group


def limit_files(limits: Limits, controllers: frozenset[str]) -> dict[str, str]:
    """Content of each limit's file."""
    texts: dict[str, str] = {}
    if "memory" in controllers:
        texts |= {"memory.max": str(limits.memory_mib * _MIB), "memory.oom.group": "1"}
    if "pids" in controllers:
        texts["pids.max"] = str(limits.processes + HELPER_PROCESSES)
    if "cpu" in controllers:
        texts["cpu.max"] = f"{max(1000, round(limits.cpu_cores * _PERIOD_US))} {_PERIOD_US}"
    return texts


def open_delegated(places: Places) -> Version2Rung:
    """The rung with controllers; moves the harness into a leaf of its group if it has to.

    Raises:
        RungUnavailableError: The controllers are not there, or our group is not ours to divide.
    """
    own = _own(places)
    parent = own.parent if own.name == LEAF else own
    available = set(_words(parent / "cgroup.controllers"))
    missing = [name for name in _NEEDED if name not in available]
    if missing:
        raise RungUnavailableError(f"our group has no controller {' and '.join(missing)}")
    wanted = frozenset(name for name in _WANTED if name in available)
    try:
        _give_on(parent, wanted)
    except OSError as error:
        raise RungUnavailableError(f"our group is not delegated to us ({error.strerror})") from None
    files.sweep([parent])
    return Version2Rung(parent, wanted)


def open_bare(places: Places) -> Version2Rung:
    """The rung without controllers.

    Raises:
        RungUnavailableError: We cannot make groups in version 2.
    """
    own = _own(places)
    parent = own.parent if own.name == LEAF else own
    if not os.access(parent, os.W_OK) or not os.access(parent / "cgroup.procs", os.W_OK):
        raise RungUnavailableError("our group is not ours to write to")
    files.sweep([parent])
    return Version2Rung(parent, frozenset())


def _own(places: Places) -> Path:
    if places.unified is None or not places.unified.is_dir():
        raise RungUnavailableError("no cgroup v2 is mounted")
    return places.unified


def _give_on(parent: Path, wanted: frozenset[str]) -> None:
    """Lets groups below have the controllers."""
    control = parent / "cgroup.subtree_control"
    if wanted <= set(_words(control)):
        return
    if parent.parent.joinpath("cgroup.procs").exists():  # all but the root of the hierarchy
        if set(files.members(parent)) - {os.getpid()}:
            raise RungUnavailableError(
                "other processes share our group; start the harness in one of its own with "
                "`systemd-run --user --scope -p Delegate=yes`"
            )
        leaf = parent / LEAF
        leaf.mkdir(exist_ok=True)
        _write(leaf / "cgroup.procs", str(os.getpid()))
    _write(control, " ".join(f"+{name}" for name in sorted(wanted)))


def _words(file: Path) -> list[str]:
    with suppress(OSError):
        return file.read_text().split()
    return []


def _write(file: Path, text: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)  # never makes a file
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
