"""A bot as bytes, to be played on another machine, and back as files there."""

import io
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from tongits_harness.bots.folder import FolderFile, read_folder
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.staging import remove_folder
from tongits_harness.errors import ConfigError
from tongits_harness.play.workers.messages import SeatedBot

_SOURCE = "source"
_TREE = "tree"


def pack(bot: Bot) -> bytes:
    """The bot's files, and what its build made of them.

    Raises:
        ConfigError: Its folder holds what is no file.
    """
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1, format=tarfile.PAX_FORMAT) as tar:
        for name, file in _files(bot):
            info = tarfile.TarInfo(name)
            info.size = len(file.content)
            info.mode = 0o755 if file.executable else 0o644
            info.mtime = file.modified_ns / 1e9
            tar.addfile(info, io.BytesIO(file.content))
    return out.getvalue()


def unpack(bundle: bytes, seated: SeatedBot, cache: Path) -> None:
    """Puts the bot's files into the cache, which keeps them by their digests.

    Raises:
        ConfigError: The bundle cannot be read or names files outside its folder.
    """
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix="new-", dir=cache))
    try:
        _extract(bundle, new)
        with suppress(OSError):  # it is there already
            new.rename(_place(seated, cache))
    finally:
        remove_folder(new)


def cached(seated: SeatedBot, cache: Path) -> SeatedBot | None:
    """The same bot with its files in the cache; None if it has to be unpacked first.

    Whether they are what they must be is checked where they are used (`SeatedBot.load`, staging).
    """
    target = _place(seated, cache)
    if not target.is_dir():
        return None
    name = Path(seated.reference).name
    source = target / _SOURCE
    reference = source / name if name.endswith(".toml") and (source / name).is_file() else source
    tree = str(target / _TREE) if seated.tree is not None else None
    return SeatedBot(str(reference), seated.digest, tree, seated.tree_digest)


def _place(seated: SeatedBot, cache: Path) -> Path:
    return cache / f"{seated.digest[:32]}-{seated.tree_digest[:32]}"


def _files(bot: Bot) -> Iterator[tuple[str, FolderFile]]:
    for file in read_folder(bot.path, bot.manifest.exclude):
        yield f"{_SOURCE}/{file.name}", file
    if bot.tree is not None:
        for file in read_folder(bot.tree.path):
            yield f"{_TREE}/{file.name}", file


def _extract(bundle: bytes, folder: Path) -> None:
    try:
        with tarfile.open(fileobj=io.BytesIO(bundle), mode="r:gz") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isreg() else None
                place = PurePosixPath(member.name)
                if content is None or place.is_absolute() or ".." in place.parts:
                    raise ConfigError(f"a bot's bundle holds {member.name!r}: it is not used")
                path = folder / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read())
                path.chmod(0o755 if member.mode & 0o100 else 0o644)
                os.utime(path, (member.mtime, member.mtime))
    except (tarfile.TarError, OSError, EOFError) as error:
        raise ConfigError(f"a bot's bundle cannot be unpacked: {error}") from error
