"""What a run has left on the machine: processes, folders, sockets."""

import os
import time
from collections.abc import Callable
from pathlib import Path


def traces_of(tmp: Path, *, patience_s: float = 5.0) -> list[str]:
    """Everything that still exists of runs whose TMPDIR was `tmp`, given a moment to be gone.

    A bot's processes are known by the staged folder that is mounted in their namespace or is their
    working directory, so that daemons which left every session and parent are found as well.
    """
    seen: list[str] = []

    def is_clean() -> bool:
        seen[:] = [*_processes(tmp), *_files(tmp)]
        return not seen

    wait_until(is_clean, patience_s=patience_s, must=False)
    return seen


def processes_of(tmp: Path) -> list[int]:
    """Pids of the bot processes (their sandbox's too) of runs whose TMPDIR is `tmp`."""
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and entry.name != str(os.getpid()) and _belongs(entry, str(tmp))
    ]


def wait_until(is_true: Callable[[], bool], *, patience_s: float = 30.0, must: bool = True) -> bool:
    """Looks again and again, for files and databases tell nobody when they change."""
    deadline = time.monotonic() + patience_s
    while not is_true():
        if time.monotonic() > deadline:
            assert not must, f"did not come true within {patience_s} s"
            return False
        time.sleep(0.01)
    return True


def _processes(tmp: Path) -> list[str]:
    found = []
    for pid in processes_of(tmp):
        command = _read(Path(f"/proc/{pid}/cmdline")).replace("\0", " ")
        found.append(f"process {pid}: {command}")
    return found


def _belongs(process: Path, tmp: str) -> bool:
    try:
        if (process / "cwd").readlink().is_relative_to(tmp):
            return True
    except OSError:
        pass
    return f"{tmp}/" in _read(process / "mountinfo") or f"{tmp}/tgt-" in _read(process / "cmdline")


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _files(tmp: Path) -> list[str]:
    return [f"file {path}" for path in tmp.glob("*")]
