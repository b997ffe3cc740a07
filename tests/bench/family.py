"""CPU time of a run and of its bots, watched from outside through /proc while it plays."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_PERIOD_S = 0.25
_OURS = "tongits_harness"
_GONE = (FileNotFoundError, ProcessLookupError)


@dataclass(frozen=True, slots=True)
class Used:
    """CPU seconds since the start, at one moment."""

    at: float
    """Seconds since the epoch, as the results have them."""
    main: float = 0.0
    """Of the main threads of the harness's processes."""
    harness: float = 0.0
    """Of all their threads."""
    bots: float = 0.0
    """Of everything else that they have started."""
    bot_kib: int = 0
    """Resident memory of the bots, pages shared by them counted for each."""
    harness_kib: int = 0

    def minus(self, before: "Used") -> "Used":
        return Used(
            self.at - before.at,
            self.main - before.main,
            self.harness - before.harness,
            self.bots - before.bots,
        )


class Watch:
    """Looks at a process and all below it until told to stop; a look costs some milliseconds."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._last: dict[int, tuple[str, float, float]] = {}
        self.looks: list[Used] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Looks a last time."""
        self._stop.set()
        self._thread.join()
        self.looks.append(self._look())

    def between(self, start: float, end: float) -> Used:
        """What was used from one moment to another, looks being joined by straight lines."""
        return self._at(end).minus(self._at(start))

    def _at(self, moment: float) -> Used:
        for before, after in pairwise(self.looks):
            if before.at <= moment <= after.at:
                share = (moment - before.at) / (after.at - before.at)
                return Used(
                    moment,
                    before.main + share * (after.main - before.main),
                    before.harness + share * (after.harness - before.harness),
                    before.bots + share * (after.bots - before.bots),
                )
        return self.looks[-1] if moment > self.looks[-1].at else self.looks[0]

    def _run(self) -> None:
        self.looks.append(self._look())
        while not self._stop.wait(_PERIOD_S):
            self.looks.append(self._look())

    def _look(self) -> Used:
        """Processes that are gone count as they were seen last."""
        kib = {"harness": 0, "bots": 0}
        for pid in (self._pid, *_descendants(self._pid)):
            with suppress(*_GONE):
                kind = _kind(pid) or self._last.get(pid, ("bots",))[0]
                self._last[pid] = (kind, _main_s(pid), cpu_s(pid))
                kib[kind] += _rss_kib(pid)
        values = tuple(self._last.values())
        return Used(
            time.time(),
            main=sum(main for kind, main, _ in values if kind == "harness"),
            harness=sum(every for kind, _, every in values if kind == "harness"),
            bots=sum(every for kind, _, every in values if kind == "bots"),
            bot_kib=kib["bots"],
            harness_kib=kib["harness"],
        )


def _descendants(pid: int) -> Iterator[int]:
    waiting = [pid]
    while waiting:
        for task in _tasks(waiting.pop()):
            with suppress(*_GONE):
                found = [int(word) for word in (task / "children").read_text().split()]
                waiting += found
                yield from found


def _tasks(pid: int) -> list[Path]:
    with suppress(*_GONE):
        return list(Path(f"/proc/{pid}/task").iterdir())
    return []


def _kind(pid: int) -> str | None:
    """A Python that runs a module of the harness, or anything else; None once it has ended."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    if words == [""]:
        return None
    is_ours = len(words) > 2 and words[1] == "-m" and words[2].startswith(_OURS)
    return "harness" if is_ours else "bots"


def _main_s(pid: int) -> float:
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9


def cpu_s(pid: int) -> float:
    """CPU seconds of one process, all its threads, in steps of a clock tick."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def _rss_kib(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024
