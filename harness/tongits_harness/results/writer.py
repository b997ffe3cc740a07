"""The one thread that writes sessions, so that the event loop never waits for the disk."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tongits_harness.results.records import SessionRecord


class SessionWriter:
    """Takes finished sessions from the event loop; see `open_writer`."""

    async def put(self, record: SessionRecord) -> None:
        """Hand over a session; waits only while the queue is full."""
        raise NotImplementedError

    async def flush(self) -> None:
        """Wait until every session handed over is stored."""
        raise NotImplementedError


@asynccontextmanager
async def open_writer(results_dir: Path, tournament: str) -> AsyncIterator[SessionWriter]:
    """A writer for one stored tournament; leaving the block stores what is queued."""
    raise NotImplementedError
    yield SessionWriter()
