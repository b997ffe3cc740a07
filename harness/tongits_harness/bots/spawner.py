"""The one thread that starts processes, and nothing else.

`bwrap --die-with-parent` asks the kernel to kill the bot when the *thread* that started it ends, so
a worker thread that idles out would take healthy bots with it (bubblewrap issue 692). This thread
lives as long as its `Spawner`; when that closes, or the harness dies in any way, so do the bots.

A harness with a spawner is a child subreaper: what a bot orphans becomes the harness's own child,
which can reap it, instead of the system's init, which in containers often does not.
"""

import ctypes
import queue
import resource
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import trio

from tongits_harness.errors import CannotContinueError

_PR_SET_CHILD_SUBREAPER = 36
_MOST_DESCRIPTORS = 65536


class SpawnFailedError(CannotContinueError):
    """A process or its sandbox could not be set up: the machine's trouble, never the bot's."""


@dataclass(frozen=True, slots=True)
class _Order:
    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    stdout: int
    stderr: int
    fds: tuple[int, ...]
    token: trio.lowlevel.TrioToken
    done: trio.Event = field(default_factory=trio.Event)
    result: "list[subprocess.Popen[bytes] | Exception]" = field(default_factory=list)


class Spawner:
    """Starts processes from its own thread; a context manager, plain or asynchronous."""

    def __init__(self) -> None:
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="tongits-spawner", daemon=True)

    def __enter__(self) -> Self:
        _become_subreaper()
        raise_descriptor_limit()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._orders.put(None)
        self._thread.join(timeout=5)

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.__exit__(kind, error, trace)

    async def spawn(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        *,
        cwd: str = "/",
        stdout: int = subprocess.DEVNULL,
        stderr: int = subprocess.DEVNULL,
        fds: Sequence[int] = (),
    ) -> "subprocess.Popen[bytes]":
        """Starts a program in a new session, without stdin, with exactly this environment.

        It cannot be cancelled halfway: a process that was started is always given back, and the
        caller owns it.

        Args:
            argv: Program and arguments; never a shell.
            env: The whole environment.
            cwd: Folder to start in.
            stdout: Descriptor it writes to.
            stderr: Descriptor it writes to.
            fds: Further descriptors that it inherits; all others are closed.

        Raises:
            SpawnFailedError: The system refused (no such program, no memory, no descriptors).
        """
        order = _Order(
            tuple(argv), dict(env), cwd, stdout, stderr, tuple(fds),
            trio.lowlevel.current_trio_token(),
        )  # fmt: skip
        if not self._thread.is_alive():
            raise SpawnFailedError(f"cannot start {argv[0]}: the spawner is closed")
        self._orders.put(order)
        with trio.CancelScope(shield=True):
            await order.done.wait()
        match order.result[0]:
            case Exception() as error:
                raise SpawnFailedError(f"cannot start {argv[0]}: {error}") from error
            case process:
                return process

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            try:
                order.result.append(_popen(order))
            except (OSError, ValueError, subprocess.SubprocessError) as error:
                order.result.append(error)
            order.token.run_sync_soon(order.done.set)


def _become_subreaper() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def raise_descriptor_limit() -> int:
    """Lets the harness open as many files as it may; gives the limit that holds now.

    The usual 1024 is too low for a hundred bots. Bots have a limit of their own.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


def _popen(order: _Order) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        order.argv,
        env=order.env,
        cwd=order.cwd,
        stdin=subprocess.DEVNULL,
        stdout=order.stdout,
        stderr=order.stderr,
        pass_fds=order.fds,
        close_fds=True,
        start_new_session=True,
    )
