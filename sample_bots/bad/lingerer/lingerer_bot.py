"""Stops, dies or refuses to die in an uncommon way (rows 15, 17, 18, 42); the argument says how.

Expected: `stop` and `stop_family` TIMEOUT; `core`, `abort`, `quit`, `hang_up` CRASH or BAD_MESSAGE;
`ignore_end`, `kill_all`, `orphans` no fault.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
LIFETIME_S = 600
"""Daemons end by themselves, for whoever runs this without a sandbox."""
FATAL = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGQUIT)

tried: list[bool] = []


def ignore_signals() -> None:
    """All that can be ignored."""
    for number in FATAL:
        signal.signal(number, signal.SIG_IGN)


def leave_daemon() -> None:
    """A process that belongs to nobody and ignores whatever it is told."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork() == 0:
        ignore_signals()
        time.sleep(LIFETIME_S)
    os._exit(0)


def stop() -> None:
    """Hold itself, in the middle of a decision."""
    os.kill(os.getpid(), signal.SIGSTOP)


def stop_family() -> None:
    """The same, after leaving daemons."""
    for _ in range(8):
        leave_daemon()
    stop()


def orphans() -> None:
    """Leave daemons that end at once, for somebody to reap, and others that stay."""
    for _ in range(8):
        leave_daemon()
        if os.fork() == 0:
            if os.fork() == 0:
                time.sleep(0.01)
            os._exit(0)
    while True:
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if os.waitpid(-1, os.WNOHANG) == (0, 0):
            return


def kill_all() -> None:
    """Everything this process may send a signal to, but itself."""
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError as error:
        print("kill everything:", error)


def core() -> None:
    """Crash with a gigabyte in memory that would make a core file."""
    import ctypes
    import mmap

    area = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_NORESERVE)
    area[0] = 1
    ctypes.string_at(8)


def abort() -> None:
    """End by SIGABRT."""
    os.abort()


def leave_quietly() -> None:
    """End as if all were well, in the middle of a decision."""
    os._exit(0)


def hang_up() -> None:
    """Close every descriptor, the connection to the table among them, and stay."""
    os.closerange(3, 256)
    threading.Event().wait()


def stay() -> None:
    """Ignore the end of the stream and every signal; a thread goes on when `serve` returns."""
    ignore_signals()
    threading.Thread(target=time.sleep, args=(LIFETIME_S,)).start()


WAYS: dict[str, Callable[[], None]] = {
    "stop": stop, "stop_family": stop_family, "orphans": orphans, "kill_all": kill_all,
    "core": core, "abort": abort, "quit": leave_quietly, "hang_up": hang_up, "ignore_end": stay,
}  # fmt: skip


def decide(view: View) -> Action:
    """The first legal action; once, what the argument says."""
    if view.turn >= FROM_TURN and not tried:
        tried.append(True)
        WAYS[sys.argv[1]]()
    return view.legal[0]


if __name__ == "__main__":
    if sys.argv[1] == "ignore_end":
        ignore_signals()
    serve(decide)
