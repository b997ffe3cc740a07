"""What a bot's folder holds: its regular files, read without following links, and their digest.

Nothing here knows what the files mean; `manifest` reads `bot.toml`, `staging` copies.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from tongits_harness.errors import ConfigError

SKIPPED_FOLDERS = frozenset({"__pycache__", ".git"})
"""Left out of the digest and of the staged copy, at any depth."""

_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
}


_RESULTS_MARKS = ("arena.db", "lock", "builds", "logs", "secret", "submissions")
"""A folder `results` at the top of a bot's folder that holds one of these is left out."""


@dataclass(frozen=True, slots=True)
class FolderFile:
    """One regular file of a bot's folder, with what counts of it."""

    name: str
    """Path below the folder, with forward slashes."""
    executable: bool
    content: bytes
    modified_ns: int = 0
    """When it was last changed; no part of the digest, but some runtimes compare it (JVM)."""


def read_folder(folder: Path, exclude: Sequence[str] = ()) -> Iterator[FolderFile]:
    """Every file below a folder, in the order of the sorted relative paths.

    Args:
        folder: Where they are.
        exclude: Names of files and folders that are passed over at any depth; `*` and `?` stand
            for any characters.

    Raises:
        ConfigError: An entry is neither a regular file nor a folder (it is named), its name is no
            UTF-8, or it cannot be read.
    """
    for name in sorted(_file_names(folder, "", exclude)):
        yield _read_file(folder, name)


def digest_of(folder: Path, exclude: Sequence[str] = ()) -> str:
    """The SHA-256 (hex) that names a bot's version: paths, execute bits and contents."""
    return FolderDigest().add_all(read_folder(folder, exclude)).hex()


def is_excluded(name: str, exclude: Sequence[str]) -> bool:
    """Whether a file or folder of this name (the last part of its path) is passed over."""
    return any(fnmatchcase(name, pattern) for pattern in exclude)


class FolderDigest:
    """The running digest over files given in sorted order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, file: FolderFile) -> None:
        """Takes in the next file."""
        mode = "x" if file.executable else "-"
        self._hash.update(f"{file.name}\0{mode}\0{len(file.content)}\0".encode())
        self._hash.update(file.content)

    def add_all(self, files: Iterator[FolderFile]) -> "FolderDigest":
        """Takes in all files and gives itself back."""
        for file in files:
            self.add(file)
        return self

    def hex(self) -> str:
        """The digest of what was taken in so far."""
        return self._hash.hexdigest()


def _is_results(folder: Path, name: str) -> bool:
    """Whether it is where our own results go when a command is called in a bot's folder."""
    return name == "results" and any((folder / name / mark).exists() for mark in _RESULTS_MARKS)


def _file_names(folder: Path, below: str, exclude: Sequence[str]) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder / below))
    except OSError as error:
        raise ConfigError(f"{folder / below}: {error.strerror}; make it readable") from error
    for entry in entries:
        if is_excluded(entry.name, exclude) or _is_results(folder, f"{below}{entry.name}"):
            continue
        name = f"{below}{entry.name}"
        if not name.isprintable():
            raise ConfigError(f"{folder}: {name!r}: not a printable UTF-8 name; rename the file")
        kind = stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode)
        if kind == stat.S_IFDIR:
            if entry.name not in SKIPPED_FOLDERS:
                yield from _file_names(folder, f"{name}/", exclude)
        elif kind == stat.S_IFREG:
            yield name
        else:
            raise _not_a_file(folder / name, kind)


def _read_file(folder: Path, name: str) -> FolderFile:
    path = folder / name
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; make it a readable file") from error
    with open(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        mode = status.st_mode
        if not stat.S_ISREG(mode):
            raise _not_a_file(path, stat.S_IFMT(mode))
        return FolderFile(name, bool(mode & stat.S_IXUSR), stream.read(), status.st_mtime_ns)


def _not_a_file(path: Path, kind: int) -> ConfigError:
    what = _KINDS.get(kind, "a special file")
    return ConfigError(
        f"{path}: is {what}; a bot's folder may hold only regular files and folders: "
        "remove it or put a copy of the file there"
    )
