"""The writer thread: nothing waits for the disk, nothing handed over is lost without a word."""

import threading

import pytest
import trio
from tongits_harness.errors import CannotContinueError
from tongits_harness.results import writer as writer_module
from tongits_harness.results.queries import open_reader
from tongits_harness.results.store import Store, open_store
from tongits_harness.results.writer import open_writer

from tests.harness.results.builders import match_plan, match_sessions, tournament

RECORDS = [r for i in range(20) for r in match_sessions(match_plan(i), (5, 0, -5))]


@pytest.fixture
def results(tmp_path):
    with open_store(tmp_path, create=True) as store:
        store.create_tournament(tournament())
    return tmp_path


def stored(results):
    with open_reader(results) as reader:
        return reader.stored_sessions("cup")


async def test_leaving_the_block_stores_everything(results):
    async with open_writer(results, "cup") as writer:
        for record in RECORDS:
            await writer.put(record)
    assert len(stored(results)) == len(RECORDS)
    assert not [t for t in threading.enumerate() if t.name == "session-writer" and t.is_alive()]


async def test_flush_waits_for_what_was_put_and_readers_see_it_at_once(results):
    async with open_writer(results, "cup") as writer:
        for number, record in enumerate(RECORDS[:6], start=1):
            await writer.put(record)
            await writer.flush()
            assert len(stored(results)) == number


async def test_a_cancelled_run_still_stores_what_was_handed_over(results):
    with trio.CancelScope() as scope:
        async with open_writer(results, "cup") as writer:
            for record in RECORDS:
                await writer.put(record)
            scope.cancel()
            await trio.sleep_forever()
    assert len(stored(results)) == len(RECORDS)


async def test_a_full_disk_stops_the_run_and_says_what_is_lost(results, monkeypatch):
    real = Store.add_session

    def full_after_four(self, name, record):
        if len(self.stored_sessions(name)) == 4:
            raise CannotContinueError("disk full: cannot write arena.db")
        return real(self, name, record)

    monkeypatch.setattr(Store, "add_session", full_after_four)
    with pytest.raises(CannotContinueError, match=r"disk full.*\(2 finished"):  # noqa: PT012
        async with open_writer(results, "cup") as writer:
            for record in RECORDS[:6]:
                await writer.put(record)
            await writer.failed.wait()
            await writer.put(RECORDS[6])
    assert len(stored(results)) == 4


async def test_a_failure_nobody_waited_for_is_raised_on_leaving(results, monkeypatch):
    def full(_self, _name, _record):
        raise CannotContinueError("disk full: cannot write arena.db")

    monkeypatch.setattr(Store, "add_session", full)
    with pytest.raises(CannotContinueError, match=r"1 finished session is not stored"):
        async with open_writer(results, "cup") as writer:
            await writer.put(RECORDS[0])


async def test_a_full_queue_makes_put_wait_and_a_failure_wakes_it(results, monkeypatch):
    monkeypatch.setattr(writer_module, "QUEUE_LIMIT", 2)
    go = threading.Event()

    def held(_self, _name, _record):
        go.wait()
        raise CannotContinueError("disk full: cannot write arena.db")

    monkeypatch.setattr(Store, "add_session", held)
    accepted = []
    with pytest.raises(CannotContinueError, match="2 finished sessions are not stored"):  # noqa: PT012
        async with open_writer(results, "cup") as writer:
            with pytest.RaisesGroup(CannotContinueError):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(put_all, writer, RECORDS[:5], accepted)
                    await trio.testing.wait_all_tasks_blocked()
                    assert len(accepted) == 2
                    go.set()


async def put_all(writer, records, accepted):
    for record in records:
        await writer.put(record)
        accepted.append(record)


async def test_a_missing_database_is_said_at_the_first_put_or_on_leaving(tmp_path):
    with pytest.raises(CannotContinueError, match="no results"):  # noqa: PT012
        async with open_writer(tmp_path / "nowhere", "cup") as writer:
            await writer.failed.wait()
            await writer.put(RECORDS[0])


async def test_a_bug_of_ours_is_not_dressed_up(results):
    bad = match_sessions(match_plan(), (1, 0, 0))[0]
    with pytest.raises(ValueError, match="do not sum to 0"):
        async with open_writer(results, "cup") as writer:
            await writer.put(bad)


def take_away(path):
    path.unlink()


def replace(path):
    path.with_name("copy.db").write_bytes(path.read_bytes())
    path.with_name("copy.db").replace(path)


def move_the_folder(path):
    path.parent.rename(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize("harm", [take_away, replace, move_the_folder])
async def test_a_database_that_is_taken_away_while_it_is_written_stops_the_run(tmp_path, harm):
    results = tmp_path / "results"
    with open_store(results, create=True) as store:
        store.create_tournament(tournament())

    with pytest.raises(CannotContinueError, match=r"arena\.db was .*is lost.*1 finished"):  # noqa: PT012
        async with open_writer(results, "cup") as writer:
            await writer.put(RECORDS[0])
            await writer.flush()
            harm(results / "arena.db")
            await writer.put(RECORDS[1])


async def test_a_database_that_is_taken_away_after_the_last_session_is_missed_as_well(results):
    with pytest.raises(CannotContinueError, match=r"arena\.db was deleted or moved away"):  # noqa: PT012
        async with open_writer(results, "cup") as writer:
            await writer.put(RECORDS[0])
            await writer.flush()
            take_away(results / "arena.db")
