"""One run at a time in a results folder: an flock that the kernel drops when its holder dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from tongits_harness.errors import CannotContinueError


@contextmanager
def hold_lock(results_dir: Path) -> Iterator[None]:
    """Hold `results/lock` until the block ends; the file names the holder and is left behind.

    Raises:
        CannotContinueError: Another run holds it, or the folder cannot be written.
    """
    path = results_dir / "lock"
    if results_dir.exists() and not results_dir.is_dir():
        raise CannotContinueError(
            f"{results_dir} is no folder; name a folder for the results with --results"
        )
    try:
        results_dir.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise CannotContinueError(
            f"cannot open the lock {path}: {error.strerror}; make the folder writable or choose"
            " another with --results"
        ) from error
    try:
        _take(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def holder(results_dir: Path) -> str | None:
    """Who holds the lock, in words; None if nobody does, or where the system does not tell.

    It only looks (in /proc/locks): trying the lock would get in the way of a run that begins.
    """
    path = results_dir / "lock"
    try:
        inode = path.stat().st_ino
        locks = Path("/proc/locks").read_text(encoding="ascii")
        words = path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None
    held = any(
        "FLOCK" in line and any(word.endswith(f":{inode}") for word in line.split())
        for line in locks.splitlines()
    )
    return (words or "holder unknown") if held else None


def _take(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 200, 0).decode("utf-8", "replace").strip()
        raise CannotContinueError(
            f"another run is writing to {path.parent} ({holder or 'holder unknown'}): wait until it"
            " ends or choose another folder with --results"
        ) from None
    started = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    with suppress(OSError):  # on a full disk the lock holds without the name of its holder
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()}, started {started}\n".encode(), 0)
