"""The committed secret of a tournament: made before play, in the database only after it.

Encoding of the tournament seed, so that anybody can recompute it in any language:

    seed = SHA-256( "tongits-arena/tournament-seed/v1" NUL
                    secret (32 bytes)
                    for each bot digest, sorted as text: length (4 bytes, big endian), ASCII text )

A bot digest is an entrant's `version` (hex text); entrants with equal files count once each.
"""

import errno
import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path

from tongits_harness.errors import CannotContinueError, ConfigError

SECRET_BYTES = 32
SEED_LABEL = b"tongits-arena/tournament-seed/v1\0"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def check_tournament_name(name: str) -> str:
    """The name itself, if it can stand as a file name.

    Raises:
        ConfigError: It cannot.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"tournament name {name!r} cannot be used: take 1 to 64 letters, digits, '.', '_' or"
            " '-', beginning with a letter or digit"
        )
    return name


def commit_secret(results_dir: Path, tournament: str, secret: bytes | None = None) -> bytes:
    """A fresh secret (or the given one), written durably to `results/secret/<tournament>`.

    Raises:
        ConfigError: The tournament has one already, or `secret` has not 32 bytes.
        CannotContinueError: The file cannot be written.
    """
    value = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
    if len(value) != SECRET_BYTES:
        raise ConfigError(f"a seed has {SECRET_BYTES} bytes (64 hex digits), this one {len(value)}")
    path = _path(results_dir, tournament)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        _write_new(path, value.hex().encode() + b"\n")
    except FileExistsError:
        raise ConfigError(
            f"{path} exists already: tournament {tournament!r} was begun before; choose another"
            " name"
        ) from None
    except OSError as error:
        raise CannotContinueError(
            f"cannot write the secret {path}: {error.strerror}; make the folder writable, or room"
        ) from error
    return value


def load_secret(results_dir: Path, tournament: str) -> bytes:
    """The secret as committed.

    Raises:
        ConfigError: The file is missing, unreadable or damaged.
    """
    path = _path(results_dir, tournament)
    try:
        value = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except FileNotFoundError:
        raise ConfigError(
            f"{path} is missing: the shuffles of {tournament!r} cannot be made without it;"
            " put the file back"
        ) from None
    except OSError as error:
        raise ConfigError(f"cannot read the secret {path}: {error.strerror}") from error
    except ValueError:
        raise ConfigError(f"{path} is damaged: 64 hex digits expected; restore the file") from None
    if len(value) != SECRET_BYTES:
        raise ConfigError(f"{path} is damaged: 64 hex digits expected; restore the file")
    return value


def remove_secret(results_dir: Path, tournament: str) -> None:
    """Remove the secret's file, once the finished tournament holds it."""
    _path(results_dir, tournament).unlink(missing_ok=True)


def commitment(secret: bytes) -> str:
    """SHA-256 (hex) of the secret: what is published before play."""
    return hashlib.sha256(secret).hexdigest()


def is_committed(secret: bytes, published: str) -> bool:
    """Whether the secret is the one that was committed to."""
    return hmac.compare_digest(commitment(secret), published)


def tournament_seed(secret: bytes, bot_digests: Iterable[str]) -> bytes:
    """The 256-bit seed of all shuffles: the secret bound to the files of the bots."""
    state = hashlib.sha256(SEED_LABEL + secret)
    for digest in sorted(bot_digests):
        text = digest.encode("ascii")
        state.update(len(text).to_bytes(4, "big") + text)
    return state.digest()


def _path(results_dir: Path, tournament: str) -> Path:
    return results_dir / "secret" / check_tournament_name(tournament)


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        if os.write(descriptor, content) < len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)
    except OSError:
        path.unlink()
        raise
    finally:
        os.close(descriptor)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
