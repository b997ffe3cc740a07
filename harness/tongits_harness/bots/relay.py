"""Runs inside a sandbox: a TCP port of its loopback that leads to a Unix socket; then the program.

Started by the harness's own Python, isolated and without site packages. The port is open before the
program begins. The relay is a child of what becomes the program, and ends with the sandbox. It
imports nothing of the harness.
"""

import os
import selectors
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

_CHUNK = 65536
_MOST_WAITING = 64
_NOT_FOUND = 127


def main(words: Sequence[str]) -> None:
    """Takes port (0 for any), path of the socket, variable for the address ("-": none), command."""
    port, path, variable, *argv = words
    listener = socket.create_server(("127.0.0.1", int(port)), backlog=_MOST_WAITING)
    if variable != "-":
        os.environ[variable] = f"127.0.0.1:{listener.getsockname()[1]}"
    if os.fork() == 0:
        serve(listener, path)
    listener.close()
    try:
        os.execvp(argv[0], argv)  # noqa: S606  # an argv, never a shell
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error.strerror}\n")
        os._exit(_NOT_FOUND)


def serve(listener: socket.socket, path: str) -> None:
    """Joins every connection with one to the Unix socket, in one thread each way; never returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()
    with selectors.DefaultSelector() as waiting:
        waiting.register(listener, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select(timeout=5):
                if key.data is None:
                    _open(waiting, listener, path)
                else:
                    key.data.move()
            if os.getppid() != parent:  # the program has ended, where no namespace ends us
                os._exit(0)


class _Flow:
    """One direction of a connection; waits for its reader or its writer, never for both."""

    def __init__(
        self, waiting: selectors.BaseSelector, source: socket.socket, target: socket.socket
    ) -> None:
        self._waiting = waiting
        self._source, self._target = source, target
        self._left = b""
        self.other: _Flow | None = None
        self.is_over = False
        # A socket can be registered once: each direction waits on duplicates of its own.
        self._reading, self._writing = source.dup(), target.dup()
        waiting.register(self._reading, selectors.EVENT_READ, self)

    def move(self) -> None:
        """Moves what it can; on the end of the source it ends the target's reading."""
        try:
            if not self._left:
                self._left = self._reading.recv(_CHUNK)
                if not self._left:
                    self._end()
                    return
            sent = self._writing.send(self._left)
            self._wait(bool(self._left[sent:]), self._left[sent:])
        except BlockingIOError:
            self._wait(bool(self._left), self._left)
        except OSError:
            self._end()

    def _wait(self, is_full: bool, left: bytes) -> None:
        was_full = self._writing in self._waiting.get_map()
        self._left = left
        if is_full != was_full:
            now, then = (
                (self._writing, self._reading) if is_full else (self._reading, self._writing)
            )
            self._waiting.unregister(then)
            event = selectors.EVENT_WRITE if is_full else selectors.EVENT_READ
            self._waiting.register(now, event, self)

    def _end(self) -> None:
        self.is_over = True
        for end in (self._reading, self._writing):
            with suppress(KeyError):
                self._waiting.unregister(end)
        with suppress(OSError):
            self._writing.shutdown(socket.SHUT_WR)
        self._reading.close()
        self._writing.close()
        if self.other is not None and self.other.is_over:
            self._source.close()
            self._target.close()


def _open(waiting: selectors.BaseSelector, listener: socket.socket, path: str) -> None:
    try:
        near, _ = listener.accept()
    except OSError:
        return
    far = socket.socket(socket.AF_UNIX)
    try:
        far.connect(path)
    except OSError:
        near.close()
        far.close()
        return
    near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    near.setblocking(False)
    far.setblocking(False)
    there, back = _Flow(waiting, near, far), _Flow(waiting, far, near)
    there.other, back.other = back, there


if __name__ == "__main__":
    main(sys.argv[1:])
