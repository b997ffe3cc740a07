"""Whether an open database is still the file that its path names.

SQLite goes on writing into a file that was deleted, and nobody would ever see what it wrote.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tongits_harness.errors import CannotContinueError


@dataclass(frozen=True, slots=True)
class InPlace:
    """A database file as it was when it was opened."""

    path: Path
    identity: tuple[int, int] | None
    """Device and inode."""

    @classmethod
    def taken(cls, path: Path) -> Self:
        """As it is now; to be called once the database is open."""
        return cls(path, _identity(path))

    def check(self) -> None:
        """Does nothing, unless it is gone or another file has taken its place.

        Raises:
            CannotContinueError: It is; says what is lost.
        """
        now = _identity(self.path)
        if now == self.identity:
            return
        what = "was deleted or moved away" if now is None else "was replaced by another file"
        raise CannotContinueError(
            f"{self.path} {what} while the run was writing to it: what it held is lost unless you"
            " have it elsewhere; put the file back together with its -wal (if it was moved, under"
            " its old name) and go on with `tongits resume`, or begin anew with `tongits run`"
        )


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
