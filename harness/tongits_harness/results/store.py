"""The results database: written here, one transaction a session."""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path

from tongits_harness.results.records import SessionRecord, TournamentRecord


class Store:
    """An open results database; used by the thread that opened it."""

    def create_tournament(self, tournament: TournamentRecord) -> None:
        """Begin a tournament."""
        raise NotImplementedError

    def tournament(self, name: str | None) -> TournamentRecord:
        """The tournament of that name; the latest if None."""
        raise NotImplementedError

    def tournaments(self) -> tuple[TournamentRecord, ...]:
        """All, oldest first."""
        raise NotImplementedError

    def stored_sessions(self, name: str) -> Set[tuple[int, int]]:
        """(match index, seating) of every stored session."""
        raise NotImplementedError

    def add_session(self, name: str, record: SessionRecord) -> bool:
        """Store a session; False if it was stored before (nothing changes then)."""
        raise NotImplementedError

    def finish_tournament(self, name: str, revealed_secret_hex: str) -> None:
        """Mark the tournament as played to its end, and publish its secret."""
        raise NotImplementedError


@contextmanager
def open_store(results_dir: Path, *, create: bool) -> Iterator[Store]:
    """The database of a results folder, for writing."""
    raise NotImplementedError
    yield Store()
