"""What a submission consists of, whatever it came as, and how a refusal of it reads."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from tongits_harness.errors import BotError
from tongits_harness.text import safe_text

CHUNK = 64 * 1024
"""Bytes that are in memory at once while a file is unpacked."""
_SHOWN = 100


class SubmissionRefusedError(BotError):
    """A submission breaks a rule: names the entry, the rule and the cure. Nothing is left of it."""


@dataclass(frozen=True, slots=True)
class UnpackLimits:
    """How large a submission may be."""

    entries: int = 10_000
    """Files and folders, those that are left out included."""
    file_bytes: int = 64 << 20
    total_bytes: int = 256 << 20
    archive_bytes: int = 128 << 20
    """The .zip itself."""
    depth: int = 32
    """Names in a path."""
    name_bytes: int = 255
    path_bytes: int = 1024
    ratio: int = 200
    """How many times its packed size an entry of more than a mebibyte may have."""
    seconds: float = 120.0
    """How long reading a git clone may take."""


DEFAULT_LIMITS = UnpackLimits()


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file or a folder of a submission."""

    name: str
    """Path with forward slashes, as the submission has it: not checked yet."""
    is_folder: bool
    size: int = 0
    """What the submission says; its content is held to it."""
    is_executable: bool = False
    chunks: Callable[[], Iterator[bytes]] = lambda: iter(())
    """The content, in pieces of at most CHUNK bytes."""


LeaveOut = Callable[[str, bool], bool]
"""Whether a path (given with: is it a folder) is left out, with all that is below it."""


class Source(Protocol):
    """A submission that can be read: refuses what is neither a regular file nor a folder."""

    title: str
    """How it is called in messages."""

    def manifest(self) -> bytes:
        """The content of its manifest, at most 64 KiB.

        Raises:
            SubmissionRefusedError: There is none.
        """
        ...

    def entries(self, leave_out: LeaveOut) -> Iterator[Entry]:
        """Every entry; nothing below a folder that is left out.

        Raises:
            SubmissionRefusedError: An entry breaks a rule.
        """
        ...


def refused(title: str, rule: str, cure: str, *, entry: str | bytes | None = None) -> BotError:
    """The error that names the submission, the entry if it is about one, the rule and the cure."""
    place = title if entry is None else f"{title}: entry {shown(entry)}"
    return SubmissionRefusedError(f"{place}: {rule}; {cure}")


def shown(name: str | bytes) -> str:
    """A foreign name in quotes, safe to show and not too long."""
    text = safe_text(name)
    return f"'{text}'" if len(text) <= _SHOWN else f"'{text[:_SHOWN]}…' ({len(text)} characters)"


def mebibytes(count: int) -> str:
    """A number of bytes in words."""
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
