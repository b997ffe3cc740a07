"""A commit of a local git clone as a submission: the files it names, whatever is checked out."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tongits_harness.errors import BotError, ConfigError
from tongits_harness.submissions.entries import Entry, LeaveOut, UnpackLimits, refused
from tongits_harness.submissions.folders import (
    check_manifest_size,
    check_mode,
    missing_manifest,
)
from tongits_harness.submissions.git_objects import Header, ObjectReader, open_objects

_REVISION = re.compile(r"^([A-Za-z0-9_][A-Za-z0-9._/+-]{0,199})((?:[~^][0-9]{0,4}){0,20})$")
_ID = re.compile(r"^[0-9a-f]{40}$")
_SHORT_ID = re.compile(r"^[0-9a-fA-F]{4,40}$")
_PLACES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}")
_LARGEST_TREE = 4 << 20
_LARGEST_PACKED_REFS = 16 << 20
_SUBMODULE = 0o160000
_OPEN = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Clone:
    """Where a clone keeps its things, and the folder in it that is meant."""

    git: Path
    """Its folder `.git`."""
    below: str
    """Path of the bot in it, with forward slashes; empty for its top."""


class GitSource:
    """The tree of a commit."""

    def __init__(
        self, reader: ObjectReader, tree: str, *, title: str, manifest_name: str, commit: str
    ) -> None:
        self.title = title
        self.commit = commit
        """The full id of the commit."""
        self._reader = reader
        self._tree = tree
        self._manifest_name = manifest_name

    def manifest(self) -> bytes:
        """As `Source.manifest`."""
        for name, mode, id_ in self.children(self._tree, "."):
            if name == self._manifest_name:
                check_mode(self.title, name, mode)
                header = self._header(id_, name, "blob")
                check_manifest_size(header.size, self.title, name)
                return b"".join(self._reader.chunks(header))
        raise missing_manifest(self.title, self._manifest_name)

    def entries(self, leave_out: LeaveOut) -> Iterator[Entry]:
        """As `Source.entries`."""
        yield from self._below(self._tree, "", leave_out)

    def _below(self, tree: str, below: str, leave_out: LeaveOut) -> Iterator[Entry]:
        for name, mode, id_ in self.children(tree, below or "."):
            path = f"{below}{name}"
            is_folder = stat.S_ISDIR(mode)
            if leave_out(path, is_folder):
                continue
            if stat.S_IFMT(mode) == _SUBMODULE:
                raise refused(
                    self.title,
                    "is a submodule",
                    "its files belong to another repository: submit them in a folder or a .zip",
                    entry=path,
                )
            check_mode(self.title, path, mode)
            if is_folder:
                yield Entry(path, is_folder=True)
                yield from self._below(id_, f"{path}/", leave_out)
            else:
                header = self._header(id_, path, "blob")
                executable = bool(mode & stat.S_IXUSR)
                yield Entry(
                    path, False, header.size, executable, partial(self._reader.chunks, header)
                )

    def children(self, tree: str, path: str) -> list[tuple[str, int, str]]:
        """(name, mode, object id) of everything directly in a tree."""
        header = self._header(tree, path, "tree")
        if header.size > _LARGEST_TREE:
            raise refused(self.title, "has too many entries in one folder", "split it", entry=path)
        data = b"".join(self._reader.chunks(header))
        found: list[tuple[str, int, str]] = []
        place = 0
        while place < len(data):
            blank, end = data.find(b" ", place), data.find(b"\0", place)
            octal = data[place:blank]
            if not place < blank < end or end + 21 > len(data) or not octal.isdigit():
                raise self._damaged(path)
            name = os.fsdecode(data[blank + 1 : end])
            found.append((name, int(octal, 8), data[end + 1 : end + 21].hex()))
            place = end + 21
        return found

    def _header(self, id_: str, path: str, kind: str) -> Header:
        header = self._reader.header(id_)
        if header is None or header.kind != kind or header.id != id_:
            raise self._damaged(path)
        return header

    def _damaged(self, path: str) -> BotError:
        return refused(
            self.title,
            "is missing in the clone, or damaged",
            "look with `git fsck`; a shallow or partial clone must be fetched whole",
            entry=path,
        )


@contextmanager
def open_clone(
    path: Path, revision: str, *, title: str, manifest_name: str, limits: UnpackLimits
) -> Iterator[GitSource]:
    """The files of a commit of the clone that a path lies in.

    Raises:
        ConfigError: There is no clone or no such commit.
        SubmissionRefusedError: The clone cannot be read.
    """
    clone = find_clone(path, title)
    start = _resolve(clone.git, revision, title)
    with open_objects(clone.git / "objects", title=title, limits=limits) as reader:
        commit, tree = _tree_of(reader, start, revision, title)
        for part in filter(None, clone.below.split("/")):
            source = GitSource(reader, tree, title=title, manifest_name="", commit=commit)
            tree = _folder_in(source, tree, part, title)
        yield GitSource(reader, tree, title=title, manifest_name=manifest_name, commit=commit)


def find_clone(path: Path, title: str) -> Clone:
    """The clone whose top is a path, or lies above it.

    Raises:
        ConfigError: There is none, or it keeps its objects elsewhere.
    """
    start = path.absolute()
    for top in (start, *start.parents):
        for git in (top / ".git", top):
            if (git / "objects").is_dir() and (git / "HEAD").is_file():
                _refuse_borrowed(git, title)
                return Clone(git, "" if top == start else start.relative_to(top).as_posix())
        if (top / ".git").is_file():
            raise ConfigError(
                f"{title}: is a git worktree or submodule, whose objects lie elsewhere; name the"
                " main clone, or make one with `git clone`"
            )
    raise ConfigError(
        f"{title}: there is no git clone; --commit needs one (a folder or a .zip goes without)"
    )


def _refuse_borrowed(git: Path, title: str) -> None:
    if (git / "objects/info/alternates").exists() or (git / "objects").is_symlink():
        raise ConfigError(
            f"{title}: the clone borrows objects from another one; make it whole with"
            " `git repack -a -d` and remove .git/objects/info/alternates"
        )


def _resolve(git: Path, revision: str, title: str) -> str:
    """The revision in words that need no references: an object's id with its suffixes."""
    match = _REVISION.match(revision)
    if match is None or ".." in revision:
        raise ConfigError(
            f"--commit {revision!r}: is no commit; give its id, a branch, a tag or HEAD"
        )
    base, suffix = match.groups()
    found = _reference(git, base)
    if found is None and not _SHORT_ID.match(base):
        raise ConfigError(
            f"{title}: has no branch, tag or commit {base!r}; `git log --all --oneline` lists some"
        )
    return f"{found or base.lower()}{suffix}"


