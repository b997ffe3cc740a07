"""The bridge for programs that read and write lines: `tongits-stdio ./mybot [ARGUMENT...]`.

It starts the program once and plays at the harness's table for it. Each decision is one line of
JSON to the program's stdin, answered by one line on its stdout: the text of an action ("discard
9C") or its number in `legal` ("0"), and after a `#` a note for the replay, if it likes. The
program's stderr is left alone. Decisions are given one after the other, also those of many games.
"""

import array
import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Sequence
from typing import IO, NoReturn, Self

from tongits_bot.lines import action_of, line_of
from tongits_bot.play import serve
from tongits_bot.values import Action
from tongits_bot.view import View

LONGEST_ANSWER = 64 * 1024
"""Bytes of one line of the program, its end included."""
SHOWN = 80
"""Characters of a line that are quoted when it is no answer."""
LEAVE_S = 1.0
"""Time for the program to end once its stdin is closed."""

USAGE = """\
usage: tongits-stdio PROGRAM [ARGUMENT...]
Plays Tong-its with a program that reads one JSON observation a line and writes one action a line.
The harness starts it, by a bot.toml with
    run = ["tongits-stdio", "./mybot"]
or you do, with TONGITS_ADDRESS and TONGITS_TOKEN as `tongits play --attach` tells them."""


class Program:
    """The author's program, running, and the two pipes to it. Use it in a `with` statement."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._name = argv[0]
        try:
            self._process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except OSError as error:
            self._stop(
                f"cannot be started: {error.strerror}; build it, or correct `run` in bot.toml"
            )
        self._to = _descriptor(self._process.stdin)
        self._from = _descriptor(self._process.stdout)
        self._poll = select.poll()
        self._poll.register(self._from, select.POLLIN)
        self._unread = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Closes its stdin, gives it a moment to end, then kills it."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
        try:
            self._process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def decide(self, view: View) -> Action:
        """Asks the program and waits for its answer, however long that takes."""
        if self._unread or self._poll.poll(0):
            self._refuse_unasked(view)
        self._write(f"{line_of(view)}\n".encode(), view)
        answer = self._read_line(view)
        try:
            return action_of(answer, view)
        except ValueError as error:
            self._stop(
                f"its answer {_quote(answer)} to id {view.decision_id} {error}; write one line a "
                "decision on stdout, and all else on stderr"
            )

    def _write(self, line: bytes, view: View) -> None:
        try:
            while line:
                line = line[os.write(self._to, line) :]
        except BrokenPipeError:
            self._tell_end(view)

    def _read_line(self, view: View) -> str:
        is_late = False
        wait_ms = view.time_left_us // 1000 or None
        while (end := self._unread.find(b"\n")) < 0:
            if len(self._unread) > LONGEST_ANSWER:
                self._stop(
                    f"its answer to id {view.decision_id} is a line of more than "
                    f"{LONGEST_ANSWER >> 10} KiB; it begins {_quote(self._unread)}"
                )
            if not is_late and not self._poll.poll(wait_ms):
                is_late = True
                self._tell_late(view)
            data = os.read(self._from, 65536)
            if not data:
                self._tell_end(view)
            self._unread += data
        line, self._unread = self._unread[:end], self._unread[end + 1 :]
        return line.decode(errors="replace")

    def _tell_late(self, view: View) -> None:
        how = "has not read id" if _unread_bytes(self._to) else "has read but not answered id"
        hint = "; flush stdout after each line" if not self._unread else "; end the line"
        _tell(f"{self._name}: {how} {view.decision_id} within {view.time_left_us // 1000} ms{hint}")

    def _tell_end(self, view: View) -> NoReturn:
        half = f" in the middle of the line {_quote(self._unread)}" if self._unread else ""
        self._stop(f"{self._how_it_ended()}{half}, before it answered id {view.decision_id}")

    def _refuse_unasked(self, view: View) -> NoReturn:
        data = self._unread or os.read(self._from, 65536)
        if not data:
            self._tell_end(view)
        self._stop(
            f"wrote {_quote(data)} before it was asked id {view.decision_id}; write one line a "
            "decision on stdout, and all else on stderr"
        )

    def _how_it_ended(self) -> str:
        """In words; the program has closed its stdout."""
        try:
            status = self._process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            return "closed its stdout but runs on"
        return f"was killed by {_signal(-status)}" if status < 0 else f"ended with status {status}"

    def _stop(self, what: str) -> NoReturn:
        """Gives up. What was answered before is still sent; the harness calls it a crash."""
        _tell(f"{self._name}: {what}")
        sys.exit(1)


def main() -> None:
    """The command `tongits-stdio`."""
    argv = sys.argv[1:]
    if not argv or argv[0].startswith("-") or not os.environ.get("TONGITS_ADDRESS"):
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    with Program(argv) as program:
        serve(program.decide)


def _descriptor(stream: IO[bytes] | None) -> int:
    assert stream is not None  # noqa: S101  # asked for as a pipe
    return stream.fileno()


def _tell(what: str) -> None:
    print(f"tongits-stdio: {what}", file=sys.stderr, flush=True)


def _quote(text: bytes | str) -> str:
    if isinstance(text, bytes):
        text = text[: 4 * SHOWN].decode(errors="replace")
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _unread_bytes(pipe: int) -> int:
    """Bytes in the pipe that its other end has not read yet."""
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


if __name__ == "__main__":
    main()
