"""A whole tournament by `tongits run`: its rates with and without its start, and who used the CPU.

Everything is as an organiser has it: a process of its own, bots in their sandboxes, real gRPC,
real SQLite. Rates are made afterwards from the sessions that are stored.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench import compiled
from tests.bench.family import Used, Watch
from tests.bench.figures import BenchError
from tests.bench.machine import RESULTS

_LIMIT_S = 3600


@dataclass(frozen=True, slots=True)
class Entry:
    """One entrant."""

    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be played."""

    name: str
    entries: tuple[Entry, ...]
    matches: int
    rules: str = "tongits-lite"
    seatings: int = 6
    games: int = 2
    workers: int = 1
    tables: int | None = None
    """Sessions at once; None for what `run` itself chooses, as for the next."""
    compute_slots: int | None = None
    compiled: bool = False
    """With the modules that `make compiled` has built."""
    decision_s: float = 30.0
    """Far above what is measured: a crowded machine must not make faults of its own."""

    def toml(self) -> str:
        chosen = {"tables": self.tables, "compute_slots": self.compute_slots}
        machine = [f"{name} = {value}\n" for name, value in chosen.items() if value]
        tables = [
            f"[[entrants]]\nname = {json.dumps(entry.name)}\nbot = {json.dumps(entry.bot)}\n"
            for entry in self.entries
        ]
        return (
            f"name = {json.dumps(self.name)}\nmatches = {self.matches}\n"
            f"seatings = {self.seatings}\ngames = {self.games}\n"
            f'[rules]\nname = "{self.rules}"\n'
            f"[limits]\ndecision_s = {self.decision_s}\nbank_s = 3600.0\nstart_s = 120.0\n"
            f"[machine]\n" + "".join([*machine, *tables])
        )


@dataclass(frozen=True, slots=True)
class Session:
    """What is stored of one."""

    seating: int
    started: float
    finished: float
    decisions: int
    games: int
    thought_s: float
    """Charged to its three seats."""


@dataclass(frozen=True, slots=True)
class Played:
    """One tournament."""

    sessions: tuple[Session, ...]
    seconds: float
    """From starting the command to its end."""
    first_s: float
    """From starting the command to the first stored session."""
    whole: Used
    steady: Used
    """Of the steady span, see `_span`."""
    span: tuple[float, float]
    harness_kib: int
    bot_kib: int
    faults: int

    @property
    def decisions(self) -> int:
        return sum(session.decisions for session in self.sessions)

    @property
    def games(self) -> int:
        return sum(session.games for session in self.sessions)

    def in_span(self, what: str) -> float:
        """decisions, games or thought_s of the steady span: of a session that reaches out of it
        the part of its time that lies within."""
        start, end = self.span
        return sum(
            getattr(one, what)
            * max(0.0, min(one.finished, end) - max(one.started, start))
            / max(one.finished - one.started, 1e-9)
            for one in self.sessions
        )

    def steady_rate(self, what: str) -> float:
        return self.in_span(what) / max(self.span[1] - self.span[0], 1e-9)


@contextmanager
def scratch() -> Iterator[Path]:
    """A results folder for this run only; what its bots' builds make is kept for the next run."""
    kept = RESULTS / "builds"
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        Path(name, "builds").symlink_to(kept)
        yield Path(name)


def play(order: Order, results: Path) -> Played:
    """Plays it to its end.

    Raises:
        BenchError: it could not be played; says why.
    """
    results.mkdir(parents=True, exist_ok=True)
    file = results / f"{order.name}.toml"
    file.write_text(order.toml(), encoding="utf-8")
    workers = ["--workers", str(order.workers)] if order.workers > 1 else []
    words = ["run", str(file), "--results", str(results), "--progress", "none", "--allow-fetch"]
    began = time.time()
    process = subprocess.Popen(
        [sys.executable, "-m", "tongits_harness.cli", *words, *workers],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **(compiled.ENVIRONMENT if order.compiled else {})},
    )
    watch = Watch(process.pid)
    try:
        _, said = process.communicate(timeout=_LIMIT_S)
    finally:
        process.kill()
        process.wait()
        watch.stop()
    ended = time.time()
    if process.returncode != 0:
        lines = said.decode(errors="replace").strip().splitlines()
        raise BenchError(
            f"{order.name} ended with {process.returncode}: {' '.join(lines[-1:])[:200]}"
        )
    return _played(order, results, watch, began, ended)


def _played(order: Order, results: Path, watch: Watch, began: float, ended: float) -> Played:
    sessions, faults = _stored(results, order.name)
    span = _span(sessions)
    return Played(
        sessions=sessions,
        seconds=ended - began,
        first_s=min(s.finished for s in sessions) - began,
        whole=watch.between(began, ended),
        steady=watch.between(*span),
        span=span,
        harness_kib=max(look.harness_kib for look in watch.looks),
        bot_kib=max(look.bot_kib for look in watch.looks),
        faults=faults,
    )


def _span(sessions: Sequence[Session]) -> tuple[float, float]:
    """When all tables were taken and no bot process was still to be started.

    From the first end of a session at the seating that came last (each has processes of its own) to
    the last start of a session. In a tournament too short for that, from the first end of any, or
    the whole.
    """
    last_start = max(one.started for one in sessions)
    firsts: dict[int, float] = {}
    for one in sessions:
        firsts[one.seating] = min(one.finished, firsts.get(one.seating, one.finished))
    for start in (max(firsts.values()), min(firsts.values())):
        if sum(one.started > start for one in sessions) > len(sessions) * _ENOUGH:
            return start, last_start
    return min(one.started for one in sessions), max(one.finished for one in sessions)


_ENOUGH = 0.2
"""Share of the sessions that must begin within a steady span."""
_SESSIONS = """
    SELECT seating, sessions.started_at, sessions.finished_at,
        (SELECT sum(decisions) FROM session_seats WHERE session_id = sessions.id),
        (SELECT count(*) FROM games WHERE session_id = sessions.id),
        (SELECT sum(bank_used_us) FROM session_seats WHERE session_id = sessions.id) / 1e6
    FROM sessions JOIN tournaments ON tournaments.id = sessions.tournament_id
    WHERE name = ?
"""
_FAULTS = """
    SELECT count(*) FROM faults JOIN sessions ON sessions.id = session_id
    JOIN tournaments ON tournaments.id = sessions.tournament_id
    WHERE name = ?
"""


def _stored(results: Path, name: str) -> tuple[tuple[Session, ...], int]:
    with closing(sqlite3.connect(results / "arena.db")) as connection:
        rows = connection.execute(_SESSIONS, (name,)).fetchall()
        (faults,) = connection.execute(_FAULTS, (name,)).fetchone()
    if not rows:
        raise BenchError(f"{name}: nothing was stored in {results}")
    return tuple(Session(*row) for row in rows), faults


def copies(bot: str, count: int = 4) -> tuple[Entry, ...]:
    """So many entrants of one bot."""
    return tuple(Entry(f"{Path(bot).name}-{number}", bot) for number in range(count))


def samples(names: Sequence[str]) -> tuple[Entry, ...]:
    """Sample bots under their own names."""
    return tuple(Entry(name, name) for name in names)
