"""The file of a comparison: a line that says what is compared, then one for every pair.

The lines are enough to come to the verdict again, and to go on where they end. They stand in the
order in which the test took the pairs; a line that was cut off by a crash is dropped.
"""

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import IO

from pydantic import TypeAdapter, ValidationError

from tongits_harness.compare.pairs import PairResult
from tongits_harness.compare.setup import CompareSetup
from tongits_harness.errors import CannotContinueError, ConfigError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
FORMAT = "tongits-compare/1"
_PAIR = TypeAdapter(PairResult)


def heading(setup: CompareSetup) -> dict[str, object]:
    """All that the pairs and the verdict depend on but the bound, which may be raised later."""
    hypotheses = setup.hypotheses
    return {
        "format": FORMAT,
        "new": {"name": setup.new.name, "version": setup.new.digest},
        "old": {"name": setup.old.name, "version": setup.old.digest},
        "against": {name: bot.digest for name, bot in setup.field.items()},
        "rules": setup.rules.name,
        "parameters": dict(setup.rules.parameters()),
        "games": setup.games,
        "seatings": setup.seatings,
        "seed": setup.seed.hex(),
        "limits": asdict(setup.limits),
        "hypotheses": asdict(hypotheses),
    }


@dataclass(slots=True)
class Book:
    """An open file; `pairs` are those that were in it."""

    path: Path
    pairs: tuple[PairResult, ...]
    _file: IO[bytes] = field(repr=False)
    is_empty: bool
    """There is no pair in it."""

    def write(self, pair: PairResult) -> None:
        """Adds a pair.

        Raises:
            CannotContinueError: The disk is full or gone.
        """
        _put(self._file, self.path, asdict(pair))
        self.is_empty = False


def check_name(name: str) -> str:
    """The name itself, if a file can be called so.

    Raises:
        ConfigError: It cannot.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"--name {name!r} cannot be used: take 1 to 64 letters, digits, '.', '_' or '-',"
            " beginning with a letter or digit"
        )
    return name


def free_name(results: Path, wanted: str) -> str:
    """`wanted`, or `wanted-2`, `wanted-3`, ... if there is a comparison of that name."""
    names = (wanted if number == 1 else f"{wanted}-{number}" for number in count(1))
    return next(name for name in names if not book_path(results, name).exists())


def book_path(results: Path, name: str) -> Path:
    """Where the comparison of that name is kept."""
    return results / "comparisons" / f"{name}.jsonl"


def stored_seed(results: Path, name: str) -> bytes | None:
    """The seed of the comparison of that name, if there is one."""
    path = book_path(results, name)
    if not path.exists():
        return None
    head, _, _ = _read(path)
    return bytes.fromhex(str(head["seed"])) if head else None


@contextmanager
def open_book(results: Path, name: str, setup: CompareSetup) -> Iterator[Book]:
    """Begins the file of a comparison or takes it up again; without a pair nothing is left of it.

    Raises:
        ConfigError: It holds another comparison; what differs is named.
        CannotContinueError: It cannot be written, or another process is writing to it.
    """
    path = book_path(results, name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Nobody else's business while it goes on: it holds the seed.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _unwritable(path, error) from error
    with open(descriptor, "r+b", buffering=0) as file:
        _lock(file, path)
        head, pairs, sound = _read(path)
        wanted = json.loads(json.dumps(heading(setup)))
        if head is not None:
            _refuse_changes(path, head, wanted)
        file.truncate(sound)
        file.seek(sound)
        if head is None:
            _put(file, path, wanted)
        book = Book(path, pairs, file, is_empty=not pairs)
        try:
            yield book
        finally:
            if book.is_empty:
                path.unlink(missing_ok=True)


def _put(file: IO[bytes], path: Path, document: object) -> None:
    line = json.dumps(document, separators=(",", ":")).encode() + b"\n"
    try:
        if file.write(line) < len(line):
            raise OSError(28, "no room for the whole line")
        os.fsync(file.fileno())
    except OSError as error:
        raise _unwritable(path, error) from error


def _read(path: Path) -> tuple[Mapping[str, object] | None, tuple[PairResult, ...], int]:
    """The heading, the pairs, and how many bytes of the file they take.

    Raises:
        ConfigError: It is no file of a comparison.
    """
    content = path.read_bytes()
    sound = content.rfind(b"\n") + 1
    lines = content[:sound].splitlines()
    if not lines:
        return None, (), 0
    try:
        head = json.loads(lines[0])
        if head["format"] != FORMAT:
            raise ValueError(f"format {head['format']}")
        pairs = tuple(_PAIR.validate_json(line) for line in lines[1:])
    except (ValueError, TypeError, KeyError, ValidationError) as error:
        raise ConfigError(
            f"{path} is no comparison that can be read ({type(error).__name__}): choose another"
            " --name, or take the file away"
        ) from error
    if [pair.number for pair in pairs] != list(range(len(pairs))):
        raise ConfigError(f"{path} lacks pairs: choose another --name, or take the file away")
    return head, pairs, sound


def _refuse_changes(path: Path, stored: Mapping[str, object], now: Mapping[str, object]) -> None:
    changed = [key for key in sorted(stored.keys() | now.keys()) if stored.get(key) != now.get(key)]
    if changed:
        raise ConfigError(
            f"{path} holds a comparison with other {', '.join(changed)}: put that back to go on"
            " with it, or choose another --name"
        )


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CannotContinueError(
            f"another process is writing to {path}: wait until it ends, or choose another --name"
        ) from None


def _unwritable(path: Path, error: OSError) -> CannotContinueError:
    return CannotContinueError(
        f"cannot write {path}: {error.strerror}; make room, or the folder writable"
    )
