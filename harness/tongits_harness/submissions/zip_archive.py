"""A .zip as a submission: inflated by us, in pieces, never beyond what its entries may have."""

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from tongits_harness.errors import BotError, ConfigError
from tongits_harness.submissions.entries import (
    CHUNK,
    Entry,
    LeaveOut,
    UnpackLimits,
    mebibytes,
    refused,
)
from tongits_harness.submissions.folders import (
    check_manifest_size,
    check_mode,
    missing_manifest,
)
from tongits_harness.submissions.names import EntryRules
from tongits_harness.submissions.zip_directory import Member, read_directory

_FREE = 1 << 20
"""Up to this size an entry may be packed as tightly as it likes."""
_EXTRAS = ("__MACOSX",)
"""Folders that packing programs add beside what was packed."""


class ZipSource:
    """The entries of an open archive; a single folder around everything is taken off."""

    def __init__(
        self, file: BinaryIO, length: int, *, title: str, manifest_name: str, limits: UnpackLimits
    ) -> None:
        self.title = title
        self._file = file
        self._limits = limits
        self._members = read_directory(file, length, title, limits)
        self._check()
        self._manifest_name = manifest_name
        self._top = self._wrapping()

    def manifest(self) -> bytes:
        """As `Source.manifest`."""
        wanted = self._top + self._manifest_name
        found = next((one for one in self._members if one.name == wanted), None)
        if found is None:
            raise missing_manifest(self.title, self._manifest_name)
        check_manifest_size(found.size, self.title, self._manifest_name)
        return b"".join(self._chunks(found))

    def entries(self, leave_out: LeaveOut) -> Iterator[Entry]:
        """As `Source.entries`."""
        for member in self._members:
            name = member.name.removeprefix(self._top)
            if _is_extra(member.name) or not name or _is_left_out(name, leave_out):
                continue
            chunks = partial(self._chunks, member)
            executable = bool(member.mode & stat.S_IXUSR)
            yield Entry(name, member.is_folder, member.size, executable, chunks)

    def _check(self) -> None:
        """All entries keep the rules, also those that will be left out."""
        rules = EntryRules(self.title, self._limits)
        for member in self._members:
            check_mode(self.title, member.name, member.mode)
            rules.accept(Entry(member.name, member.is_folder, member.size))
            if member.size > max(_FREE, member.packed * self._limits.ratio):
                raise refused(
                    self.title,
                    f"unpacks from {member.packed} bytes to {mebibytes(member.size)}, more than"
                    f" {self._limits.ratio} times as much",
                    "pack less repetitive data, or let the build make it",
                    entry=member.name,
                )

    def _wrapping(self) -> str:
        """The folder around all entries, with its slash; empty if there is none."""
        names = [one.name for one in self._members if not _is_extra(one.name)]
        tops = {name.partition("/")[0] for name in names}
        if len(tops) != 1 or not all("/" in name for name in names):
            return ""
        return f"{tops.pop()}/"

    def _chunks(self, member: Member) -> Iterator[bytes]:
        """The content in small pieces; never more than the size that was claimed."""
        crc = size = 0
        for chunk in self._inflated(member) if member.method else self._packed(member):
            size += len(chunk)
            if size > member.size:
                raise self._broken(member, f"holds more than the {member.size} bytes it claims")
            crc = zlib.crc32(chunk, crc)
            yield chunk
        if size != member.size:
            raise self._broken(member, f"holds {size} bytes and claims {member.size}")
        if crc != member.crc:
            raise self._broken(member, "is damaged: its check sum is wrong")

    def _inflated(self, member: Member) -> Iterator[bytes]:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        for packed in self._packed(member):
            if stream.eof:
                raise self._broken(member, "has bytes behind the end of its content")
            waiting = packed
            while waiting:
                try:
                    chunk = stream.decompress(waiting, CHUNK)
                except zlib.error as error:
                    raise self._broken(member, f"is damaged: {error}") from error
                if chunk:
                    yield chunk
                waiting = stream.unconsumed_tail
        if not stream.eof or stream.unused_data:
            raise self._broken(member, "is damaged: its content does not end where it should")

    def _packed(self, member: Member) -> Iterator[bytes]:
        for offset in range(0, member.packed, CHUNK):
            self._file.seek(member.start + offset)
            yield self._file.read(min(CHUNK, member.packed - offset))

    def _broken(self, member: Member, rule: str) -> BotError:
        return refused(self.title, rule, "pack the archive again", entry=member.name)


@contextmanager
def open_zip(
    path: Path, *, title: str, manifest_name: str, limits: UnpackLimits
) -> Iterator[ZipSource]:
    """The archive in a file.

    Raises:
        ConfigError: The file cannot be read.
        SubmissionRefusedError: It is no archive that can be taken.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ConfigError(f"{title}: {error.strerror}; name a readable .zip file") from error
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(f"{title}: is no regular file; name a .zip file")
        if status.st_size > limits.archive_bytes:
            raise refused(
                title,
                f"has {mebibytes(status.st_size)}, an archive may have"
                f" {mebibytes(limits.archive_bytes)}",
                "leave out what is made by building or fetching",
            )
        yield ZipSource(
            file, status.st_size, title=title, manifest_name=manifest_name, limits=limits
        )


def _is_extra(name: str) -> bool:
    return name.partition("/")[0] in _EXTRAS


def _is_left_out(name: str, leave_out: LeaveOut) -> bool:
    """Whether the entry itself is left out, or a folder above it."""
    parts = name.removesuffix("/").split("/")
    above = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return any(leave_out(path, True) for path in above) or leave_out(
        "/".join(parts), name.endswith("/")
    )
