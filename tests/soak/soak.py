"""One long disturbed run: tournament after tournament, faults at random moments, then checks.

A seed decides what is done; when it happens depends on the machine.
"""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.e2e.arena import BAD, EXIT_INTERRUPTED, EXIT_TEMPORARY, SAMPLES, Arena, Running, timeless
from tests.e2e.disk import SmallDisk
from tests.e2e.traces import processes_of, traces_of, wait_until

GOOD = ("random", "greedy", "cautious", "caller")
"""Deterministic: the same shuffles give the same games."""
PATIENCE_S = 300.0
Injection = Callable[[Running], Running]


class Soak:
    """Plays, disturbs and checks; `counts` says how often what was done."""

    def __init__(self, arena: Arena, disk: SmallDisk | None, seed: int) -> None:
        self.arena, self.disk = arena, disk
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self._number = 0
        self._control = ""
        self._victims: set[str] = set()
        self._groups_before = _empty_groups()

    # --- tournaments -----------------------------------------------------------------------------

    def play_control(self) -> None:
        """The tournament of good bots with nothing in its way: what all others must come to."""
        self._fresh_results()
        self.arena.run("run", self._good_file(), "--progress", "none", timeout=PATIENCE_S)
        self._control = timeless(self.arena.run("leaderboard", "--json").out)

    def play_good(self) -> None:
        """Good bots only, disturbed by faults of the harness and the machine only."""
        self._fresh_results()
        self._play(self._good_file(), [*self._machine_faults(), self._pause_bot])
        self._check()
        assert timeless(self.arena.run("leaderboard", "--json").out) == self._control
        assert self.arena.rows("SELECT * FROM faults") == []
        self.counts["tournament of good bots"] += 1

    def play_bad(self, bad: tuple[str, ...]) -> None:
        """Two good bots among bad ones, and bots that are killed or stopped from outside."""
        self._fresh_results()
        self._victims.clear()
        bots: dict[str, Path | str] = {name: SAMPLES / name for name in ("greedy", "random")}
        bots |= {name: BAD / name for name in bad}
        file = self.arena.file(
            bots, name=f"bad{self._number}", rounds=2, seatings=3, games=2,
            limits__decision_s=1.0, limits__start_s=60.0, machine__tables=4,
        )  # fmt: skip
        self._play(file, [*self._machine_faults(), self._kill_bot, self._stop_bot])
        self._check()
        charged = {row["entrant"] for row in self.arena.rows("SELECT entrant FROM faults")}
        assert charged <= set(bad) | self._victims, (charged, bad, self._victims)
        self.counts["tournament with bad bots"] += 1
        for name in bad:
            self.counts[f"bad bot {name}"] += 1

    def _good_file(self) -> Path:
        return self.arena.file(
            {name: SAMPLES / name for name in GOOD}, matches=8, seatings=3, games=2,
            limits__decision_s=60.0, limits__bank_s=3600.0, limits__start_s=120.0,
            machine__tables=2,
        )  # fmt: skip

    def _fresh_results(self) -> None:
        self._number += 1
        root = self.disk.path if self.disk else self.arena.work
        self.arena.results = root / f"results{self._number}"

    # --- disturbing ------------------------------------------------------------------------------

    def _play(self, file: Path, injections: list[Injection]) -> None:
        """A tournament to its end, disturbed several times on the way."""
        running = self.arena.start("run", file, "--progress", "none")
        for _ in range(self.chance.randint(2, 5)):
            self._let_it_play(running)
            if not running.is_running:
                break
            running = self.chance.choice(injections)(running)
        done = running.wait(PATIENCE_S)
        while done.rc in {EXIT_INTERRUPTED, EXIT_TEMPORARY}:
            assert done.is_clean(), done.err
            done = self._go_on(file).wait(PATIENCE_S)
        assert done.rc == 0, done.err
        assert done.is_clean(), done.err

    def _let_it_play(self, running: Running) -> None:
        """Until some more sessions are stored, and then a moment, or not at all."""
        aim = self.arena.sessions_stored() + self.chance.choice([0, 1, 1, 2, 4])
        wait_until(
            lambda: self.arena.sessions_stored() >= aim or not running.is_running,
            patience_s=PATIENCE_S,
        )
        running.ends_within(self.chance.uniform(0, 0.5))

    def _go_on(self, file: Path) -> Running:
        database = self.arena.results / "arena.db"
        began = database.exists() and self.arena.rows("SELECT 1 FROM sqlite_schema")
        began = began and self.arena.rows("SELECT name FROM tournaments")
        words = ("resume",) if began else ("run", file)
        return self.arena.start(*words, "--progress", "none")

    def _machine_faults(self) -> list[Injection]:
        faults = [self._kill_harness, self._interrupt, self._interrupt_twice, self._stall]
        return [*faults, self._fill_disk] if self.disk else faults

    def _file(self) -> Path:
        (file,) = sorted(self.arena.work.glob("*.toml"), key=os.path.getmtime)[-1:]
        return file

    def _kill_harness(self, running: Running) -> Running:
        self.counts["harness killed -9"] += 1
        self.arena.was_killed = True
        running.stop()
        wait_until(lambda: not processes_of(self.arena.tmp), patience_s=10)
        return self._go_on(self._file()) if not self._is_finished() else running

    def _interrupt(self, running: Running) -> Running:
        self.counts["harness interrupted"] += 1
        running.signal(self.chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
        return self._after(running)

    def _interrupt_twice(self, running: Running) -> Running:
        self.counts["harness interrupted twice"] += 1
        running.signal(signal.SIGINT)
        running.ends_within(self.chance.uniform(0.05, 0.5))
        running.signal(signal.SIGINT)
        return self._after(running)

    def _after(self, running: Running) -> Running:
        """What was asked to end; if it has not begun a tournament yet it may end without one."""
        done = running.wait(PATIENCE_S)
        if done.rc == 0:
            return running
        assert done.rc in {EXIT_INTERRUPTED, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP}
        assert traces_of(self.arena.tmp) == [] or self.arena.was_killed
        return self._go_on(self._file())

    def _stall(self, running: Running) -> Running:
        self.counts["harness stalled"] += 1
        running.signal(signal.SIGSTOP)
        time.sleep(self.chance.uniform(0.3, 2.0))  # this is the stall
        running.signal(signal.SIGCONT)
        return running

    def _fill_disk(self, running: Running) -> Running:
        assert self.disk is not None
        self.counts["disk full"] += 1
        self.disk.fill()
        paused = wait_until(
            lambda: "PAUSED" in running.errors() or not running.is_running,
            patience_s=20, must=False,
        )  # fmt: skip
        self.counts["disk full, run paused"] += paused and running.is_running
        if self.chance.random() < 0.3:
            running.signal(signal.SIGINT)
            running.wait(PATIENCE_S)
        self.disk.free()
        if running.is_running or self._is_finished():
            return running
        return self._go_on(self._file())

    def _kill_bot(self, running: Running) -> Running:
        self.counts["bot killed from outside"] += self._hit_bot(signal.SIGKILL)
        return running

    def _stop_bot(self, running: Running) -> Running:
        self.counts["bot stopped from outside"] += self._hit_bot(signal.SIGSTOP)
        return running

    def _pause_bot(self, running: Running) -> Running:
        """A slow start, if it is starting; in any case far from its limits."""
        bots = self._bots()
        if bots:
            pid, _ = self.chance.choice(bots)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                time.sleep(self.chance.uniform(0.2, 1.5))  # this is the pause
                os.kill(pid, signal.SIGCONT)
                self.counts["bot slowed down"] += 1
        return running

    def _hit_bot(self, number: signal.Signals) -> int:
        bots = self._bots()
        if not bots:
            return 0
        pid, name = self.chance.choice(bots)
        self._victims.add(name)
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        return 1

    def _bots(self) -> list[tuple[int, str]]:
        """Processes of bots with their entrants' names, by the program they run."""
        found = []
        for pid in processes_of(self.arena.tmp):
            with suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
                programs = [word for word in words if word.endswith("_bot.py")]
                if programs and "python" in Path(words[0]).name:
                    found.append((pid, Path(programs[0]).name.removesuffix("_bot.py")))
        return sorted(found)

    # --- checks ----------------------------------------------------------------------------------

    def _is_finished(self) -> bool:
        with suppress(Exception):
            return bool(self.arena.rows("SELECT 1 FROM tournaments WHERE finished_at IS NOT NULL"))
        return False

    def _check(self) -> None:
        """Every planned session once or barred, all of it true, and nothing left behind."""
        assert self._is_finished()
        done = self.arena.run("verify", code=None, timeout=PATIENCE_S)
        assert done.rc == 0, done.out
        assert traces_of(self.arena.tmp) == []
        wait_until(lambda: not (_empty_groups() - self._groups_before), patience_s=10)
        assert self.arena.run("resume", code=3).err.count("\n") == 1
        (sums,) = self.arena.rows("SELECT count(*) AS sessions, sum(voids) AS voids FROM sessions")
        (matches,) = self.arena.rows("SELECT count(*) AS n FROM matches")
        self.counts["matches played"] += matches["n"]
        self.counts["sessions stored"] += sums["sessions"]
        self.counts["sessions replayed after a void"] += sums["voids"] or 0
        for row in self.arena.rows("SELECT kind, count(*) AS n FROM faults GROUP BY kind"):
            self.counts[f"faults charged: {row['kind']}"] += row["n"]


def _empty_groups() -> set[str]:
    """Control groups for bots that have none any more; runs beside this one have theirs."""
    found = set()
    for folder, _, files in os.walk("/sys/fs/cgroup"):  # which bears folders that go away meanwhile
        if "tongits-bot-" in folder and "cgroup.procs" in files:
            with suppress(OSError):
                if not Path(folder, "cgroup.procs").read_text():
                    found.add(folder)
    return found
