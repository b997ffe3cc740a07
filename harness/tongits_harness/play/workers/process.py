"""A worker as a process: started, listened to, ended and reaped."""

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog
import trio

from tongits_harness.play.workers.channel import Channel
from tongits_harness.play.workers.messages import SILENCE_S, FromWorker, Logged, ToWorker

log = structlog.get_logger()

WORKER_MODULE = "tongits_harness.play.workers.worker"
"""Run with the pid that it dies with as its argument."""
_FAREWELL_S = 10.0
"""How long a worker may take to end its bots and itself."""
_STDERR_S = 1.0
"""How long its last lines may take to come in after it has ended."""
_LINES = 20
_ONCE_MORE_S = 1.0
"""What it said may wait in the pipe, where we were stopped ourselves."""


@dataclass(slots=True, eq=False)
class WorkerProcess:
    """A running worker."""

    number: int
    channel: Channel
    popen: "subprocess.Popen[bytes]"
    stderr: deque[str] = field(default_factory=lambda: deque(maxlen=_LINES))
    silent: trio.Event = field(default_factory=trio.Event)
    """Nothing more comes on stderr."""
    was_mute: bool = False
    """It was given up because nothing was heard of it."""

    async def hear(self) -> ToWorker | FromWorker | None:
        """The next message; None when it has ended, or was silent for too long and is ended now."""
        for patience_s in (SILENCE_S, _ONCE_MORE_S):
            with trio.move_on_after(patience_s):
                return await self.channel.receive()
        self.was_mute = True
        self.popen.kill()
        return None

    @property
    def exit_text(self) -> str:
        """How it ended."""
        status = self.popen.returncode
        if self.was_mute:
            return f"was not heard of for {SILENCE_S:g} s (stopped, or stuck) and was ended"
        if status is None:
            return "is still running"
        if status < 0:
            return f"was ended by {signal.Signals(-status).name}"
        return f"exited with status {status}"

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines it wrote to stderr."""
        return tuple(f"  stderr: {line}" for line in self.stderr)

    def pass_on(self, line: Logged) -> None:
        """Writes an event of the worker into our log."""
        getattr(log, line.level, log.info)(line.event, worker=self.number, **line.fields)

    async def listen(self, descriptor: int) -> None:
        """Task: keeps the end of what it writes to stderr."""
        async with trio.lowlevel.FdStream(descriptor) as stream:
            rest = b""
            while chunk := await stream.receive_some(1 << 14):
                *lines, rest = (rest + chunk).split(b"\n")
                self.stderr.extend(line.decode("utf-8", "replace")[:400] for line in lines)
                rest = rest[-400:]
        self.silent.set()


@asynccontextmanager
async def open_worker(number: int) -> AsyncIterator[WorkerProcess]:
    """A worker without orders; it is ended and reaped with the block."""
    popen = subprocess.Popen(  # noqa: ASYNC220  # from this thread: the worker dies with it
        [sys.executable, "-m", WORKER_MODULE, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for whoever gives the orders
    )
    if popen.stdin is None or popen.stdout is None or popen.stderr is None:
        raise RuntimeError("pipes were asked for")
    ends = [os.dup(file.fileno()) for file in (popen.stdout, popen.stdin, popen.stderr)]
    for file in (popen.stdin, popen.stdout, popen.stderr):
        file.close()
    process = WorkerProcess(number, Channel(ends[0], ends[1]), popen)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.channel.run)
        nursery.start_soon(process.listen, ends[2])
        try:
            yield process
        finally:
            with trio.CancelScope(shield=True):
                await _end(process)
            nursery.cancel_scope.cancel()


async def _end(process: WorkerProcess) -> None:
    """Ends its orders, gives it time to end its bots and itself, then kills it; always reaps it."""
    try:
        with trio.move_on_after(_FAREWELL_S):
            await process.channel.end()
            while (message := await process.channel.receive()) is not None:
                if isinstance(message, Logged):
                    process.pass_on(message)
            await trio.to_thread.run_sync(process.popen.wait, abandon_on_cancel=True)
    finally:
        process.popen.kill()  # does nothing to one that was waited for
        await trio.to_thread.run_sync(process.popen.wait)
        with trio.move_on_after(_STDERR_S):
            await process.silent.wait()
        await process.channel.close()
