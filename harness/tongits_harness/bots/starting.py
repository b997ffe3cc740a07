"""The start of a bot process: from a launch to a running sandbox, or the machine's fault named."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import trio

from tongits_harness.bots.accounting import family_of, parent_of
from tongits_harness.bots.output import Output
from tongits_harness.bots.rungs import Group, Usage
from tongits_harness.bots.sandbox.levels import Launch, Sandbox
from tongits_harness.bots.spawner import Spawner, SpawnFailedError

_SET_UP_LIMIT_S = 15.0
"""A sandbox is up in 10 ms; on a machine where this is not enough nothing can be played."""
_END_LIMIT_S = 5.0
"""A killed process is gone in milliseconds, unless the kernel itself is stuck."""
_STATUS_BYTES = 65536


@dataclass(slots=True)
class Handles:
    """What belongs to one started process; whoever holds it ends it with `end`."""

    popen: "subprocess.Popen[bytes]"
    stdout: Output
    stderr: Output
    group: Group
    """Closed by `end`."""
    own_pidfd: int | None
    """Becomes readable when `popen` has ended; None where the system has no pidfds."""
    root_pid: int
    """The init of the bot's pid namespace, or the process itself where there is none."""
    root_pidfd: int | None = None
    """For a kill that cannot hit another process; None without a namespace."""
    status_fd: int | None = None
    """Held open for life: bwrap writes its last line there, and a closed pipe would kill it."""
    usage: Usage = field(default_factory=Usage)
    """What its group had counted in the end."""
    strays: list[int] = field(default_factory=list)
    """Pidfds of descendants that were killed one by one, where there is no namespace."""

    def kill(self) -> None:
        """SIGKILL for the bot and all it has started; never waits, does nothing when it is over."""
        if self.root_pidfd is not None:
            _send_kill(self.root_pidfd)
            self.group.thaw()  # version 1 of control groups lets no signal through before
        elif self.popen.returncode is None:
            for pid in family_of(self.popen.pid)[1:]:
                if (pidfd := _pidfd(pid)) is not None:
                    self.strays.append(pidfd)
                    _send_kill(pidfd)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
            self.group.kill()

    async def wait_ended(self) -> None:
        """Waits until the process has ended; it is then still to be reaped."""
        if self.own_pidfd is None:
            await trio.to_thread.run_sync(self.popen.wait, abandon_on_cancel=True)
        else:
            await trio.lowlevel.wait_readable(self.own_pidfd)

    async def end(self) -> None:
        """Kills, reaps and gives every descriptor back, within a bound, also when cancelled."""
        self.kill()
        with trio.move_on_after(_END_LIMIT_S, shield=True):
            if self.popen.poll() is None:
                await self.wait_ended()
            self.popen.poll()
            for pidfd in (self.root_pidfd, *self.strays):
                if pidfd is not None:
                    await _reap_orphan(pidfd)
        self.usage = self.group.usage()
        self.group.close()
        self.stdout.finish()
        self.stderr.finish()
        _close(self.own_pidfd, self.root_pidfd, self.status_fd, *self.strays)


def _send_kill(pidfd: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)


async def _reap_orphan(pidfd: int) -> None:
    """Reaps a grandchild that became ours (see `Spawner`); does nothing if it was reaped before.

    When a bot ends by itself, bwrap leaves the namespace's init behind unreaped.
    """
    await trio.lowlevel.wait_readable(pidfd)
    with suppress(ChildProcessError):
        os.waitid(os.P_PIDFD, pidfd, os.WEXITED | os.WNOHANG)  # noqa: ASYNC222  # does not block


async def start(sandbox: Sandbox, spawner: Spawner, launch: Launch) -> Handles:
    """Starts a bot; when this returns, its sandbox is complete and the bot's command begins.

    Raises:
        SpawnFailedError: The process or its sandbox could not be made.
    """
    group = _open_group(sandbox, launch)
    try:
        with sandbox.prepare(launch) as command:
            try:
                argv, env = group.join.command(command.argv, command.env)
                with _output_pipe() as (stdout, out), _output_pipe() as (stderr, err):
                    popen = await spawner.spawn(
                        argv, env, cwd=command.cwd, stdout=out, stderr=err, fds=command.fds
                    )
            except BaseException:
                _close(command.status_fd, command.gate_fd)
                raise
    except BaseException:
        group.close()
        raise
    group.joined(popen.pid)
    handles = Handles(popen, stdout, stderr, group, _pidfd(popen.pid), popen.pid)
    handles.status_fd = command.status_fd
    is_up = False
    try:
        is_up = await _await_sandbox(handles, command.gate_fd)
    finally:
        _close(command.gate_fd)
        if not is_up:
            await handles.end()
    if not is_up:
        told = handles.stderr.tail(5) or f"no answer within {_SET_UP_LIMIT_S:.0f} s"
        raise SpawnFailedError(f"the sandbox of a bot could not be set up: {told}")
    return handles


def _open_group(sandbox: Sandbox, launch: Launch) -> Group:
    try:
        return sandbox.rung.open(launch.limits)
    except OSError as error:
        raise SpawnFailedError(
            f"the control group of a bot could not be made ({sandbox.rung.name}): {error}"
        ) from error


async def _await_sandbox(handles: Handles, gate: int | None) -> bool:
    """Waits until bwrap is about to start the bot, then finds the namespace's init."""
    if gate is None:
        return True
    with trio.move_on_after(_SET_UP_LIMIT_S):
        await trio.lowlevel.wait_readable(gate)
        if not _is_set_up(gate):
            return False
        if handles.status_fd is None:  # no namespace, so no init
            return True
        init = _child_pid(os.read(handles.status_fd, _STATUS_BYTES))
        pidfd = _pidfd(init)
        if parent_of(init) in {handles.popen.pid, os.getpid()}:  # ours if bwrap has ended already
            handles.root_pid, handles.root_pidfd = init, pidfd
        else:  # ended and reaped already; the number may be another process's by now
            _close(pidfd)
        return True
    return False


def _is_set_up(gate: int) -> bool:
    try:
        return os.read(gate, 1) == b""
    except ConnectionResetError:  # the byte in the gate was never read
        return False


def _child_pid(status: bytes) -> int:
    first, _, _ = status.partition(b"\n")
    return int(json.loads(first)["child-pid"])


@contextmanager
def _output_pipe() -> Iterator[tuple[Output, int]]:
    """A stream of the bot and its writing end, which is closed on leaving; on an error both are."""
    reading, writing = os.pipe()
    output = Output(reading)
    try:
        yield output, writing
    except BaseException:
        output.finish()
        raise
    finally:
        os.close(writing)


def _close(*descriptors: int | None) -> None:
    for descriptor in descriptors:
        if descriptor is not None:
            os.close(descriptor)


def _pidfd(pid: int) -> int | None:
    """A descriptor for a process; None where there are none, or when it has just ended."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None
