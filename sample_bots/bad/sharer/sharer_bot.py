"""Leaves marks for its other processes and looks for theirs (row 31). Expected: no fault, no mark.

Its processes and those of a colluder should see nothing of each other, in no kind of memory that
outlives or leaves a process. What it found is told in notes.
"""

# ruff: noqa: S108  # the temp folders of the sandbox are what is attacked
import ctypes
import json
import os
from collections import deque
from pathlib import Path

from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
FOLDERS = ("/tmp", "/dev/shm", "/var/tmp", "/run/bot", "/bot", "/dev/mqueue", "/run", "/opt")
KEY = 0x7067
IPC_CREAT = 0o1000
LIBC = ctypes.CDLL(None, use_errno=True)
KEYCTL_SESSION = -3

notes: deque[str] = deque()
tried: list[bool] = []


def find_marks() -> list[str]:
    """Everything that somebody else has left."""
    found = [str(path) for at in FOLDERS for path in Path(at).glob("mark-*")]
    if LIBC.shmget(KEY, 4096, 0) != -1:
        found.append("System V memory")
    if LIBC.msgget(KEY, 0) != -1:
        found.append("System V queue")
    if LIBC.semget(KEY, 1, 0) != -1:
        found.append("System V semaphore")
    if LIBC.syscall(249, b"user", b"mark", None, KEYCTL_SESSION) != -1:  # request_key
        found.append("session keyring")
    return found


def leave_marks() -> dict[str, object]:
    """A mark of every kind; gives where it could be left."""
    made: dict[str, object] = {"files": []}
    for folder in FOLDERS:
        try:
            Path(folder, f"mark-{os.getpid()}").write_text("was here")
        except OSError:
            continue
        made["files"] = [*list(made["files"]), folder]
    made["memory"] = LIBC.shmget(KEY, 4096, IPC_CREAT | 0o666) != -1
    made["queue"] = LIBC.msgget(KEY, IPC_CREAT | 0o666) != -1
    made["semaphore"] = LIBC.semget(KEY, 1, IPC_CREAT | 0o666) != -1
    made["keyring"] = LIBC.syscall(248, b"user", b"mark", b"x", 1, KEYCTL_SESSION) != -1  # add_key
    made["posix queue"] = LIBC.syscall(240, b"mark", os.O_CREAT | os.O_RDWR, 0o666, None) != -1
    return made


def decide(view: View) -> Action:
    """The first legal action; once, marks."""
    if view.turn >= FROM_TURN and not tried:
        tried.append(True)
        notes.append(json.dumps({"found": find_marks(), "left": leave_marks()}))
    if notes:
        view.note = notes.popleft()
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
