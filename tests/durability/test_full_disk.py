"""A full disk pauses a run; it goes on by itself when there is room, and nothing is lost."""

import threading
from contextlib import contextmanager

import pytest
import trio
from tongits_harness.errors import CannotContinueError
from tongits_harness.logs import LogFile
from tongits_harness.results import writer as writer_module
from tongits_harness.results.connection import CannotWriteNowError
from tongits_harness.results.queries import open_reader
from tongits_harness.results.store import Store, open_store
from tongits_harness.results.writer import open_writer

from tests.harness.results.builders import match_plan, match_sessions, tournament

RECORDS = [r for i in range(6) for r in match_sessions(match_plan(i), (5, 0, -5))]


@pytest.fixture
def results(tmp_path):
    with open_store(tmp_path, create=True) as store:
        store.create_tournament(tournament())
    return tmp_path


class Disk:
    """A disk that holds four more sessions until it is given room."""

    def __init__(self, monkeypatch):
        real = Store.add_session
        self.room = threading.Event()
        self.tries = 0

        def add_session(store, name, record):
            if not self.room.is_set() and len(store.stored_sessions(name)) == 4:
                self.tries += 1
                raise CannotWriteNowError("disk full: cannot write arena.db", "free some space")
            return real(store, name, record)

        monkeypatch.setattr(Store, "add_session", add_session)
        monkeypatch.setattr(writer_module, "RETRY_SECONDS", 0.001)


@pytest.fixture
def disk(monkeypatch):
    return Disk(monkeypatch)


class Said:
    """What the writer says; tests can wait for it."""

    def __init__(self):
        self.lines = []
        self._told = trio.Event()

    def __call__(self, line):
        self.lines.append(line)
        self._told.set()
        self._told = trio.Event()

    async def times(self, count):
        while len(self.lines) < count:
            await self._told.wait()


def stored(results):
    with open_reader(results) as reader:
        return len(reader.stored_sessions("cup"))


async def put_all(writer, records):
    for record in records:
        await writer.put(record)


async def test_a_paused_writer_takes_no_more_and_goes_on_when_there_is_room(results, disk):
    said = Said()
    with trio.fail_after(20):
        async with open_writer(results, "cup", say=said) as writer, trio.open_nursery() as nursery:
            await put_all(writer, RECORDS[:6])
            await said.times(1)
            nursery.start_soon(put_all, writer, RECORDS[6:])
            await trio.testing.wait_all_tasks_blocked()
            assert writer._accepted == 6
            assert stored(results) == 4
            disk.room.set()
            await said.times(2)

    assert stored(results) == len(RECORDS)
    paused, resumed = said.lines
    assert "disk full: cannot write arena.db: 2 finished sessions need up to 128 KiB" in paused
    assert "goes on by itself" in paused
    assert "120 s" in paused
    assert "arena.db can be written again" in resumed


async def test_a_pause_that_lasts_too_long_is_a_failure_that_says_what_is_lost(results, disk):
    said = Said()
    with pytest.raises(CannotContinueError, match=r"disk full.*\(3 finished sessions are not"):  # noqa: PT012
        async with open_writer(results, "cup", say=said, pause_s=0.05) as writer:
            await put_all(writer, RECORDS[:7])
            await writer.flush()
    assert stored(results) == 4
    assert disk.tries > 1
    assert len(said.lines) == 1


async def test_a_run_that_is_asked_to_end_does_not_wait_for_room(results, disk):
    said = Said()
    with trio.fail_after(20), pytest.raises(CannotContinueError, match="1 finished session is"):  # noqa: PT012
        async with open_writer(results, "cup", say=said) as writer:
            await put_all(writer, RECORDS[:5])
            await said.times(1)
            writer.stop_waiting()
            await writer.flush()


class Raw:
    """A file that takes so many bytes of the next writes."""

    def __init__(self):
        self.content = b""
        self.room: list[int | None] = []

    def write(self, content):
        room = self.room.pop(0) if self.room else None
        if room == 0:
            raise OSError(28, "No space left on device")
        self.content += content[:room]
        return len(content[:room])


def test_log_lines_without_room_are_counted_and_never_glued_together():
    raw = Raw()
    file = LogFile(raw)
    raw.room = [None, 0, 5, 0]
    for line in ("one\n", "two\n", "three, torn\n", "four\n", "five\n", "six\n"):
        file.write(line)

    lines = raw.content.decode().splitlines()
    assert lines[0] == "one"
    assert lines[1:] == ['{"eve', '{"event": "log_lines_lost", "lines": 3}', "five", "six"]


@contextmanager
def locked(results):
    with open_store(results, create=False) as store:
        store._connection.execute("BEGIN IMMEDIATE")
        yield
        store._connection.execute("ROLLBACK")


async def test_another_program_in_the_way_is_waited_for(results, monkeypatch):
    monkeypatch.setattr("tongits_harness.results.connection.BUSY_TIMEOUT_MS", 5)
    said = Said()
    with trio.fail_after(20):
        async with open_writer(results, "cup", say=said) as writer:
            await put_all(writer, RECORDS[:1])
            await writer.flush()
            with locked(results):
                await put_all(writer, RECORDS[1:3])
                await said.times(1)
    assert "locked by another program" in said.lines[0]
    assert stored(results) == 3
