"""Takes all it can get of one resource (rows 10, 11, 13, 14); the argument says of which.

Every bomb is bounded, for whoever runs this without a sandbox. Where it survives, it plays on and
tells in notes how far it came. Expected: RESOURCE_LIMIT or CRASH for the memory bombs, else no
fault.
"""

# ruff: noqa: S108  # the temp folders of the sandbox are what is attacked
import ctypes
import errno
import json
import mmap
import os
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
MIB = 1 << 20
MOST_PROCESSES = 500
MOST_MIB = 700
MOST_FILES = 20_000

notes: deque[str] = deque()
tried: list[bool] = []
kept: list[object] = []


def sleepers(most: int, then: Callable[[], object] = lambda: None) -> Iterator[int]:
    """Child after child, each of which does one thing and waits for its end."""
    for _ in range(most):
        pid = os.fork()
        if pid == 0:
            try:
                then()
                signal.pause()
            finally:
                os._exit(1)
        yield pid


def fork() -> int:
    """Processes, until there are no more."""
    children = []
    try:
        children.extend(sleepers(MOST_PROCESSES))
    except OSError as error:
        notes.append(json.dumps({"stopped by": errno.errorcode[error.errno or 0]}))
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return len(children)


def threads() -> int:
    """Threads, until there are no more."""
    made, end = 0, threading.Event()
    try:
        while made < MOST_PROCESSES:
            threading.Thread(target=end.wait, daemon=True).start()
            made += 1
    except RuntimeError:
        notes.append(json.dumps({"stopped by": "RuntimeError"}))
    end.set()
    return made


def heap() -> int:
    """Memory of one process; ends it."""
    while len(kept) < MOST_MIB:
        kept.append(bytearray(MIB))
    return len(kept)


def family() -> int:
    """Memory of a family, each member below the limit of one process."""
    children = list(sleepers(6, lambda: kept.append(b"x" * (60 * MIB))))
    time.sleep(1.5)  # for whoever watches
    alive = sum(os.waitpid(child, os.WNOHANG) == (0, 0) for child in children)
    for child in children:
        os.kill(child, signal.SIGKILL)
    return alive


def shared_map() -> int:
    """Memory that is nobody's heap: shared and without a name."""
    for _ in range(MOST_MIB // 100):
        area = mmap.mmap(-1, 100 * MIB, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        for page in range(0, 100 * MIB, mmap.PAGESIZE):
            area[page] = 1
        kept.append(area)
    time.sleep(1.0)  # for whoever watches
    return len(kept) * 100


def memfd() -> int:
    """Files in memory that no folder holds."""
    for _ in range(MOST_MIB // 10):
        descriptor = os.memfd_create("bomb")
        os.write(descriptor, bytes(10 * MIB))
        kept.append(descriptor)
    return len(kept) * 10


def disk() -> int:
    """Big files wherever that is possible; gives the MiB written."""
    places = ("/tmp", "/dev/shm", "", "/dev", "/run", "/run/bot", "/bot", "/var", "/home")
    stopped: dict[str, str] = {}
    written = 0
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for path in (f"{at}/big{number}" for at in places for number in range(2)):
        try:
            with open(path, "wb", buffering=0) as file:
                while written < 1 << 30:
                    written += file.write(bytes(MIB))
        except OSError as error:
            stopped[path] = errno.errorcode[error.errno or 0]
    notes.append(json.dumps(stopped))
    for at in ("/tmp", "/dev/shm"):
        for left in Path(at).glob("big*"):
            left.unlink()
    return written // MIB


def inodes() -> int:
    """Empty files: they have no size, but the kernel has to remember them."""
    made = 0
    try:
        for made in range(MOST_FILES):
            os.close(os.open(f"/tmp/{made}", os.O_CREAT | os.O_WRONLY))
    except OSError as error:
        notes.append(json.dumps({"stopped by": errno.errorcode[error.errno or 0]}))
    return made


def descriptors() -> int:
    """Open files and socket pairs with full buffers, until there are no more."""
    try:
        while len(kept) < 10_000:
            kept.append(pair := socket.socketpair())
            pair[0].setblocking(False)
            pair[0].send(bytes(100_000))
    except OSError as error:
        notes.append(json.dumps({"stopped by": errno.errorcode[error.errno or 0]}))
    made = len(kept)
    kept.clear()
    return made


def output() -> int:
    """Output without an end or a line, beside the game."""

    def write(descriptor: int) -> None:
        while True:
            os.write(descriptor, bytes(65536))

    for descriptor in (1, 2):
        threading.Thread(target=write, args=(descriptor,), daemon=True).start()
    return 2


def spin() -> int:
    """Processors, also while the others think."""
    kept.extend(sleepers(4, lambda: [None for _ in iter(int, 1)]))
    return len(kept)


def harass() -> int:
    """Processors, but only while the others think: `decide` holds them meanwhile."""
    kept.extend(sleepers(40, lambda: [None for _ in iter(int, 1)]))
    return len(kept)


def hold(number: int) -> None:
    """Stop or wake what `harass` has started."""
    for child in kept if sys.argv[1] == "harass" else ():
        os.kill(int(str(child)), number)


def lock_memory() -> int:
    """Memory that cannot be swapped."""
    area = mmap.mmap(-1, 64 * MIB)
    kept.append(area)
    libc = ctypes.CDLL(None, use_errno=True)
    done = libc.mlockall(3) == 0
    notes.append(json.dumps({"stopped by": errno.errorcode.get(ctypes.get_errno(), "nothing")}))
    return int(done)


BOMBS: dict[str, Callable[[], int]] = {
    "fork": fork, "threads": threads, "heap": heap, "family": family, "shared_map": shared_map,
    "memfd": memfd, "disk": disk, "inodes": inodes, "descriptors": descriptors, "output": output,
    "spin": spin, "harass": harass, "lock_memory": lock_memory,
}  # fmt: skip


def decide(view: View) -> Action:
    """The first legal action; once, the bomb."""
    hold(signal.SIGSTOP)
    if view.turn >= FROM_TURN and not tried:
        tried.append(True)
        kind = sys.argv[1]
        try:
            notes.append(json.dumps({kind: BOMBS[kind]()}))
        except OSError as error:
            notes.append(json.dumps({kind: errno.errorcode[error.errno or 0]}))
    if notes:
        view.note = notes.popleft()
    hold(signal.SIGCONT)
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
