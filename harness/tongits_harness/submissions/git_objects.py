"""Objects of a local git clone, read by git itself under a configuration of ours alone.

The clone may be hostile, so git never sees its configuration, hooks, attributes or references: it
works in an empty repository of ours that borrows the clone's objects. It runs no filter, fetches
nothing, and has little memory and time. Every object is checked against the hash that names it.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tongits_harness.errors import BotError, ConfigError
from tongits_harness.submissions.entries import CHUNK, UnpackLimits, refused

_CONFIG = """[core]
\trepositoryformatversion = 0
\tbare = true
\tbigFileThreshold = 1m
\tpackedGitLimit = 256m
\tcommitGraph = false
\tmultiPackIndex = false
\tfsmonitor = false
\thooksPath = /dev/null
[protocol]
\tallow = never
"""
_MEMORY_KIB = 2 << 20
"""Address space of git; it maps packs."""
_LONGEST_HEADER = 200


@dataclass(frozen=True, slots=True)
class Header:
    """What git says of an object before its content."""

    id: str
    kind: str
    size: int


class ObjectReader:
    """Asks one `git cat-file --batch` for objects, one after the other."""

    def __init__(self, ask: IO[bytes], answer: IO[bytes], title: str) -> None:
        self._ask = ask
        self._answer = answer
        self._title = title

    def header(self, name: str) -> Header | None:
        """The object of that name (an id, or one with a suffix such as ~1); None if there is none.

        Its content must be read before the next is asked for.
        """
        try:
            os.write(self._ask.fileno(), f"{name}\n".encode())  # unbuffered: nothing to close with
            line = self._answer.readline(_LONGEST_HEADER)
        except OSError:
            line = b""
        words = line.decode("ascii", "replace").split()
        if not line.endswith(b"\n"):
            raise self._gave_up()
        if len(words) != 3 or not words[2].isdecimal():
            return None
        return Header(words[0], words[1], int(words[2]))

    def chunks(self, header: Header) -> Iterator[bytes]:
        """The content of the object whose header was just read.

        Raises:
            SubmissionRefusedError: It is not what its id names, or cannot be read.
        """
        digest = hashlib.sha1(f"{header.kind} {header.size}\0".encode(), usedforsecurity=False)
        left = header.size
        while left:
            chunk = self._answer.read(min(CHUNK, left))
            if not chunk:
                raise self._gave_up()
            left -= len(chunk)
            digest.update(chunk)
            yield chunk
        self._answer.read(1)
        if digest.hexdigest() != header.id:
            raise refused(
                self._title,
                f"its object {header.id} is damaged",
                "look with `git fsck`, or submit a fresh clone",
            )

    def _gave_up(self) -> BotError:
        return refused(
            self._title,
            "git could not read its objects within its limits of time and memory",
            "look with `git fsck`, or submit a fresh clone or a folder",
        )


@contextmanager
def open_objects(objects: Path, *, title: str, limits: UnpackLimits) -> Iterator[ObjectReader]:
    """A reader of the objects in a clone's folder `objects`.

    Raises:
        ConfigError: There is no git on this machine.
    """
    program = shutil.which("git")
    if program is None:
        raise ConfigError(
            f"{title}: there is no git on this machine; install it (apt install git), or submit a"
            " folder or a .zip"
        )
    with tempfile.TemporaryDirectory(prefix="tgt-git-") as folder:
        own = _empty_repository(Path(folder))
        with subprocess.Popen(
            _bounded([program, "cat-file", "--batch"], limits.seconds),
            env=_environment(own, objects),
            cwd=own,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as git:
            timer = threading.Timer(limits.seconds, git.kill)
            timer.start()
            try:
                yield ObjectReader(_pipe(git.stdin), _pipe(git.stdout), title)
            finally:
                timer.cancel()
                git.kill()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("not a pipe")
    return stream


def _empty_repository(folder: Path) -> Path:
    (folder / "objects").mkdir()
    (folder / "refs").mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
    (folder / "config").write_text(_CONFIG, encoding="ascii")
    return folder


def _bounded(argv: list[str], seconds: float) -> list[str]:
    limits = f"ulimit -v {_MEMORY_KIB} -c 0; ulimit -t {max(1, int(seconds))}"
    return ["/bin/sh", "-c", f'{limits}; exec "$@"', "sh", *argv]


def _environment(own: Path, objects: Path) -> dict[str, str]:
    """All that git knows: nothing of this account, of the machine or of the clone."""
    return {
        "PATH": os.defpath,
        "HOME": str(own),
        "LC_ALL": "C",
        "GIT_DIR": str(own),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
    }
