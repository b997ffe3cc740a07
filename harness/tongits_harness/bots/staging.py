"""The run's private temp folder and the read-only copies of bots in it, named by their digest."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tongits_harness.bots.folder import FolderDigest, FolderFile, digest_of, read_folder
from tongits_harness.bots.languages import run_runtime
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.mounts import Runtime
from tongits_harness.errors import ConfigError

_PREFIX = "tgt-"
_LOCK_NAME = "lock"
"""Locked as long as the run lives, however it ends; the file appears locked already."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The short-lived folder of one run: staged bots and seat folders lie below it."""

    path: Path


@dataclass(frozen=True, slots=True)
class StagedBot:
    """A bot with a verified read-only copy of its files, which is what runs."""

    bot: Bot
    path: Path
    runtime: Runtime = field(default_factory=Runtime)
    """What of its language it needs to see."""


@contextmanager
def open_run_folder() -> Iterator[RunFolder]:
    """A new run folder with a short path, removed in the end with all that is in it.

    Folders that killed runs of the same user have left behind are removed first.
    """
    sweep(Path(tempfile.gettempdir()), _PREFIX)
    path = Path(tempfile.mkdtemp(prefix=_PREFIX))
    with locked(path):
        try:
            path.chmod(0o711)  # bots under their own uid pass through it but cannot list it
            (path / "bots").mkdir(mode=0o711)
            (path / "bots").chmod(0o711)
            yield RunFolder(path)
        finally:
            remove_folder(path)


def stage(bot: Bot, run: RunFolder) -> StagedBot:
    """Copies a bot's files into the run folder, once for all bots that share them.

    They are those of its folder, or what its build made of them. Only regular files are copied,
    opened without following links; the copy is read back and must have the digest of the bot as it
    was loaded, or of its tree as it was built.

    Raises:
        ConfigError: The folder changed since it was loaded, or holds what is no file.
    """
    source = _source(bot)
    target = run.path / "bots" / source.digest
    if not target.is_dir():
        copy = Path(tempfile.mkdtemp(prefix="copy-", dir=target.parent))
        try:
            copy_files(source.path, copy, digest=source.digest, exclude=source.exclude)
            make_read_only(copy)
            copy.rename(target)
        except BaseException:
            remove_folder(copy)
            raise
    return StagedBot(bot, target, run_runtime(bot.manifest.language))


@dataclass(frozen=True, slots=True)
class _Source:
    path: Path
    digest: str
    exclude: tuple[str, ...]


def _source(bot: Bot) -> _Source:
    if bot.tree is not None:
        return _Source(bot.tree.path, bot.tree.digest, ())
    return _Source(bot.path, bot.files_digest, bot.manifest.exclude)


def copy_files(folder: Path, copy: Path, *, digest: str, exclude: Sequence[str] = ()) -> None:
    """Copies the regular files of a folder into an empty one and reads the copy back.

    Raises:
        ConfigError: The folder has not, or no longer, the files of this digest.
    """
    copied = FolderDigest()
    for file in read_folder(folder, exclude):
        copied.add(file)
        _write(copy, file)
    if not copied.hex() == digest_of(copy) == digest:
        raise ConfigError(
            f"{folder}: its files changed while it was being copied; "
            "leave the folder alone and start again"
        )


def _write(copy: Path, file: FolderFile) -> None:
    path = copy / file.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.content)
    os.utime(path, ns=(file.modified_ns, file.modified_ns))
    path.chmod(0o555 if file.executable else 0o444)


def make_read_only(copy: Path) -> None:
    """Takes the right to change anything from all folders of a copy, whose files have none."""
    for folder, _, _ in os.walk(copy, topdown=False):
        os.chmod(folder, 0o555)  # noqa: S103  # bots under another uid read it


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps `sweep` away from a new folder as long as we live."""
    new = folder / "lock.new"
    descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        new.rename(folder / _LOCK_NAME)
        yield
    finally:
        os.close(descriptor)


def sweep(folder: Path, prefix: str) -> None:
    """Removes the folders of our user whose name has this prefix and whose maker has died."""
    for left in folder.glob(f"{prefix}*"):
        with suppress(OSError):
            if left.lstat().st_uid == os.getuid():
                descriptor = os.open(left / _LOCK_NAME, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
                with open(descriptor, "rb"):
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    remove_folder(left)


def remove_folder(path: Path) -> None:
    """Removes a folder with all below it, read-only or not; does nothing if it is not there."""
    try:
        for folder, _, _ in os.walk(path):
            os.chmod(folder, 0o700)
        shutil.rmtree(path, ignore_errors=True)
    except (RecursionError, OSError):  # deeper than Python can go, or longer than a path may be
        for words in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*words, "--", path], stderr=subprocess.DEVNULL, check=False)
