"""Level `partial`: Landlock, the seccomp filter and rlimits, where no namespace can be made.

A bot can read only what it needs, write nothing, and open no socket but the unix kind. It is not
alone: it sees that other processes exist, and nothing keeps it from a socket of the account it runs
as whose path it knows. That is why this level must be asked for by name.
"""

import base64
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tongits_harness.bots import seccomp
from tongits_harness.bots.landlock import landlock_abi
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs import Rung
from tongits_harness.bots.sandbox.environment import BOT_PATH
from tongits_harness.bots.sandbox.levels import Command, Launch, Level, tell_weak_limits
from tongits_harness.bots.sandbox.plain import PlainSandbox, open_plain
from tongits_harness.bots.sandbox.runtime import Rights, python_rights
from tongits_harness.bots.staging import open_run_folder
from tongits_harness.errors import SandboxUnavailableError

_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from tongits_harness.bots.launcher import main; main(sys.argv[2:])"
)
_SYSTEM = (
    "/usr", "/bin", "/lib", "/lib32", "/lib64", "/sbin", "/etc/ld.so.cache", "/etc/alternatives",
    "/proc", "/dev/urandom", "/dev/random", "/dev/zero",
)  # fmt: skip
_WRITABLE = ("/dev/null",)
_PACKAGES = "python"
_SIGNAL_ABI = 6
_PROBE_LIMIT_S = 20.0
_PROBE = """
import errno, grpc, os, socket, sys
def refused(attempt):
    try:
        attempt()
    except OSError as error:
        return error.errno in (errno.EACCES, errno.EPERM, errno.EAFNOSUPPORT)
status = open("/proc/self/status").read()
sys.exit(not (
    refused(lambda: open(sys.argv[1]).read()) and refused(lambda: os.listdir("/"))
    and refused(lambda: open(sys.argv[1], "w")) and refused(lambda: socket.socket(socket.AF_INET))
    and "NoNewPrivs:\\t1" in status and "Seccomp:\\t2" in status
    and "Uid:\\t0" not in status
))
"""
"""Ends with 0 if it can do what a bot must and nothing that it must not."""


@dataclass(frozen=True, slots=True)
class PartialSandbox:
    """Starts bots as ordinary processes that have given up all they do not need."""

    plain: PlainSandbox
    """How they come by their uid and rlimits."""
    rights: Rights
    filter: bytes
    abi: int

    @property
    def level(self) -> Level:
        """Always `partial`."""
        return Level.PARTIAL

    @property
    def rung(self) -> Rung:
        """Whatever the machine has."""
        return self.plain.rung

    def describe(self) -> str:
        """One line for the header of a run."""
        open_doors = ["sockets of the account can be reached"]
        if self.abi < _SIGNAL_ABI:
            open_doors.append("processes of the account can be signalled")
        weak = tell_weak_limits(self.level, self.rung.enforces)
        means = f"Landlock ABI {self.abi}, seccomp, rlimits, {self.rung.name}"
        parts = (f"partial: NO NAMESPACES, {means}", self.plain.dropping.value, *open_doors, weak)
        return "; ".join(part for part in parts if part)

    def bot_uid(self, slot: int) -> int:
        """As without a sandbox."""
        return self.plain.bot_uid(slot)

    @contextmanager
    def prepare(self, launch: Launch) -> Iterator[Command]:
        """The command for one start, with its orders and its gate."""
        with ExitStack() as stack:
            ours, theirs = socket.socketpair()
            ours.send(b"x")
            stack.callback(theirs.close)
            orders = os.memfd_create("orders")
            stack.callback(os.close, orders)
            os.write(orders, self._orders(launch, theirs.fileno()))
            os.lseek(orders, 0, os.SEEK_SET)
            command = stack.enter_context(self.plain.prepare(_without_command(launch)))
            yield replace(
                command,
                argv=(
                    *command.argv,
                    *(self.rights.program, "-I", "-S", "-B", "-c", _START, _package_root()),
                    *(str(orders), *launch.argv),
                ),
                env={**command.env, **self._python_environment(launch), "PATH": self._path(launch)},
                fds=(theirs.fileno(), orders),
                gate_fd=ours.detach(),
            )

    def _orders(self, launch: Launch, gate: int) -> bytes:
        own = (str(launch.bot_folder), str(launch.seat_folder))
        toolchain = [str(host) for host, _ in launch.runtime.binds]
        workshop = [str(launch.bot_folder), str(launch.work.scratch)] if launch.work else []
        return json.dumps(
            {
                "readable": [
                    *_SYSTEM,
                    *own,
                    *toolchain,
                    *(self.rights.readable if launch.needs_python else ()),
                ],
                "writable": [*_WRITABLE, *workshop],
                "filter": base64.b64encode(self.filter).decode(),
                "gate": gate,
            }
        ).encode()

    def _path(self, launch: Launch) -> str:
        python = self.rights.search_path if launch.needs_python else ()
        return ":".join((*python, *launch.runtime.in_place().search_path, BOT_PATH))

    def _python_environment(self, launch: Launch) -> dict[str, str]:
        """Where the packages are: in the seat's folder, which is removed with the process."""
        if not launch.needs_python:
            return {}
        packages = launch.seat_folder / _PACKAGES
        packages.mkdir(mode=0o755)
        packages.chmod(0o755)
        self.rights.link_packages(packages)
        return {"PYTHONPATH": str(packages)}


