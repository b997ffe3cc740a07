"""The sandbox of bubblewrap, a seccomp filter and rlimits: what is in it, how it is started.

A bot sees /usr, its own files, the folder of its socket, the runtime of its language and small temp
folders of its own; it has no network, no other process, no terminal and no capability. Everything
but the temp folders is read-only, also / and /dev, which bwrap would leave writable without bound.
Arguments travel through a descriptor, so that no folder of the host can be read from
/proc/1/cmdline, and bwrap itself starts with an empty environment, because the helper that stays as
pid 1 keeps it readable.

Set-up gate: bwrap reads one byte from `--block-fd` after everything is mounted and closes it just
before it starts the bot. Over a socket pair our end then sees a plain end of file; had bwrap failed
earlier, the byte would be unread and the kernel would report a reset. (The `child-pid` line of the
status pipe comes before the mounts are made, so it proves nothing.)
"""

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.bots.mounts import Runtime
from tongits_harness.bots.rungs import Rung
from tongits_harness.bots.rungs.base import MEMORY, PROCESSES
from tongits_harness.bots.sandbox.environment import (
    BOT_PATH,
    launch_environment,
    prlimit_arguments,
)
from tongits_harness.bots.sandbox.identity import Identity
from tongits_harness.bots.sandbox.levels import Command, Launch, Level, tell_weak_limits
from tongits_harness.bots.sandbox.runtime import relay_runtime, relay_words
from tongits_harness.bots.seat import SOCKET_NAME

_SCRATCH = "/scratch"
_SHM_BYTES = 4 << 20
_MIB = 1 << 20
_SYSTEM_LINKS = ("bin", "lib", "lib32", "lib64", "sbin")
_TOP_FOLDERS = ("/etc", "/run", "/opt")


@dataclass(frozen=True, slots=True)
class BwrapSandbox:
    """Every bot in namespaces of its own, behind the filter, with rlimits, on a rung."""

    program: Path
    version: str
    identity: Identity
    setpriv: str
    prlimit: str
    python: Runtime
    filter: bytes
    rung: Rung

    @property
    def level(self) -> Level:
        """`full` if the rung holds memory and processes, else `contained`."""
        return Level.FULL if {MEMORY, PROCESSES} <= self.rung.enforces else Level.CONTAINED

    def describe(self) -> str:
        """One line for the header of a run."""
        source = "the system's" if self.program.is_relative_to("/usr/bin") else "from PyPI"
        means = f"{self.version} ({source}), seccomp, rlimits, {self.rung.name}"
        weak = tell_weak_limits(self.level, self.rung.enforces)
        return "; ".join(
            part for part in (f"{self.level}: {means}", self.identity.value, weak) if part
        )

    def bot_uid(self, slot: int) -> int:
        """The uid on the host of a bot in this slot; never 0."""
        return self.identity.uid(slot)

    @contextmanager
    def prepare(self, launch: Launch) -> Iterator[Command]:
        """The command for one start, with its descriptors."""
        with ExitStack() as stack:
            status, status_end = _pipe(stack)
            gate, gate_end = _gate(stack)
            filter_fd = _file(stack, "seccomp", self.filter)
            arguments = [
                *self._arguments(launch),
                *("--seccomp", str(filter_fd), "--json-status-fd", str(status_end)),
                *("--block-fd", str(gate_end)),
            ]
            arguments_fd = _file(stack, "args", b"".join(f"{a}\0".encode() for a in arguments))
            yield Command(
                argv=(
                    *self.identity.outer(self.setpriv, launch.slot),
                    *(str(self.program), "--args", str(arguments_fd), "--"),
                    *self.identity.inner(self.setpriv, launch.slot),
                    *prlimit_arguments(
                        self.prlimit,
                        launch.limits,
                        count_processes=True,
                        enforced=self.rung.enforces,
                    ),
                    *(relay_words(launch.relay, "/run/bot") if launch.relay else ()),
                    *launch.argv,
                ),
                env={},
                cwd="/",
                fds=(status_end, gate_end, filter_fd, arguments_fd),
                status_fd=status,
                gate_fd=gate,
            )

    def _arguments(self, launch: Launch) -> list[str]:
        runtime = self._runtime(launch)
        environment = launch_environment(
            launch,
            address=f"unix:/run/bot/{SOCKET_NAME}",
            scratch=_SCRATCH,
            path=":".join((*runtime.search_path, BOT_PATH)),
            language=runtime.env,
        )
        return [
            *self.identity.namespaces(),
            *("--hostname", "bot", "--die-with-parent", "--clearenv"),
            "--new-session",  # no controlling terminal, so no characters pushed into it
            *_system_folders(),
            *_own_folders(launch.limits.tmp_mib * _MIB),
            *_runtime_mounts(runtime),
            *_work_folders(launch),
            *("--ro-bind", str(launch.seat_folder), "/run/bot"),
            *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/bot"),
            *(word for name, value in environment.items() for word in ("--setenv", name, value)),
        ]

    def _runtime(self, launch: Launch) -> Runtime:
        runtime = launch.runtime
        if launch.needs_python:
            runtime = self.python | runtime
        return runtime | relay_runtime(self.python) if launch.relay else runtime


def _work_folders(launch: Launch) -> Iterator[str]:
    """The bot's folder, read-only but for a build, which also has its scratch folder."""
    yield from ("--bind" if launch.work else "--ro-bind", str(launch.bot_folder), "/bot")
    if launch.work:
        yield from ("--bind", str(launch.work.scratch), _SCRATCH)


def _system_folders() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in _SYSTEM_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    for folder in _TOP_FOLDERS:
        yield from ("--perms", "0755", "--dir", folder)
    for file in ("/etc/ld.so.cache", "/etc/alternatives"):
        yield from ("--ro-bind-try", file, file)


def _own_folders(tmp_bytes: int) -> tuple[str, ...]:
    return (
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", str(_SHM_BYTES), "--perms", "1777", "--tmpfs", "/dev/shm"),  # noqa: S108
        *("--size", str(tmp_bytes), "--perms", "1777", "--tmpfs", "/tmp"),  # noqa: S108
    )


def _runtime_mounts(runtime: Runtime) -> Iterator[str]:
    places = [Path(inside) for _, inside in (*runtime.binds, *runtime.links)]
    parents = {parent for place in places for parent in place.parents} - {Path("/")}
    for parent in sorted(parents):  # bwrap itself would make them 0700
        yield from ("--perms", "0755", "--dir", str(parent))
    for host, inside in runtime.binds:
        yield from ("--ro-bind", str(host), inside)
    for target, inside in runtime.links:
        yield from ("--symlink", target, inside)


def _pipe(stack: ExitStack) -> tuple[int, int]:
    """A pipe whose writing end is closed with the stack; the reading end is the taker's."""
    reading, writing = os.pipe()
    stack.callback(os.close, writing)
    return reading, writing


def _gate(stack: ExitStack) -> tuple[int, int]:
    ours, theirs = socket.socketpair()
    ours.send(b"x")
    stack.callback(theirs.close)
    return ours.detach(), theirs.fileno()


def _file(stack: ExitStack, name: str, content: bytes) -> int:
    """A descriptor to read some bytes from, whatever their number."""
    descriptor = os.memfd_create(name)
    stack.callback(os.close, descriptor)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
