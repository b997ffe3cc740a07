"""Logs: structlog events as JSON lines in a file of the results folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from tongits_harness.errors import CannotContinueError


@contextmanager
def open_log(results: Path, tournament: str) -> Iterator[Path]:
    """Sends events to `results/logs/<tournament>.jsonl` until the block ends.

    Raises:
        CannotContinueError: the file cannot be written.
    """
    path = results / "logs" / f"{tournament}.jsonl"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise CannotContinueError(
            f"cannot write the log {path}: {error.strerror}; make the folder writable"
        ) from error
    with file:
        structlog.configure(
            processors=[
                structlog.contextvars.merge_contextvars,
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
            logger_factory=structlog.WriteLoggerFactory(file=file),
            cache_logger_on_first_use=False,
        )
        try:
            yield path
        finally:
            structlog.configure(processors=[_drop], cache_logger_on_first_use=False)


def _drop(_logger: object, _name: str, _event: object) -> str:
    raise structlog.DropEvent
