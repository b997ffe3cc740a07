"""What storing costs, beside the disk's own speed: sessions in their transactions, and the fold."""

import json
import os
import random
import sqlite3
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tongits_harness.play.session import SessionOutcome
from tongits_harness.results.records import SessionRecord
from tongits_harness.results.store import open_store

from tests.bench.figures import Figure, Skipped
from tests.bench.own_loops import SEATS, plans, played, setup
from tests.bench.pages import make_results, tournament_record
from tests.bench.sizes import Sizes

_SEATINGS = 6
_BYTES = 4096
_SYNCS = 200


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    records = make_records(sizes.stored)
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(sizes.rounds):
        with tempfile.TemporaryDirectory(prefix="bench-", dir=os.environ.get("BENCH_DISK")) as name:
            found["write and fsync"].append(_syncs_per_s(Path(name)))
            found["bare sqlite"].append(_bare_per_s(Path(name), len(records)))
            wall, cpu, kib = _store(Path(name) / "results", records)
            found["sessions"].append(len(records) / wall)
            found["CPU of a session"].append(cpu / len(records) * 1e6)
            found["size of a session"].append(kib / len(records))
    yield Figure("store/sessions", "sessions/s", tuple(found["sessions"]))
    yield Figure("store/write and fsync", "writes/s", tuple(found["write and fsync"]))
    yield Figure("store/bare sqlite", "rows/s", tuple(found["bare sqlite"]))
    cpu_us = tuple(found["CPU of a session"])
    yield Figure("store/CPU of a session", "us", cpu_us, better="lower", clock="cpu")
    size = tuple(found["size of a session"])
    yield Figure("store/size of a session", "KiB", size, better="lower", clock="none")
    yield _fold(sizes)


def make_records(count: int) -> list[SessionRecord]:
    """Sessions of two games by chance, as many as make whole matches."""
    chance = random.Random(1)
    records = []
    for number in range(max(1, count // _SEATINGS)):
        for plan in plans(number, _SEATINGS):
            *_, outcome = played(setup(plan), chance)
            if not isinstance(outcome, SessionOutcome):
                raise TypeError("a session ended without an outcome")
            records.append(
                SessionRecord(
                    plan, outcome.games, outcome.seats, (), voids=0, sandbox="full",
                    started_at=0.0, finished_at=1.0,
                )
            )  # fmt: skip
    return records


def _store(folder: Path, records: list[SessionRecord]) -> tuple[float, float, float]:
    """Seconds by the clock and of CPU, KiB of the database."""
    with open_store(folder, create=True) as store:
        store.create_tournament(tournament_record(list(SEATS), len(records) // _SEATINGS))
        wall, cpu = time.perf_counter(), time.process_time()
        for record in records:
            store.add_session("big", record)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return wall, cpu, (folder / "arena.db").stat().st_size / 1024


def _syncs_per_s(folder: Path) -> float:
    with (folder / "raw").open("wb", buffering=0) as file:
        start = time.perf_counter()
        for _ in range(_SYNCS):
            file.write(bytes(_BYTES))
            os.fsync(file.fileno())
        return _SYNCS / (time.perf_counter() - start)


def _bare_per_s(folder: Path, rows: int) -> float:
    """One row of 4 KiB a transaction, with the journal and the care of the real store."""
    with closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)")
        text = json.dumps("x" * _BYTES)
        start = time.perf_counter()
        for _ in range(rows):
            connection.execute("INSERT INTO rows (text) VALUES (?)", (text,))
        return rows / (time.perf_counter() - start)


def _fold(sizes: Sizes) -> Figure:
    """Everything a leaderboard is made of, from the database to the stored checkpoint."""
    values = []
    for _ in range(sizes.long_rounds):
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            values.append(sizes.rated / make_results(Path(name), 6, sizes.rated))
    return Figure("store/whole fold", "matches/s", tuple(values))
