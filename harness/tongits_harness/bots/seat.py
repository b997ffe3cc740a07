"""The folder through which one bot process reaches the harness: one socket, nothing else."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.bots.staging import RunFolder
from tongits_harness.errors import CannotContinueError, ConfigError

SOCKET_NAME = "table.sock"
_LONGEST_ADDRESS = 103
"""Bytes of a socket path that fit every Unix (Linux has 107, macOS 103)."""


@dataclass(frozen=True, slots=True)
class SeatFolder:
    """A fresh folder for the socket of one bot process; the bot sees it read-only."""

    path: Path
    uid: int
    """Who the bot is on the host."""

    @property
    def socket_path(self) -> Path:
        """Where the harness's server listens."""
        return self.path / SOCKET_NAME

    @property
    def address(self) -> str:
        """The gRPC address that the harness's server binds."""
        return f"unix:{self.socket_path}"

    def claim(self, socket_path: Path | None = None) -> None:
        """Gives the bound socket to the bot alone: its uid, mode 0600.

        Raises:
            ConfigError: The path is no socket.
        """
        path = socket_path or self.socket_path
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise ConfigError(f"{path}: is no socket; bind the server before claiming it")
        path.chmod(0o600)
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.uid, follow_symlinks=False)

    def unlink_socket(self) -> None:
        """Takes the socket away, so that no second connection can be made."""
        with suppress(FileNotFoundError):
            self.socket_path.unlink()


@contextmanager
def open_seat_folder(run: RunFolder, uid: int) -> Iterator[SeatFolder]:
    """A seat folder below the run's folder, removed in the end.

    Raises:
        ConfigError: The path of the socket would be too long for a Unix socket.
        CannotContinueError: The run's folder is gone or full.
    """
    try:
        path = Path(tempfile.mkdtemp(prefix="s", dir=run.path))
    except OSError as error:
        raise CannotContinueError(
            f"{run.path}: {error.strerror}; this temporary folder is needed while a run lasts, "
            "keep cleaners away from it or set TMPDIR to another place, then resume"
        ) from error
    try:
        path.chmod(0o711)
        seat = SeatFolder(path, uid)
        if len(os.fsencode(seat.socket_path)) > _LONGEST_ADDRESS:
            raise ConfigError(
                f"{seat.socket_path}: too long for a socket ({_LONGEST_ADDRESS} bytes at most); "
                "set TMPDIR to a short folder such as /tmp"
            )
        yield seat
    finally:
        shutil.rmtree(path, ignore_errors=True)
