"""How quick the pages are over large results, and what readers cost."""

import contextlib
import json
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from urllib.request import urlopen

from tongits_engine import Rules
from tongits_harness.results.records import EntrantRecord, TournamentRecord
from tongits_harness.results.secret import commitment
from tongits_harness.results.store import open_store

REQUESTS = 30
_ROWS = 5_000


def make_results(folder: Path, entrants: int, matches: int) -> float:
    """A results folder with the rows of that many matches; seconds that its checkpoint took.

    Only what the pages read is written (matches and their seats), chips being drawn at random.
    """
    names = [f"bot{number:03}" for number in range(entrants)]
    chance = random.Random(1)
    with open_store(folder, create=True) as store:
        store.create_tournament(tournament_record(names, matches))
    connection = sqlite3.connect(folder / "arena.db", isolation_level=None)
    triples = list(combinations(names, 3))
    for begin in range(0, matches, _ROWS):
        connection.execute("BEGIN")
        for index in range(begin, min(begin + _ROWS, matches)):
            _insert(connection, index, triples[index * 7919 % len(triples)], chance)
        connection.execute("COMMIT")
    connection.close()
    began = time.perf_counter()
    with open_store(folder, create=False) as store:
        store.checkpoint("big")
    return time.perf_counter() - began


def _insert(
    connection: sqlite3.Connection, index: int, three: tuple[str, ...], chance: random.Random
) -> None:
    a, b = chance.randint(-30, 30), chance.randint(-30, 30)
    chips = (a, b, -a - b)
    connection.execute(
        "INSERT INTO matches VALUES (1,?,?,?,'full',?)", (index, f"{index:016x}", 0, index)
    )
    for name, own in zip(three, chips, strict=True):
        place = 1 + sum(other > own for other in chips)
        connection.execute(
            "INSERT INTO match_seats VALUES (1,?,?,?,?,12,0,0,90,?)",
            (index, name, place, own, json.dumps({"32": 60, "40": 30})),
        )


def tournament_record(names: list[str], matches: int) -> TournamentRecord:
    rules = Rules()
    return TournamentRecord(
        name="big",
        rules=rules.name,
        parameters=rules.parameters(),
        settings={"seatings": 6, "games": 2, "limits": {"decision_s": 1.0}},
        entrants=tuple(
            EntrantRecord(name, f"{number:064x}", "1", "python", name, {})
            for number, name in enumerate(names)
        ),
        commitment=commitment(bytes(32)),
        matches_planned=matches,
        created_at=0.0,
    )


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[str, int]]:
    """The server as a process; its address and pid."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tongits_harness.cli", "serve", "--results", folder, "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stderr.readline() if process.stderr else ""
        url = next(word for word in line.split() if word.startswith("http://"))
        yield url.rstrip("/"), process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def request_ms(url: str) -> float:
    """The median of some requests, after a first one."""
    times = []
    for _ in range(REQUESTS + 1):
        began = time.perf_counter()
        with urlopen(url, timeout=120) as answer:  # noqa: S310  # our own server
            answer.read()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times[1:])


@dataclass(frozen=True)
class Readers:
    """What open event streams cost the server."""

    count: int
    events: int
    cpu_share: float
    """Of one core."""


def readers(folder: Path, count: int, seconds: float) -> Readers:
    """Event streams beside a database that changes every second."""
    events = 0
    with serving(folder) as (url, pid):
        streams = [urlopen(f"{url}/t/big/events?topic=board", timeout=60) for _ in range(count)]  # noqa: S310

        def listen(stream: object) -> None:
            nonlocal events
            with contextlib.suppress(OSError, ValueError):
                for line in stream:  # type: ignore[attr-defined]
                    events += line.startswith(b"event")

        threads = [threading.Thread(target=listen, args=(s,), daemon=True) for s in streams]
        for thread in threads:
            thread.start()
        before, began = _cpu_s(pid), time.monotonic()
        while time.monotonic() - began < seconds:
            with contextlib.closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
                connection.execute("UPDATE tournaments SET created_at = created_at + 1")
            time.sleep(1)
        share = (_cpu_s(pid) - before) / (time.monotonic() - began)
    for thread in threads:
        thread.join(10)
    for stream in streams:
        stream.close()
    return Readers(count, events, share)


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
