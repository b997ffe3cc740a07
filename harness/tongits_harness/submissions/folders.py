"""A folder as a submission: walked by descriptors, without following a link anywhere."""

import os
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tongits_harness.errors import BotError, ConfigError
from tongits_harness.submissions.entries import CHUNK, Entry, LeaveOut, refused

MANIFEST_BYTES = 64 * 1024
"""Largest manifest that is read."""
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
}


class FolderSource:
    """The files below a folder, as they are when they are read."""

    def __init__(self, folder: Path, *, title: str, manifest_name: str) -> None:
        self.title = title
        self._folder = folder
        self._manifest_name = manifest_name

    def manifest(self) -> bytes:
        """As `Source.manifest`."""
        name = self._manifest_name
        top = self._open_top()
        try:
            size = os.stat(name, dir_fd=top, follow_symlinks=False).st_size
            check_manifest_size(size, self.title, name)
            return b"".join(_read(top, name, name, self.title))[:MANIFEST_BYTES]
        except FileNotFoundError:
            raise missing_manifest(self.title, name) from None
        finally:
            os.close(top)

    def entries(self, leave_out: LeaveOut) -> Iterator[Entry]:
        """As `Source.entries`."""
        top = self._open_top()
        try:
            yield from self._below(top, "", leave_out)
        finally:
            os.close(top)

    def _open_top(self) -> int:
        try:
            return os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise ConfigError(
                f"{self.title}: {error.strerror}; name a folder, a .zip, or a clone and --commit"
            ) from error

    def _below(self, folder: int, below: str, leave_out: LeaveOut) -> Iterator[Entry]:
        for name in sorted(self._names(folder, below)):
            path = f"{below}{name}"
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            is_folder = stat.S_ISDIR(status.st_mode)
            if leave_out(path, is_folder):
                continue
            check_mode(self.title, path, status.st_mode)
            if not is_folder:
                chunks = partial(_read, folder, name, path, self.title)
                executable = bool(status.st_mode & stat.S_IXUSR)
                yield Entry(path, False, status.st_size, executable, chunks)
                continue
            yield Entry(path, is_folder=True)
            inner = self._open(name, folder, path)
            try:
                yield from self._below(inner, f"{path}/", leave_out)
            finally:
                os.close(inner)

    def _names(self, folder: int, below: str) -> list[str]:
        try:
            return os.listdir(folder)
        except OSError as error:
            raise _unreadable(self.title, below, error) from error

    def _open(self, name: str, folder: int, path: str) -> int:
        try:
            return os.open(name, _FOLDER, dir_fd=folder)
        except OSError as error:
            raise _unreadable(self.title, path, error) from error


def check_mode(title: str, name: str, mode: int) -> None:
    """Do nothing, unless a Unix mode is that of something other than a plain file or folder.

    Raises:
        SubmissionRefusedError: A link, device, pipe or socket, or a file that sets user or group.
    """
    kind = stat.S_IFMT(mode)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        what = _KINDS.get(kind, "a special file")
        raise refused(
            title,
            f"is {what}",
            "only regular files and folders are taken: put a copy of the file there, or remove it",
            entry=name,
        )
    if kind != stat.S_IFDIR and mode & (stat.S_ISUID | stat.S_ISGID):
        raise refused(
            title, "has the setuid or setgid bit", f"take it away: chmod ug-s {name!a}", entry=name
        )


def missing_manifest(title: str, name: str) -> BotError:
    """The refusal of what has no manifest."""
    return refused(
        title,
        f"holds no {name}",
        "every bot needs a manifest at its top (sample_bots/README.md shows one)",
    )


def check_manifest_size(size: int, title: str, name: str) -> None:
    """Do nothing, unless a file is too large for a manifest.

    Raises:
        SubmissionRefusedError: It is.
    """
    if size > MANIFEST_BYTES:
        raise refused(title, "is larger than 64 KiB", "keep only the manifest in it", entry=name)


def _read(folder: int, name: str, path: str, title: str) -> Iterator[bytes]:
    try:
        descriptor = os.open(name, _FILE, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _unreadable(title, path, error) from error
    with open(descriptor, "rb") as stream:
        check_mode(title, path, os.fstat(descriptor).st_mode)
        while chunk := stream.read(CHUNK):
            yield chunk


def _unreadable(title: str, name: str, error: OSError) -> BotError:
    return refused(
        title, f"cannot be read ({error.strerror})", "make it readable", entry=name or "."
    )
