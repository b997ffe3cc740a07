"""One run at a time in a results folder: an flock that the kernel drops when its holder dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
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
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"process {os.getpid()}, started {started}\n".encode(), 0)
