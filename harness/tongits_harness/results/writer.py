"""The one thread that writes sessions, so that the event loop never waits for the disk."""

import queue
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import trio

from tongits_harness.errors import EXIT_INTERRUPTED, CannotContinueError, TongitsError
from tongits_harness.results.connection import CannotWriteNowError, database_path
from tongits_harness.results.records import SessionRecord
from tongits_harness.results.store import Store, open_store

T = TypeVar("T")
QUEUE_LIMIT = 256
"""Finished sessions that may wait for the disk; more make `put` wait."""
CLOSE_SECONDS = 30.0
"""How long leaving the block may take to store what is queued."""
PAUSE_SECONDS = 120.0
"""How long a run waits for room on a full disk, unless told otherwise."""
RETRY_SECONDS = 0.25
"""A paused writer tries again that often."""
CHECKPOINT_MATCHES = 200
"""A checkpoint of the standing is stored every so many settled matches."""
_TOGETHER = 32
"""Sessions that are stored in one transaction at most: as many as wait, one where none does."""
_SESSION_KIB = 64
"""What the database may grow by with a session, its journal included."""


class StoppedInPauseError(CannotContinueError):
    """A run was asked to end while it could not write: an interruption like any other."""

    exit_code = EXIT_INTERRUPTED


@dataclass(slots=True, eq=False)
class _Question:
    """Something to be worked out on the writing thread."""

    work: Callable[[Store], object]
    answered: trio.Event = field(default_factory=trio.Event)
    answers: list[object] = field(default_factory=list)


_Item = SessionRecord | trio.Event | _Question | int | None
"""What the thread is told: a session, whom to tell that all before is stored, a question, up to
which match all is settled, the end."""


