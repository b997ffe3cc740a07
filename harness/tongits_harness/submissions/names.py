"""Which names the entries of a submission may have, alone and beside each other."""

import re
import unicodedata

from tongits_harness.submissions.entries import Entry, UnpackLimits, mebibytes, refused

_DRIVE = re.compile(r"^[A-Za-z]:")


class EntryRules:
    """Looks at the entries of one submission in turn; refuses the first that breaks a rule."""

    def __init__(self, title: str, limits: UnpackLimits) -> None:
        self._title = title
        self._limits = limits
        self._names: dict[str, tuple[str, bool]] = {}
        """Folded path -> (path, whether it is a folder)."""
        self._explicit: set[str] = set()
        self._count = 0
        self._bytes = 0

    def accept(self, entry: Entry) -> None:
        """Do nothing, unless the entry or all so far break a rule.

        Raises:
            SubmissionRefusedError: They do.
        """
        self._check_count()
        name = entry.name.removesuffix("/") if entry.is_folder else entry.name
        self._check_name(name)
        self._check_neighbours(name, is_folder=entry.is_folder)
        self._check_size(name, entry.size)

    def _check_count(self) -> None:
        self._count += 1
        if self._count > self._limits.entries:
            raise refused(
                self._title,
                f"has more than {self._limits.entries} files and folders",
                "leave out what is made by building or fetching (exclude in bot.toml), or pack data"
                " into fewer files",
            )

    def _check_name(self, name: str) -> None:
        if problem := name_problem(name, self._limits):
            rule, cure = problem
            raise refused(self._title, rule, cure, entry=name)

    def _check_neighbours(self, name: str, *, is_folder: bool) -> None:
        parts = name.split("/")
        for depth in range(1, len(parts)):
            self._claim("/".join(parts[:depth]), is_folder=True)
        self._claim(name, is_folder=is_folder)
        if name in self._explicit:
            raise refused(self._title, "is there twice", "keep one of them", entry=name)
        self._explicit.add(name)

    def _claim(self, path: str, *, is_folder: bool) -> None:
        other, other_is_folder = self._names.setdefault(folded(path), (path, is_folder))
        if other != path:
            raise refused(
                self._title,
                f"differs from {other!r} only in upper and lower case or in how its letters are"
                " composed",
                "give one of them another name",
                entry=path,
            )
        if other_is_folder != is_folder:
            raise refused(
                self._title, "is both a file and a folder", "keep one of them", entry=path
            )

    def _check_size(self, name: str, size: int) -> None:
        limits = self._limits
        if size > limits.file_bytes:
            raise refused(
                self._title,
                f"has {mebibytes(size)}, a file may have {mebibytes(limits.file_bytes)}",
                "make it smaller, split it, or leave it out (exclude in bot.toml)",
                entry=name,
            )
        self._bytes += size
        if self._bytes > limits.total_bytes:
            raise refused(
                self._title,
                f"is with this entry larger than {mebibytes(limits.total_bytes)} altogether",
                "leave out what the bot does not need (exclude in bot.toml)",
                entry=name,
            )


def name_problem(name: str, limits: UnpackLimits) -> tuple[str, str] | None:
    """The rule that a path breaks by itself, and the cure; None if it breaks none."""
    parts = name.split("/")
    if not name:
        return "has an empty name", "remove it"
    if name.startswith("/") or _DRIVE.match(name):
        return "has an absolute name", "pack the folder itself, with names relative to it"
    if "\\" in name:
        return "has a backslash in its name", "write paths with '/', and no file name with '\\'"
    if ".." in parts:
        return "leads out of the folder by '..'", "pack the folder itself, with names inside it"
    if "" in parts or "." in parts:
        return "has an empty name or '.' in its path", "pack it again with plain names"
    if not name.isprintable():
        return "has a name that is not printable UTF-8", "rename it"
    if len(parts) > limits.depth:
        return f"lies more than {limits.depth} folders deep", "flatten the folders"
    if max(len(part.encode()) for part in parts) > limits.name_bytes:
        return f"has a name of more than {limits.name_bytes} bytes", "shorten it"
    if len(name.encode()) > limits.path_bytes:
        return f"has a path of more than {limits.path_bytes} bytes", "shorten it"
    return None


def folded(path: str) -> str:
    """What two names must differ in: they are one on file systems that ignore case or compose."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", path).casefold())