def _reference(git: Path, name: str) -> str | None:
    packed = _packed_references(git)
    for place in _PLACES:
        full = place.format(name)
        if full == "HEAD" or full.startswith("refs/"):
            for _ in range(3):
                text = _small_text(git, full) or packed.get(full, "")
                if _ID.match(text):
                    return text
                if not text.startswith("ref: refs/") or ".." in text:
                    break
                full = text.removeprefix("ref: ")
    return None


def _packed_references(git: Path) -> dict[str, str]:
    lines = _text(git / "packed-refs", _LARGEST_PACKED_REFS).splitlines()
    pairs = [line.split(" ", 1) for line in lines if line[:1] not in {"#", "^"}]
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def _small_text(git: Path, name: str) -> str:
    return _text(git / name, 1024).strip()


def _text(path: Path, most: int) -> str:
    try:
        descriptor = os.open(path, _OPEN)
    except OSError:
        return ""
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return file.read(most).decode("ascii", "replace")


def _tree_of(reader: ObjectReader, start: str, revision: str, title: str) -> tuple[str, str]:
    """Ids of the commit and of its tree."""
    header = reader.header(f"{start}^{{commit}}")
    if header is None or header.kind != "commit" or header.size > _LARGEST_TREE:
        raise ConfigError(
            f"{title}: has no commit {revision!r}; `git log --all --oneline` lists commits"
        )
    first = b"".join(reader.chunks(header)).split(b"\n", 1)[0].decode("ascii", "replace")
    tree = first.removeprefix("tree ")
    if not _ID.match(tree):
        raise refused(title, f"its commit {header.id} is damaged", "look with `git fsck`")
    return header.id, tree


def _folder_in(source: GitSource, tree: str, name: str, title: str) -> str:
    for child, mode, id_ in source.children(tree, name):
        if child == name and stat.S_ISDIR(mode):
            return id_
    raise ConfigError(f"{title}: that commit has no such folder; name one that it has")