class SessionWriter:
    """Takes finished sessions from the event loop; see `open_writer`."""

    def __init__(
        self, results_dir: Path, tournament: str, say: Callable[[str], None], pause_s: float
    ) -> None:
        self.failed = trio.Event()
        """Set when writing has failed: nothing more will be stored."""
        self._results_dir = results_dir
        self._tournament = tournament
        self._say = say
        self._pause_s = pause_s
        self._going = trio.Event()
        self._going.set()
        self._hurry = threading.Event()
        self._room = trio.Semaphore(QUEUE_LIMIT)
        self._queue: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._held: deque[_Item] = deque()
        self._token = trio.lowlevel.current_trio_token()
        self._ended = trio.Event()
        self._accepted = 0
        self._stored = 0
        self._error: BaseException | None = None
        self._checkpoint = 0
        """Settled matches before this one are in the latest checkpoint."""

    async def put(self, record: SessionRecord) -> None:
        """Hand over a session; waits while the queue is full or nothing can be written.

        So whoever makes sessions makes no more of them while writing pauses.

        Raises:
            CannotContinueError: Writing has failed; says what is lost.
        """
        self.check()
        await self._going.wait()
        await self._room.acquire()
        self.check()
        self._accepted += 1
        self._queue.put(record)

    def settled(self, index: int) -> None:
        """Tell that no match up to this one will be stored any more; see `Store.checkpoint`."""
        if index >= self._checkpoint + CHECKPOINT_MATCHES:
            self._checkpoint = index
            self._queue.put(index)

    async def flush(self) -> None:
        """Wait until every session handed over is stored.

        Raises:
            CannotContinueError: Writing has failed; says what is lost.
        """
        self.check()
        reached = trio.Event()
        self._queue.put(reached)
        await reached.wait()
        self.check()

    async def ask(self, work: Callable[[Store], T]) -> T:
        """What a function gives on the writing thread, once all handed over before is stored.

        Raises:
            CannotContinueError: Writing has failed; says what is lost.
        """
        self.check()
        question = _Question(work)
        self._queue.put(question)
        await question.answered.wait()
        self.check()
        (answer,) = question.answers
        return cast("T", answer)

    def check(self) -> None:
        """Do nothing, unless writing has failed.

        Raises:
            CannotContinueError: Writing has failed; says what is lost.
        """
        if self._error is None:
            return
        if not isinstance(self._error, TongitsError):
            raise self._error
        lost = self._accepted - self._stored
        plural = "session is" if lost == 1 else "sessions are"
        stopped = isinstance(self._error, StoppedInPauseError)
        kind = StoppedInPauseError if stopped else CannotContinueError
        raise kind(
            f"{self._error} ({lost} finished {plural} not stored and will be played again)"
        ) from self._error

    def stop_waiting(self) -> None:
        """Fail at once where writing would pause or pauses: the run is asked to end."""
        self._hurry.set()

    async def close(self) -> None:
        """Store what is queued and end the thread, within CLOSE_SECONDS."""
        self._queue.put(None)
        with trio.move_on_after(CLOSE_SECONDS, shield=True):
            await self._ended.wait()

    @property
    def has_ended(self) -> bool:
        """Whether the thread is done."""
        return self._ended.is_set()

    def run(self) -> None:
        """The thread's life: store what comes until told to end; after a failure only drain."""
        item: _Item = None
        try:
            with open_store(self._results_dir, create=False) as store:
                while (item := self._next()) is not None:
                    if isinstance(item, trio.Event):
                        store.check_in_place()
                        self._tell(item.set)
                        continue
                    if isinstance(item, _Question):
                        self._answer(store, item)
                        continue
                    if isinstance(item, int):
                        with suppress(CannotWriteNowError):  # the next one makes up for it
                            store.checkpoint(self._tournament, item)
                        continue
                    self._store(store, [item, *self._more()])
        except BaseException as error:  # the event loop raises it
            self._tell(self._fail, error)
            self._let_go(item)
            self._drain()
        self._tell(self._ended.set)

    def _next(self) -> _Item:
        """What comes next, waited for."""
        if self._held:
            return self._held.popleft()
        return self._queue.get()

    def _more(self) -> list[SessionRecord]:
        """Sessions that wait already, up to the next item of another kind."""
        sessions: list[SessionRecord] = []
        with suppress(queue.Empty):
            while len(sessions) < _TOGETHER:
                item = self._held.popleft() if self._held else self._queue.get_nowait()
                if not isinstance(item, SessionRecord):
                    self._held.appendleft(item)
                    break
                sessions.append(item)
        return sessions

    def _store(self, store: Store, sessions: Sequence[SessionRecord]) -> None:
        """Several in one transaction; where that fails, one after the other as far as it goes."""
        done = False
        if len(sessions) > 1:
            with suppress(Exception):
                with store.together():
                    for session in sessions:
                        store.add_session(self._tournament, session)
                done = True
        for session in sessions:
            if not done:
                self._patiently(partial(store.add_session, self._tournament, session))
            self._tell(self._count_stored)

    def _answer(self, store: Store, question: _Question) -> None:
        self._patiently(lambda: question.answers.append(question.work(store)))
        self._tell(question.answered.set)

    def _patiently(self, write: Callable[[], object]) -> None:
        """Writes, however long it takes to become possible within the pause."""
        deadline: float | None = None
        while True:
            try:
                write()
            except CannotWriteNowError as error:
                if deadline is None:
                    deadline = time.monotonic() + self._pause_s
                    self._tell(self._pause, error.what)
                left = deadline - time.monotonic()
                if left <= 0:
                    raise
                if self._hurry.wait(min(RETRY_SECONDS, left)):
                    raise StoppedInPauseError(_stopped(error.what)) from error
            else:
                if deadline is not None:
                    self._tell(self._resume)
                return

    def _pause(self, what: str) -> None:
        self._going = trio.Event()
        waiting = self._accepted - self._stored
        plural = "session needs" if waiting == 1 else "sessions need"
        self._say(
            f"PAUSED: {what}: {waiting} finished {plural} up to {waiting * _SESSION_KIB} KiB."
            " Nothing is lost; the run goes on by itself when it can write,"
            f" and stops if it cannot within {self._pause_s:g} s"
        )

    def _resume(self) -> None:
        self._going.set()
        self._say(f"{database_path(self._results_dir)} can be written again: the run goes on")

    def _drain(self) -> None:
        while (item := self._next()) is not None:
            self._let_go(item)

    def _let_go(self, item: _Item) -> None:
        """Whoever waits for this need wait no longer."""
        if isinstance(item, _Question):
            item = item.answered
        if isinstance(item, trio.Event):
            self._tell(item.set)

    def _count_stored(self) -> None:
        self._stored += 1
        self._room.release()

    def _fail(self, error: BaseException) -> None:
        self._error = error
        self.failed.set()
        self._going.set()
        for _ in range(self._room.statistics().tasks_waiting):
            self._room.release()

    def _tell(self, function: Callable[..., object], *values: object) -> None:
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(function, *values)


def _stopped(what: str) -> str:
    return (
        f"stopped during a pause ({what}): all that was stored before is saved; make room and go on"
        " with `tongits resume`"
    )


@asynccontextmanager
async def open_writer(
    results_dir: Path,
    tournament: str,
    *,
    say: Callable[[str], None] = lambda _line: None,
    pause_s: float = PAUSE_SECONDS,
) -> AsyncIterator[SessionWriter]:
    """A writer for one stored tournament; leaving the block stores what is queued.

    Where the disk is full or the database is locked, writing pauses and tries again.

    Args:
        results_dir: The results folder.
        tournament: Its name; it is stored already.
        say: Told, on the event loop, when writing pauses and when it goes on.
        pause_s: How long a pause may last before it is a failure.

    Raises:
        CannotContinueError: On leaving, if sessions could not be stored; says what is lost.
    """
    writer = SessionWriter(results_dir, tournament, say, pause_s)
    thread = threading.Thread(target=writer.run, name="session-writer", daemon=True)
    thread.start()
    try:
        yield writer
        await writer.flush()
    finally:
        writer.stop_waiting()
        await writer.close()
        if writer.has_ended:
            thread.join()
    writer.check()
    if not writer.has_ended:
        raise CannotContinueError(
            f"{database_path(results_dir)} took no more data for {CLOSE_SECONDS:.0f} s: sessions of"
            " the last moments may be missing and will be played again"
        )