def _without_command(launch: Launch) -> Launch:
    """What its prefix is asked for with; the command itself is added behind."""
    return replace(launch, argv=(), language="python" if launch.needs_python else launch.language)


def open_partial(rung: Rung) -> PartialSandbox:
    """Level `partial`, tried by a program that looks for what it must not find.

    Raises:
        SandboxUnavailableError: The kernel has no Landlock, or the program found something.
    """
    abi = landlock_abi()
    if not abi:
        raise SandboxUnavailableError(
            "the sandbox level partial cannot be made: the kernel has no Landlock, or it was left "
            "out at boot\nboot with lsm=landlock,... on Linux 5.13 or newer"
        )
    if not seccomp.is_supported():
        raise SandboxUnavailableError(
            "the sandbox level partial cannot be made: there is no seccomp filter for this "
            "processor\nuse an x86_64 or aarch64 machine"
        )
    program = seccomp.build_filter(families=seccomp.LOCAL_FAMILIES)
    sandbox = PartialSandbox(open_plain(rung), python_rights(), program, abi)
    if failure := _probe(sandbox):
        raise SandboxUnavailableError(
            f"the sandbox level partial cannot be made: {failure}\n"
            "see `tongits doctor`, and report this machine"
        )
    return sandbox


def _probe(sandbox: PartialSandbox) -> str | None:
    with open_run_folder() as run:
        secret, bot, seat = run.path / "secret", run.path / "bots", run.path / "seat"
        secret.write_text("x")
        secret.chmod(0o666)  # so that nothing but Landlock keeps a bot from it
        bot.chmod(0o755)
        seat.mkdir(mode=0o755)
        argv = ("python3", "-c", _PROBE, str(secret))
        with sandbox.prepare(Launch(argv, "python", bot, seat, "", Limits(), 0)) as command:
            if command.gate_fd is not None:
                os.close(command.gate_fd)
            try:
                done = subprocess.run(
                    command.argv, env=command.env, cwd=command.cwd, pass_fds=command.fds,
                    stdin=subprocess.DEVNULL, capture_output=True, timeout=_PROBE_LIMIT_S,
                    check=False,
                )  # fmt: skip
            except (OSError, subprocess.TimeoutExpired) as error:
                return str(error)
    if done.returncode == 0:
        return None
    told = done.stderr.decode(errors="replace").strip().splitlines()
    return told[-1] if told else f"a program inside got through (status {done.returncode})"


def _package_root() -> str:
    """The folder that holds the package `tongits_harness`."""
    return str(Path(sys.modules["tongits_harness"].__path__[0]).parent)
