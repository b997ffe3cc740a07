"""From the folder a build has left to a tree of plain files: copied, never trusted, never followed.

By now nothing of the build runs any more. Links are resolved in the list of what was found, not by
the kernel, so that none can lead outside.
"""

import os
import posixpath
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tongits_harness.bots.build.disk import DEEPEST, Entry, TooDeepError, walk
from tongits_harness.bots.folder import SKIPPED_FOLDERS
from tongits_harness.text import safe_text

INSIDE = "/bot"
"""Where a build in a sandbox sees its folder; absolute links below it stay inside."""
_MIB = 1 << 20
_MOST_FILES = 100_000
_MOST_HOPS = 40
_MOST_NAMED = 20


class ExportError(Exception):
    """The tree cannot be kept; the text says why and what to do."""


@dataclass(slots=True)
class _Export:
    source: Path
    target: Path
    owner: int | None
    tree_mib: int
    entries: dict[str, Entry] = field(default_factory=dict)
    inside: dict[str, list[str]] = field(default_factory=dict)
    """Names of what each folder holds."""
    dropped: list[str] = field(default_factory=list)
    used: int = 0
    count: int = 0

    def read(self) -> None:
        """Lists all that is there."""
        try:
            for entry in walk(self.source, SKIPPED_FOLDERS):
                self.entries[entry.name] = entry
                self.inside.setdefault(posixpath.dirname(entry.name), []).append(entry.name)
        except TooDeepError:
            raise ExportError(f"it left folders more than {DEEPEST} deep; remove them") from None

    def copy(self, folder: str, place: str, within: tuple[str, ...]) -> None:
        """Copies what a folder holds to a place in the tree."""
        for name in self.inside.get(folder, ()):
            base = f"{place}{posixpath.basename(name)}"
            entry = self._resolve(name)
            if entry is None or not base.isprintable():
                self.dropped.append(base)
            elif entry.is_folder:
                if entry.name in within or len(within) > DEEPEST:
                    self.dropped.append(base)  # a link to a folder that it lies in
                    continue
                (self.target / base).mkdir(mode=0o755)
                self.copy(entry.name, f"{base}/", (*within, entry.name))
            elif entry.is_file:
                self._copy_file(entry, base)
            else:
                self.dropped.append(base)

    def _resolve(self, name: str) -> Entry | None:
        """What a name stands for in the end; None if that is outside, missing or a circle."""
        path, hops = name, 0
        while True:
            changed = False
            parts = path.split("/")
            for number in range(1, len(parts) + 1):
                head = "/".join(parts[:number])
                entry = self.entries.get(head)
                if entry is None:
                    return None
                if entry.link:
                    hops += 1
                    led = _follow(head, entry.link, str(self.source))
                    if led is None or hops > _MOST_HOPS:
                        return None
                    path = posixpath.normpath("/".join([led, *parts[number:]]))
                    changed = True
                    break
            if path == ".":
                return None  # the folder itself: everything, endlessly
            if not changed:
                return self.entries[path]

    def _copy_file(self, entry: Entry, base: str) -> None:
        self.used += entry.status.st_size
        self.count += 1
        if self.used > self.tree_mib * _MIB:
            raise ExportError(
                f"it left more than {self.tree_mib} MiB in the bot's folder; put what the bot does "
                "not need to run into $TONGITS_SCRATCH, or remove it at the end of the build"
            )
        if self.count > _MOST_FILES:
            raise ExportError(
                f"it left more than {_MOST_FILES} files in the bot's folder; remove what the bot "
                "does not need to run at the end of the build"
            )
        with open(_open_file(self.source, entry, self.owner), "rb") as source:
            path = self.target / base
            with path.open("xb") as target:
                shutil.copyfileobj(source, target, _MIB)
            status = os.fstat(source.fileno())
        is_executable = bool(status.st_mode & stat.S_IXUSR)
        os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns))
        path.chmod(0o555 if is_executable else 0o444)


def _follow(name: str, link: str, source: str) -> str | None:
    """Path below the folder that a link leads to; None if that is outside."""
    for root in (INSIDE, source):
        if link == root or link.startswith(f"{root}/"):
            led = posixpath.normpath(link[len(root) :].lstrip("/") or ".")
            return None if led.startswith("..") else led
    if link.startswith("/"):
        return None
    led = posixpath.normpath(posixpath.join(posixpath.dirname(name), link))
    return None if led == ".." or led.startswith("../") else led


def _open_file(folder: Path, entry: Entry, owner: int | None) -> int:
    """Opens one listed file, folder by folder, following nothing."""
    *folders, name = entry.name.split("/")
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    at = os.open(folder, flags | os.O_DIRECTORY)
    try:
        for part in folders:
            inner = os.open(part, flags | os.O_DIRECTORY, dir_fd=at)
            os.close(at)
            at = inner
        descriptor = os.open(name, flags | os.O_NONBLOCK, dir_fd=at)
    finally:
        os.close(at)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or (owner is not None and status.st_uid != owner):
        os.close(descriptor)
        raise ExportError(f"{safe_text(entry.name)} is not a file of the build; remove it")
    return descriptor


def export_tree(source: Path, target: Path, *, owner: int | None, tree_mib: int) -> tuple[str, ...]:
    """Copies what a build has left into an empty folder, as plain read-only files.

    Links to what lies in the folder become copies of it; other links, pipes, sockets and devices
    are left out.

    Args:
        source: The folder the build worked in.
        target: Where the files go.
        owner: Who must own every file; None where the build ran as whoever runs the harness.
        tree_mib: Most it may hold.

    Returns:
        Names of what was left out, safe to show.

    Raises:
        ExportError: It is too much, too deep, or not the build's.
    """
    export = _Export(source, target, owner, tree_mib)
    try:
        export.read()
        export.copy("", "", ())
    except OSError as error:
        name = safe_text(str(error.filename))[:200]
        raise ExportError(f"{name} could not be read ({error.strerror}); remove it") from None
    return tuple(_named(export.dropped))


def _named(dropped: list[str]) -> Iterator[str]:
    yield from (safe_text(name)[:200] for name in dropped[:_MOST_NAMED])
    if len(dropped) > _MOST_NAMED:
        yield f"and {len(dropped) - _MOST_NAMED} more"
