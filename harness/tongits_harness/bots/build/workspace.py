"""The short-lived folder one build works in: the bot's files, a scratch folder, a door."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.bots.build.environment import TEMPORARY
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox.levels import BOT_SLOTS, Sandbox
from tongits_harness.bots.staging import copy_files, open_run_folder
from tongits_harness.errors import SandboxUnavailableError


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where a build works; everything in it is given to the uid of its steps."""

    path: Path
    """Holds the two folders that can be written to, and nothing else."""
    door: Path
    """Holds the proxy's socket while there is one; steps see it read-only."""
    slot: int
    uid: int

    @property
    def bot(self) -> Path:
        """The copy of the bot's files in which its commands run."""
        return self.path / "bot"

    @property
    def scratch(self) -> Path:
        """Home and caches of its commands, the same for fetch and build, dropped afterwards."""
        return self.path / "scratch"

    @property
    def owner(self) -> int | None:
        """Who must own all files in the end; None if that is ourselves."""
        return self.uid if os.geteuid() == 0 else None


@contextmanager
def open_workspace(bot: Bot, sandbox: Sandbox) -> Iterator[Workspace]:
    """A workspace with a copy of a bot's files, removed in the end.

    Raises:
        ConfigError: The bot's files have changed since it was loaded.
        SandboxUnavailableError: Its commands would run as root.
    """
    slot = secrets.randbelow(BOT_SLOTS - 1)
    uid = sandbox.bot_uid(slot)
    if uid == 0:
        raise SandboxUnavailableError(
            f"{bot.reference}: its build would run as root\n"
            "install util-linux (setpriv), or run the harness as another user"
        )
    with open_run_folder() as run:
        path, door = (Path(tempfile.mkdtemp(prefix=name, dir=run.path)) for name in ("w", "d"))
        for folder in (path, door):
            folder.chmod(0o711)
        workspace = Workspace(path, door, slot, uid)
        workspace.bot.mkdir()
        copy_files(bot.path, workspace.bot, digest=bot.files_digest, exclude=bot.manifest.exclude)
        (workspace.scratch / TEMPORARY).mkdir(parents=True)
        _give_away(workspace)
        yield workspace


def _give_away(workspace: Workspace) -> None:
    """Makes the uid of the steps the owner of all files, who may change them."""
    for folder, _, files in os.walk(workspace.path):
        for name in (".", *files):
            path = os.path.join(folder, name)
            if folder == str(workspace.path):
                continue
            os.chmod(path, os.stat(path).st_mode | 0o200)
            if os.geteuid() == 0:
                os.chown(path, workspace.uid, workspace.uid, follow_symlinks=False)
