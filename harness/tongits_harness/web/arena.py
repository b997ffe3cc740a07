"""The results as pages need them: read when they have changed, kept between requests."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

import trio

from tongits_harness.fairplay.report import FairPlay, read_fair_play
from tongits_harness.results.connection import database_path
from tongits_harness.results.figures import Progress
from tongits_harness.results.fold import Standing
from tongits_harness.results.leaderboard import Leaderboard, make_leaderboard
from tongits_harness.results.queries import ResultsReader, open_reader
from tongits_harness.results.records import TournamentRecord

T = TypeVar("T")
_KEEP_S = 1.0
"""Figures of a changing database are read again at the earliest after this time ..."""
_COST_SHARE = 20
"""... and after so many times what reading them took, so that readers never load the machine."""

Stamp = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Shown:
    """One tournament as it was when it was read."""

    record: TournamentRecord
    progress: Progress
    standing: Standing
    stamp: Stamp

    @cached_property
    def board(self) -> Leaderboard:
        """Its leaderboard."""
        return make_leaderboard(self.record, self.standing)

    @cached_property
    def matrix(self) -> dict[str, dict[str, float | None]]:
        """How probably each is above each other, by resamples."""
        return self.standing.resampling.matrix()


@dataclass(slots=True)
class _Kept(Generic[T]):
    answer: T
    stamp: Stamp
    read_at: float
    cost_s: float

    @classmethod
    def made(cls, stamp: Stamp, make: Callable[[], T]) -> "_Kept[T]":
        began = time.monotonic()
        answer = make()
        return cls(answer, stamp, time.monotonic(), time.monotonic() - began)

    def is_fresh(self, stamp: Stamp) -> bool:
        age = time.monotonic() - self.read_at
        return stamp == self.stamp or age < max(_KEEP_S, _COST_SHARE * self.cost_s)


class Arena:
    """The results of one folder. Everything that reads runs in one thread at a time."""

    def __init__(self, results: Path) -> None:
        self.results = results
        self._kept: dict[str, _Kept[Shown]] = {}
        self._fair_play: dict[str, _Kept[FairPlay]] = {}
        self._limiter = trio.CapacityLimiter(1)

    async def show(self, name: str | None) -> Shown:
        """A tournament by name, the latest for None.

        Raises:
            ConfigError: There is none, or no database.
            CannotContinueError: The database cannot be read.
        """
        return await self._in_thread(lambda: self.show_now(name))

    async def ask(self, question: Callable[[ResultsReader], T]) -> T:
        """What a function reads from the database.

        Raises:
            ConfigError, CannotContinueError: As `show`.
        """
        return await self._in_thread(lambda: self.ask_now(question))

    def show_now(self, name: str | None) -> Shown:
        """As `show`, on this thread."""
        stamp = self.stamp()
        with open_reader(self.results) as reader:
            record = reader.tournament(name)
            kept = self._kept.get(record.name)
            if kept is None or not kept.is_fresh(stamp):
                kept = _Kept.made(stamp, lambda: _read(reader, record, stamp))
                self._kept[record.name] = kept
        return kept.answer

    async def fair_play(self, name: str) -> FairPlay:
        """The report on a tournament, kept like everything else.

        Raises:
            ConfigError, CannotContinueError: As `show`.
        """
        return await self._in_thread(lambda: self.fair_play_now(name))

    def fair_play_now(self, name: str) -> FairPlay:
        """As `fair_play`, on this thread."""
        stamp, kept = self.stamp(), self._fair_play.get(name)
        if kept is None or not kept.is_fresh(stamp):
            kept = _Kept.made(stamp, lambda: self.ask_now(lambda r: read_fair_play(r, name)))
            self._fair_play[name] = kept
        return kept.answer

    def ask_now(self, question: Callable[[ResultsReader], T]) -> T:
        """As `ask`, on this thread."""
        with open_reader(self.results) as reader:
            return question(reader)

    async def _in_thread(self, function: Callable[[], T]) -> T:
        return await trio.to_thread.run_sync(function, limiter=self._limiter)

    def stamp(self) -> Stamp:
        """Changes whenever something is written: sizes and times of the database and its log."""
        path = database_path(self.results)
        return tuple(_size_and_time(path.with_name(path.name + end)) for end in ("", "-wal"))


def _read(reader: ResultsReader, record: TournamentRecord, stamp: Stamp) -> Shown:
    return Shown(record, reader.progress(record.name), reader.standing(record), stamp)


def _size_and_time(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_size, status.st_mtime_ns)
