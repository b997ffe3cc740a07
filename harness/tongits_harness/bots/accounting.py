"""What a bot and all it has started use right now, read from /proc; and who they are to the host.

Nothing here needs a control group. Where /proc is missing, everything is 0.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_GONE = (FileNotFoundError, ProcessLookupError, PermissionError)
_NS_PER_TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024


def children_of(pid: int) -> tuple[int, ...]:
    """Pids of the live children of all threads of a process."""
    found: list[int] = []
    for task in _tasks(pid):
        with suppress(*_GONE):
            found += map(int, (task / "children").read_text().split())
    return tuple(found)


def parent_of(pid: int) -> int | None:
    """Pid of a process's parent; None if it is gone."""
    with suppress(*_GONE):
        return int(_stat(pid)[1])
    return None


def family_of(pid: int) -> tuple[int, ...]:
    """A process and its live descendants; from a namespace's init, everything in it."""
    found, waiting = [], [pid]
    while waiting:
        member = waiting.pop()
        found.append(member)
        waiting += children_of(member)
    return tuple(found)


def host_uids_of(pid: int) -> tuple[int, ...]:
    """Real, effective, saved and file-system uid; empty if the process is gone."""
    with suppress(*_GONE):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("Uid:"):
                return tuple(map(int, line.split()[1:]))
    return ()


def cpu_time_ns(pid: int) -> int:
    """CPU time of a family: live processes by the kernel's clock, waited-for children by ticks."""
    return sum(process_ns(member) + _children_ns(member) for member in family_of(pid))


def run_queue_waits_ns(pid: int) -> dict[int, int]:
    """Live threads of a family, and how long each has waited for a CPU while ready to run."""
    waits: dict[int, int] = {}
    for member in family_of(pid):
        for task in _tasks(member):
            with suppress(*_GONE):
                waits[int(task.name)] = int((task / "schedstat").read_text().split()[1])
    return waits


def rss_kib(pid: int) -> int:
    """Resident memory of a family; pages shared within it count once for each process."""
    return sum(map(process_rss_kib, family_of(pid)))


def process_rss_kib(pid: int) -> int:
    """Resident memory of one process."""
    with suppress(*_GONE):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_KIB
    return 0


def memory_kib(pid: int) -> int:
    """Memory a family takes: private and shared pages, each once; files it maps left out."""
    return sum(map(_proportional_kib, family_of(pid)))


def _proportional_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # gone, or its memory is just being taken down
        return 0
    sizes = {name: int(rest.split()[0]) for name, _, rest in (x.partition(":") for x in lines[1:])}
    return sizes.get("Pss_Anon", 0) + sizes.get("Pss_Shmem", 0)


def _tasks(pid: int) -> Iterator[Path]:
    with suppress(*_GONE):
        yield from Path(f"/proc/{pid}/task").iterdir()


def process_ns(pid: int) -> int:
    """CPU time of one live process."""
    try:
        return time.clock_gettime_ns(
            ~pid << 3 | 2
        )  # CPUCLOCK_SCHED of a process: clock_getcpuclockid(3)
    except OSError:
        return 0


def _children_ns(pid: int) -> int:
    with suppress(*_GONE):
        fields = _stat(pid)
        return (int(fields[13]) + int(fields[14])) * _NS_PER_TICK
    return 0


def _stat(pid: int) -> list[str]:
    """The fields of /proc/pid/stat from the state on, which is number 0 here."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
