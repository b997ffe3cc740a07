"""Folders of a control-group file system: made, locked for life, read, removed, swept.

A group is named `tongits-bot-` and a random word; while its harness lives, it holds a lock on the
folder, so that a later run can tell what a killed one has left behind. No pid is asked: numbers are
used again, and mean nothing across containers.
"""

import errno
import fcntl
import os
import re
import secrets
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
_TRIES = 3
"""Times that making a group is tried again."""
_PREFIX = "tongits-bot-"
_NAME = re.compile(_PREFIX + "[0-9a-f]{12}")
_SWEEP_DEPTH = 6
"""How far below its root a group of ours is looked for."""
_JOIN_SCRIPT = (
    'n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 >"$1" || exit 125; shift; n=$((n-1)); done; '
    'unset PWD; exec "$@"'
)
"""Moves itself into every group named, then becomes the rest of its arguments; PWD is the shell's
own addition to the environment."""


def join_words(folders: Sequence[Path]) -> tuple[str, ...]:
    """The command prefix that joins these groups."""
    files = (str(folder / "cgroup.procs") for folder in folders)
    return ("/bin/sh", "-c", _JOIN_SCRIPT, "sh", str(len(folders)), *files)


def new_name() -> str:
    """A name that no other group has."""
    return f"{_PREFIX}{secrets.token_hex(6)}"


def make_locked(folder: Path) -> int:
    """Makes a group and returns the descriptor that keeps it locked.

    Raises:
        OSError: It cannot be made or locked.
    """
    folder.mkdir()
    try:
        return _lock(folder)
    except OSError:
        with suppress(OSError):
            folder.rmdir()
        raise


def made_anew(make: Callable[[], T]) -> T:
    """What a function makes under a new name each time, tried again if a sweep has met it.

    The sweep of another harness may come between the making of a group and its lock.

    Raises:
        OSError: It cannot be made.
    """
    for _ in range(_TRIES):
        with suppress(FileNotFoundError, BlockingIOError):
            return make()
    return make()


def _lock(folder: Path) -> int:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.stat()  # a sweep between the two steps would have taken it away
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def read_number(file: Path, key: str = "") -> int | None:
    """The number in a file, or behind a key in a file of `key number` lines; None if it is not."""
    with suppress(OSError, ValueError):
        text = file.read_text()
        if not key:
            return int(text)
        for line in text.splitlines():
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
    return None


def members(folder: Path) -> tuple[int, ...]:
    """Pids in a group."""
    with suppress(OSError, ValueError):
        return tuple(map(int, (folder / "cgroup.procs").read_text().split()))
    return ()


def kill_members(folder: Path) -> None:
    """SIGKILL for each process in a group."""
    for pid in members(folder):
        if pid > 0:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def remove(folder: Path) -> bool:
    """Removes an empty group; False if something is still in it."""
    try:
        folder.rmdir()
    except OSError as error:
        return error.errno == errno.ENOENT
    return True


def sweep(roots: Sequence[Path]) -> None:
    """Removes groups that no living harness holds, with what is left in them.

    Args:
        roots: Where groups may lie; they are locked at the first of the roots.
    """
    for root in reversed(roots):
        for folder in _ours(root, _SWEEP_DEPTH):
            if not _is_held(folder.name, folder if root == roots[0] else None, roots[0]):
                kill_members(folder)
                remove(folder)


def _is_held(name: str, folder: Path | None, locked_root: Path) -> bool:
    places = [folder] if folder else [f for f in _ours(locked_root, _SWEEP_DEPTH) if f.name == name]
    for place in places:
        try:
            os.close(_lock(place))
        except BlockingIOError:
            return True
        except OSError:
            continue
    return False


def _ours(root: Path, depth: int) -> Iterator[Path]:
    with suppress(OSError):
        for entry in os.scandir(root):
            if entry.is_dir(follow_symlinks=False):
                if _NAME.fullmatch(entry.name):
                    yield Path(entry.path)
                elif depth:
                    yield from _ours(Path(entry.path), depth - 1)
