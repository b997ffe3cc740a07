"""Level `none`: no isolation. What remains is an empty environment, closed descriptors and rlimits.

It is for programs one trusts, such as one's own bot on a machine without namespaces. As root a bot
is still taken off uid 0 wherever `setpriv` can do it.
"""

import enum
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.mounts import Runtime
from tongits_harness.bots.rungs import Rung
from tongits_harness.bots.sandbox.environment import (
    BOT_PATH,
    launch_environment,
    prlimit_arguments,
)
from tongits_harness.bots.sandbox.identity import drop_to, slot_uid
from tongits_harness.bots.sandbox.levels import Command, Launch, Level, tell_weak_limits
from tongits_harness.bots.sandbox.runtime import python_in_place, relay_words_in_place
from tongits_harness.bots.seat import SOCKET_NAME
from tongits_harness.bots.tools import find_tool

_PROBE_TIMEOUT_S = 20
_IS_OUR_PYTHON = (
    "import importlib.util as u, sys;"
    "sys.exit(u.find_spec('grpc') is None or sys.base_prefix != sys.argv[1])"
)
_KEEP_READING = ("--inh-caps", "-all,+dac_read_search", "--ambient-caps", "-all,+dac_read_search",
                 "--bounding-set", "-all,+dac_read_search", "--no-new-privs")  # fmt: skip


class Dropping(enum.Enum):
    """What becomes of the harness's own uid."""

    TO_SLOT = "uid dropped"
    TO_READING_SLOT = "uid dropped, files of root stay readable (the interpreter is among them)"
    NOTHING = "bots run as the user of the harness"


@dataclass(frozen=True, slots=True)
class PlainSandbox:
    """Starts bots as ordinary processes."""

    dropping: Dropping
    setpriv: str | None
    prlimit: str | None
    python: Runtime
    rung: Rung

    @property
    def level(self) -> Level:
        """Always `none`."""
        return Level.NONE

    def describe(self) -> str:
        """One line for the header of a run."""
        limits = "rlimits" if self.prlimit else "no rlimits (prlimit is missing)"
        weak = tell_weak_limits(self.level, self.rung.enforces)
        return (
            f"none: NO ISOLATION, {limits}, {self.rung.name}; {self.dropping.value}; {weak}; "
            "results are untrusted"
        )

    def bot_uid(self, slot: int) -> int:
        """The slot's uid, or the harness's own where it could not be dropped."""
        return os.getuid() if self.dropping is Dropping.NOTHING else slot_uid(slot)

    @contextmanager
    def prepare(self, launch: Launch) -> Iterator[Command]:
        """The command for one start."""
        runtime = launch.runtime.in_place()
        if launch.needs_python:
            runtime = self.python | runtime
        path = (*runtime.search_path, os.environ.get("PATH", BOT_PATH))
        seat = str(launch.seat_folder)
        yield Command(
            argv=(
                *self._prefix(launch.slot, launch.limits),
                *(relay_words_in_place(launch.relay, seat) if launch.relay else ()),
                *launch.argv,
            ),
            env=launch_environment(
                launch,
                address=f"unix:{seat}/{SOCKET_NAME}",
                scratch=str(launch.work.scratch) if launch.work else "",
                path=":".join(path),
                language=runtime.env,
            ),
            cwd=str(launch.bot_folder),
            fds=(),
            status_fd=None,
            gate_fd=None,
        )

    def _prefix(self, slot: int, limits: Limits) -> list[str]:
        words: list[str] = []
        if self.setpriv:
            words += self._drop(self.setpriv, slot)
        if self.prlimit:
            own_uid = self.dropping is not Dropping.NOTHING
            words += prlimit_arguments(
                self.prlimit, limits, count_processes=own_uid, enforced=self.rung.enforces
            )
        return words

    def _drop(self, setpriv: str, slot: int) -> list[str]:
        match self.dropping:
            case Dropping.TO_SLOT:
                words = drop_to(setpriv, slot)
            case Dropping.TO_READING_SLOT:
                words = drop_to(setpriv, slot, *_KEEP_READING)
            case Dropping.NOTHING:
                words = (setpriv, "--no-new-privs")
        return [*words, "--pdeathsig", "KILL", "--"]


def open_plain(rung: Rung) -> PlainSandbox:
    """Level `none` with the most of it that works here, found by trying."""
    setpriv, prlimit, python = find_tool("setpriv"), find_tool("prlimit"), python_in_place()
    if os.getuid() == 0 and setpriv:
        for dropping in (Dropping.TO_SLOT, Dropping.TO_READING_SLOT):
            sandbox = PlainSandbox(dropping, setpriv, prlimit, python, rung)
            if _can_run_python(sandbox):
                return sandbox
    return PlainSandbox(Dropping.NOTHING, setpriv, prlimit, python, rung)


def _can_run_python(sandbox: PlainSandbox) -> bool:
    folder = Path(tempfile.gettempdir())
    argv = ("python3", "-c", _IS_OUR_PYTHON, sys.base_prefix)
    launch = Launch(argv, "python", folder, folder, "", Limits(), slot=0)
    with sandbox.prepare(launch) as command:
        done = subprocess.run(
            command.argv,
            env=command.env,
            cwd=command.cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_TIMEOUT_S,
            check=False,
        )
    return done.returncode == 0
