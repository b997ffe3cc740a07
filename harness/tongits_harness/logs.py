"""Logs: structlog events as JSON lines in a file of the results folder."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import RawIOBase
from pathlib import Path

import structlog

from tongits_harness.errors import CannotContinueError


@contextmanager
def open_log(results: Path, tournament: str) -> Iterator[Path]:
    """Sends events to `results/logs/<tournament>.jsonl` until the block ends.

    Lines that cannot be written later on, because the disk is full, are left out and counted: a
    run does not depend on its log.

    Raises:
        CannotContinueError: the file cannot be opened.
    """
    path = results / "logs" / f"{tournament}.jsonl"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise CannotContinueError(
            f"cannot write the log {path}: {error.strerror}; make the folder writable, or room"
        ) from error
    with open(descriptor, "ab", buffering=0) as raw:
        file = LogFile(raw)
        structlog.configure(
            processors=[
                structlog.contextvars.merge_contextvars,
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
            logger_factory=structlog.WriteLoggerFactory(file=file),  # type: ignore[arg-type]  # it needs no more of a file than LogFile has
            cache_logger_on_first_use=False,
        )
        try:
            yield path
        finally:
            silence()


def silence() -> None:
    """Drops events: for commands that play without a log. stdout is data."""
    structlog.configure(processors=[_drop], cache_logger_on_first_use=False)


class LogFile:
    """Lines in a file, each in one write; those that find no room are lost and counted."""

    def __init__(self, raw: RawIOBase) -> None:
        self._raw = raw
        self._is_torn = False
        self.lost = 0
        """Lines left out since the last that was written."""

    def write(self, line: str) -> None:
        """Writes a whole line, or counts it as lost."""
        content = line.encode("utf-8", "backslashreplace")
        if self.lost:
            missed = json.dumps({"event": "log_lines_lost", "lines": self.lost})
            content = missed.encode() + b"\n" + content
        if self._is_torn:
            content = b"\n" + content
        try:
            written = self._raw.write(content) or 0
        except OSError:
            written = 0
        self._is_torn = self._is_torn if not written else written < len(content)
        self.lost = self.lost + 1 if written < len(content) else 0

    def flush(self) -> None:
        """Nothing waits."""


def _drop(_logger: object, _name: str, _event: object) -> str:
    raise structlog.DropEvent
