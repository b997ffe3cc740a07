"""What lies outside every sandbox, looked at before and after: nothing of it may change."""

import hashlib
import os
import re
import resource
import shutil
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20
KEY = f" {0x7067} "
"""Of the System V objects that `sharer` makes."""


@dataclass(frozen=True)
class Outside:
    """Everything that must be the same to the bit."""

    tree: str
    environment: str
    marks: tuple[str, ...]
    """What attackers leave behind where they can, by its names and keys."""
    sockets: frozenset[str]
    host_name: str
    core_pattern: str
    limits: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Burden:
    """What this process and the machine hold; may vary a little."""

    descriptors: int
    threads: int
    rss_mib: int
    disk_mib: int


def look(tree: Path, tmp: Path) -> Outside:
    """Everything, now."""
    names = ("NOFILE", "NPROC", "DATA", "CORE", "FSIZE")
    return Outside(
        _digest(tree),
        repr(sorted(os.environ.items())),
        tuple(_marks()),
        frozenset(line for line in _lines("/proc/net/unix").splitlines() if f"{tmp}/" in line),
        os.uname().nodename,
        _lines("/proc/sys/kernel/core_pattern"),
        tuple(resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in names),
    )


def weigh(tree: Path) -> Burden:
    """The burden, now."""
    pages = int(_lines("/proc/self/statm").split()[1])
    return Burden(
        len(os.listdir("/proc/self/fd")),
        threading.active_count(),
        pages * os.sysconf("SC_PAGE_SIZE") // MIB,
        shutil.disk_usage(tree).free // MIB,
    )


def _digest(tree: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted([tree, *tree.rglob("*")]):
        status = path.lstat()
        facts = (path, status.st_mode, status.st_uid, status.st_size, status.st_mtime_ns)
        digest.update(repr(facts).encode())
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _marks() -> Iterator[str]:
    for folder in ("/", "/dev", "/dev/shm", "/tmp", "/var/tmp", "/run", "/opt"):
        yield from (f"{folder}/{n}" for n in os.listdir(folder) if re.match("mark|big[0-9]", n))
    for kind in ("shm", "msg", "sem"):
        yield from (line for line in _lines(f"/proc/sysvipc/{kind}").splitlines() if KEY in line)


def groups_named(names: Iterable[str]) -> list[str]:
    """Control groups with these names that still exist."""
    wanted = set(names)
    return [
        f"{folder}/{name}"
        for folder, inside, _ in os.walk("/sys/fs/cgroup")
        for name in inside
        if name in wanted
    ]


def _lines(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""
