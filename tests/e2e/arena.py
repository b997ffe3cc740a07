"""A results folder and the command `tongits` beside it, as an organiser has them."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

TONGITS = Path(sys.executable).with_name("tongits")
CHECKOUT = Path(__file__).resolve().parents[2]
SAMPLES = CHECKOUT / "sample_bots" / "python"
BAD = CHECKOUT / "sample_bots" / "bad"
OWN = Path(__file__).resolve().parent / "bots"
SEED = "5eed" * 16
NO_FOLDER = Path()
"""For commands that look at no results, or whose words name them already."""
_TRACEBACK = re.compile(r"^[\s|+]*(Exception Group )?Traceback", re.MULTILINE)
EXIT_BOT, EXIT_USAGE, EXIT_CONFIG, EXIT_TEMPORARY, EXIT_INTERRUPTED = 1, 2, 3, 75, 130


@dataclass(frozen=True)
class Done:
    """What a call of the command came to."""

    rc: int
    out: str
    err: str
    seconds: float

    def is_clean(self) -> bool:
        """Nothing of ours broke: no traceback on either stream but those quoted from bots."""
        return _TRACEBACK.search(self.err + self.out) is None


class Running:
    """A call of the command that is going on, in a session of its own as in a terminal."""

    def __init__(self, words: list[str], *, cwd: Path, env: dict[str, str], stdin: str) -> None:
        self._started = time.monotonic()
        streams = Path(tempfile.mkdtemp(prefix="call", dir=cwd))
        self._out, self._err = streams / "out", streams / "err"
        given = streams / "in"
        given.write_text(stdin)
        with given.open("rb") as text, self._out.open("wb") as out, self._err.open("wb") as err:
            self._process = subprocess.Popen(
                words, cwd=cwd, env=env, stdin=text, stdout=out, stderr=err,
                start_new_session=True,
            )  # fmt: skip
        self.pid = self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def errors(self) -> str:
        """Its stderr so far."""
        return self._err.read_text(errors="replace")

    def signal(self, number: int) -> None:
        """Sends a signal to the command alone, if it is still there."""
        if self.is_running:
            self._process.send_signal(number)

    def wait(self, timeout: float = 60.0) -> Done:
        try:
            rc = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.stop()
            raise AssertionError(f"still running after {timeout} s:\n{self.errors()}") from None
        seconds = time.monotonic() - self._started
        return Done(rc, self._out.read_text(errors="replace"), self.errors(), seconds)

    def ends_within(self, seconds: float) -> bool:
        """Waits so long at most."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return not self.is_running

    def stop(self) -> None:
        """Ends it for good."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait(10)


class Arena:
    """Results in `results`, TMPDIR in `tmp`; `run` calls the command, `start` does not wait."""

    def __init__(self, work: Path, tmp: Path) -> None:
        self.work, self.tmp = work, tmp
        self.results = work / "results"
        self.was_killed = False
        self._started: list[Running] = []

    def start(
        self,
        *words: object,
        results: Path | None = None,
        stdin: str = "",
        wrap: tuple[str, ...] = (),
    ) -> Running:
        """Begins a call; the results folder is put behind the words, unless it is NO_FOLDER."""
        place = [] if results == NO_FOLDER else ["--results", str(results or self.results)]
        argv = [*wrap, str(TONGITS), *map(str, words), *place]
        env = {**os.environ, "TMPDIR": str(self.tmp), "COLUMNS": "200", "NO_COLOR": "1"}
        running = Running(argv, cwd=self.work, env=env, stdin=stdin)
        self._started.append(running)
        return running

    def run(self, *words: object, code: int | None = 0, timeout: float = 60.0, **how) -> Done:
        """A whole call; checks its exit status unless `code` is None."""
        done = self.start(*words, **how).wait(timeout)
        assert code is None or done.rc == code, f"exit {done.rc}\n{done.out}\n{done.err}"
        assert done.is_clean(), done.err
        return done

    def stop_all(self) -> None:
        for running in self._started:
            if running.is_running:
                running.stop()

    def file(self, bots: dict[str, Path | str], name: str = "cup", **settings: object) -> Path:
        """Writes a tournament file; a setting like limits__faults=0 goes into [limits]."""
        flat = {"seed": SEED, **settings}
        lines = [f"name = {json.dumps(name)}"]
        lines += [f"{k} = {json.dumps(v)}" for k, v in flat.items() if "__" not in k]
        sections = sorted({key.split("__")[0] for key in flat if "__" in key})
        for section in sections:
            lines.append(f"[{section}]")
            lines += [
                f"{key.split('__', 1)[1]} = {json.dumps(value)}"
                for key, value in flat.items()
                if key.startswith(f"{section}__")
            ]
        for title, bot in bots.items():
            lines += [
                "[[entrants]]",
                f"bot = {json.dumps(str(bot))}",
                f"name = {json.dumps(title)}",
            ]
        path = self.work / f"{name}.toml"
        path.write_text("\n".join(lines) + "\n")
        tomllib.loads(path.read_text())
        return path

    def rows(self, query: str, *values: object, results: Path | None = None) -> list[dict]:
        """Reads the database behind the command's back."""
        path = (results or self.results) / "arena.db"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]

    def leaderboard(self, *words: str, results: Path | None = None) -> dict:
        return json.loads(self.run("leaderboard", "--json", *words, results=results).out)

    def sessions_stored(self) -> int:
        try:
            return self.rows("SELECT count(*) AS n FROM sessions")[0]["n"]
        except sqlite3.Error:
            return 0


def timeless(text: str) -> str:
    """`leaderboard --json` without its decision_ms: what has to be equal to the byte."""
    table = json.loads(text)
    for row in table["rows"]:
        del row["decision_ms"]
    return json.dumps(table)
