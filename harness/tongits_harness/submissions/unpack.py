"""Writes a submission's files into a folder of ours: within limits, or not at all."""

import os
from pathlib import Path

from tongits_harness.bots.folder import SKIPPED_FOLDERS, is_excluded
from tongits_harness.submissions.entries import (
    Entry,
    LeaveOut,
    Source,
    UnpackLimits,
    refused,
)
from tongits_harness.submissions.names import EntryRules

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def unpack(source: Source, into: Path, *, leave_out: LeaveOut, limits: UnpackLimits) -> None:
    """Writes every entry that is not left out below `into`, an empty folder nobody else knows.

    Folders are made where a file needs them. Files get the modes 0755 or 0644.

    Raises:
        SubmissionRefusedError: An entry breaks a rule; what was written is the caller's to remove.
    """
    rules = EntryRules(source.title, limits)
    for entry in source.entries(leave_out):
        rules.accept(entry)
        if not entry.is_folder:
            _write(source.title, entry, into)


def exclusions(patterns: tuple[str, ...]) -> LeaveOut:
    """What an `exclude` in a manifest leaves out, with the folders that are always left out."""

    def leave_out(path: str, is_folder: bool) -> bool:
        name = path.rpartition("/")[2]
        if is_folder and name in SKIPPED_FOLDERS:
            return True
        return is_excluded(name, patterns)

    return leave_out


def _write(title: str, entry: Entry, into: Path) -> None:
    path = into / entry.name
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, _NEW_FILE, 0o755 if entry.is_executable else 0o644)
    size = 0
    with open(descriptor, "wb") as stream:
        for chunk in entry.chunks():
            size += len(chunk)
            if size > entry.size:
                break
            stream.write(chunk)
    if size != entry.size:
        raise refused(
            title,
            f"has not the {entry.size} bytes it is said to have",
            "leave the files alone while they are submitted, or pack the archive again",
            entry=entry.name,
        )
