"""Where submitted bots lie: `<results>/bots/<digest>/`, read-only, in place at once or not at all.

A folder counts only if the database has a record of its digest; the record is written after it.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tongits_harness.bots.manifest import Bot, load_bot
from tongits_harness.errors import CannotContinueError, ConfigError
from tongits_harness.results.lock import hold_lock

_INCOMING = "incoming-"
FILES = "files"
"""Folder of an incoming submission that its files are unpacked into."""


def bots_folder(results: Path) -> Path:
    """The folder of all submitted bots of a results folder."""
    return results / "bots"


@contextmanager
def open_incoming(results: Path) -> Iterator[Path]:
    """A folder for one submission, gone in the end; nobody else submits meanwhile.

    What killed ones left behind is removed first.

    Raises:
        CannotContinueError: Another submission is going on, or nothing can be written.
    """
    home = bots_folder(results)
    with hold_lock(home):
        for left in home.glob(f"{_INCOMING}*"):
            remove(left)
        incoming = Path(tempfile.mkdtemp(prefix=_INCOMING, dir=home))
        try:
            (incoming / FILES).mkdir()
            yield incoming
        except OSError as error:
            raise CannotContinueError(
                f"{home}: {error.strerror or error}; free some space or make it writable,"
                " then submit again (nothing was kept)"
            ) from error
        finally:
            remove(incoming)


def settle(bot: Bot, results: Path) -> tuple[Path, bool]:
    """Moves unpacked files to their place, on disk for good; a sound copy that is there stays.

    Returns:
        The folder, and whether it is new.
    """
    place = bots_folder(results) / bot.digest
    if is_intact(place, bot.manifest_name, bot.digest):
        return place, False
    remove(place)
    for folder, _, files in os.walk(bot.path, topdown=False):
        for name in files:
            path = os.path.join(folder, name)
            os.chmod(path, os.stat(path).st_mode & 0o555)
            _sync(path)
        os.chmod(folder, 0o555)  # noqa: S103  # everybody may read what was submitted
        _sync(folder)
    bot.path.chmod(0o755)  # some systems let nobody move a folder that is read-only
    bot.path.rename(place)
    place.chmod(0o555)
    _sync(place.parent)
    return place, True


def is_intact(place: Path, manifest_name: str, digest: str) -> bool:
    """Whether a folder is there and holds the files of that digest."""
    if not place.is_dir():
        return False
    try:
        return load_bot(place / manifest_name).digest == digest
    except ConfigError:
        return False


def remove(path: Path) -> None:
    """Deletes a folder of ours, read-only or not."""
    for folder, _, _ in os.walk(path):
        os.chmod(folder, 0o700)
    shutil.rmtree(path, ignore_errors=True)


def _sync(path: Path | str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
