"""What a step of a build takes of the disk: looked at, for nothing else bounds a folder.

Everything here walks by descriptors and follows no link: what it walks is being written by programs
nobody trusts.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from tongits_harness.bots.build.values import BuildLimits

DEEPEST = 100
"""Folders within each other; package managers stay below 30."""
_LOOK_S = 0.2
"""Between two looks at how much of the disk is free, which cost microseconds."""
_MEASURE_S = 5.0
"""Between two walks, whatever is free."""
_MIB = 1 << 20
_BLOCK = 512
_KEEP_FREE = 256 * _MIB
"""Of the disk itself; a step is ended rather than let it run full."""
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a folder that is walked."""

    name: str
    """Path below the folder that is walked."""
    status: os.stat_result
    link: str = ""
    """Where it leads, if it is a symbolic link."""

    @property
    def is_folder(self) -> bool:
        """A folder."""
        return stat.S_ISDIR(self.status.st_mode)

    @property
    def is_file(self) -> bool:
        """A regular file."""
        return stat.S_ISREG(self.status.st_mode)


class TooDeepError(Exception):
    """Folders lie within each other beyond `DEEPEST`."""


def walk(folder: Path, skip: frozenset[str] = frozenset()) -> Iterator[Entry]:
    """Everything below a folder, links unfollowed, folders before what they hold.

    What vanishes meanwhile is passed over.

    Raises:
        TooDeepError: See there.
        OSError: The folder itself cannot be opened.
    """
    descriptor = os.open(folder, _OPEN_FOLDER)
    try:
        yield from _walk(descriptor, "", 1, skip)
    finally:
        os.close(descriptor)


def _walk(folder: int, below: str, depth: int, skip: frozenset[str]) -> Iterator[Entry]:
    if depth > DEEPEST:
        raise TooDeepError
    for name in sorted(_names(folder) - skip):
        with suppress(FileNotFoundError, NotADirectoryError):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            is_link = stat.S_ISLNK(status.st_mode)
            link = os.readlink(name, dir_fd=folder) if is_link else ""
            entry = Entry(below + name, status, link)
            yield entry
            if entry.is_folder:
                inner = os.open(name, _OPEN_FOLDER, dir_fd=folder)
                try:
                    yield from _walk(inner, f"{below}{name}/", depth + 1, skip)
                finally:
                    os.close(inner)


def _names(folder: int) -> set[str]:
    with os.scandir(folder) as entries:
        return {entry.name for entry in entries}


def problem_of(folder: Path, limits: BuildLimits) -> str:
    """Which limit a folder has passed, in words; empty if none."""
    used = count = 0
    try:
        for entry in walk(folder):
            used += entry.status.st_blocks * _BLOCK
            count += 1
            if used > limits.disk_mib * _MIB:
                return f"it wrote more than {limits.disk_mib} MiB"
            if count > limits.files:
                return f"it made more than {limits.files} files"
    except TooDeepError:
        return f"it made folders more than {DEEPEST} deep"
    except OSError as error:
        return f"its folder could not be looked at ({error.strerror})"
    return ""


async def watch_disk(folder: Path, limits: BuildLimits, stop: Callable[[str], None]) -> None:
    """Task: calls `stop` with the reason when a folder has passed a limit, until cancelled."""
    free_then, measured = _free(folder), trio.current_time()
    while True:
        await trio.sleep(_LOOK_S)
        free = _free(folder)
        if free < _KEEP_FREE < free_then:
            stop("the disk was about to run full")
            return
        has_grown = free_then - free > limits.disk_mib * _MIB
        if has_grown or trio.current_time() - measured > _MEASURE_S:
            if problem := await trio.to_thread.run_sync(problem_of, folder, limits):
                stop(problem)
                return
            measured = trio.current_time()


def _free(folder: Path) -> int:
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize
