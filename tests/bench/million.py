"""A tournament of very many stored matches: its database, and what its readers and resume cost.

`python -m tests.bench.million FOLDER [MATCHES]` makes the database (the matches and their sessions'
rows at all seatings, chips drawn at random; no games) and prints figures. The last matches of the
schedule are left to play, so that `tongits resume` can be tried as it is.
"""

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from tongits_harness.config import make_config
from tongits_harness.play.plan import MatchPlan
from tongits_harness.play.schedule import round_robin
from tongits_harness.results.store import open_store
from tongits_harness.runs import PreparedRun, _begin, prepare_run

NAME = "big"
LEFT = 12
"""Matches that are not stored."""
_BOTS = ("random", "greedy", "cautious", "caller")
_ENTRANTS = 10
_SEATINGS = 6
_ROWS = 5_000


def prepare(folder: Path, matches: int) -> PreparedRun:
    """A tournament of sample bots, begun in that folder."""
    entrants = [
        {"bot": _BOTS[number % len(_BOTS)], "name": f"bot{number}"} for number in range(_ENTRANTS)
    ]
    data = {"name": NAME, "matches": matches + LEFT, "entrants": entrants}
    run = prepare_run(make_config(data, origin="bench"), base=Path(), results=folder)
    with open_store(folder, create=True) as store:
        _begin(store, run)
    return run


def fill(folder: Path, run: PreparedRun, matches: int) -> None:
    """Writes the rows of that many matches."""
    chance = random.Random(1)
    plans = islice(round_robin(NAME, tuple(run.setup.bots), run.setup.rounds), matches)
    connection = sqlite3.connect(folder / "arena.db", isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    while chunk := list(islice(plans, _ROWS)):
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO matches VALUES (1,?,?,?,'full',?)",
            ((plan.index, plan.key, plan.round, float(plan.index)) for plan in chunk),
        )
        connection.executemany(
            'INSERT INTO match_seats VALUES (1,?,?,?,?,12,0,0,90,\'{"32":60,"40":30}\')',
            (row for plan in chunk for row in _seats(plan, chance)),
        )
        connection.executemany(
            "INSERT INTO sessions (tournament_id, match_index, seating, match_key, round, voids,"
            " sandbox, started_at, finished_at) VALUES (1,?,?,?,?,0,'full',?,?)",
            (
                (plan.index, seating, plan.key, plan.round, plan.index - 1.0, float(plan.index))
                for plan in chunk
                for seating in range(_SEATINGS)
            ),
        )
        connection.execute("COMMIT")
    connection.close()


def _seats(plan: MatchPlan, chance: random.Random) -> Iterator[tuple[int, str, int, int]]:
    first, second = chance.randint(-30, 30), chance.randint(-30, 30)
    chips = (first, second, -first - second)
    for name, own in zip(plan.entrants, chips, strict=True):
        yield plan.index, name, 1 + sum(other > own for other in chips), own


def timed(what: str, act: Callable[[], object]) -> None:
    """Prints what an act cost."""
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    print(
        f"{what}: {(time.perf_counter() - wall) * 1000:,.0f} ms,"
        f" {(time.process_time() - cpu) * 1000:,.0f} ms CPU",
        flush=True,
    )


def command(*words: str) -> None:
    """Prints time and memory of a command."""
    argv = ["/usr/bin/time", "-f", "%e s, %U s CPU, %M KiB", sys.executable, "-m"]
    done = subprocess.run(
        [*argv, "tongits_harness.cli", *words], capture_output=True, text=True, check=False
    )
    print(f"{words[0]}: {done.stderr.strip().splitlines()[-1]}", flush=True)


def main(folder: Path, matches: int) -> None:
    """Makes the database if it is not there, and prints the figures."""
    if not (folder / "arena.db").exists():
        run = prepare(folder, matches)
        timed(f"writing {matches} matches", lambda: fill(folder, run, matches))
        with open_store(folder, create=False) as store:
            timed("the whole fold", lambda: store.checkpoint(NAME))
    for words in ("leaderboard", "status", "matches"):
        command(words, "--results", str(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000)
