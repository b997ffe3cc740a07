"""Reads and writes wherever it should not (rows 6, 7, 9, 13, 20, 37). Expected: no fault.

`targets.json` beside this file may name files and folders of the host that exist. What came of each
attempt is told in notes: the name of an errno, or DONE with the names in a folder.
"""

# ruff: noqa: S108  # the temp folders of the sandbox are what is attacked
import errno
import json
import os
import stat
from collections import deque
from collections.abc import Callable
from pathlib import Path

from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
HERE = Path(__file__).parent
SEAT = Path("/run/bot")
SOCKET = SEAT / "table.sock"
CLOSED = ("/", "/dev", "/run", "/etc", "/opt", "/usr", "/usr/bin", "/proc", "/bot", "/run/bot")

notes: deque[str] = deque()
tried: list[bool] = []


def targets() -> list[str]:
    """Files and folders of the host."""
    file = HERE / "targets.json"
    usual = ["/etc/passwd", "/etc/shadow", "/root", "/home", "/var", "/sys", "/mnt", "/boot"]
    return usual + (json.loads(file.read_text())["files"] if file.exists() else [])


def look(path: str) -> str:
    """Read a file or list a folder; gives the names in it."""
    if stat.S_ISDIR(os.stat(path).st_mode):
        return " " + " ".join(sorted(os.listdir(path)))
    Path(path).read_bytes()
    return ""


def write(path: str) -> None:
    """Make a file."""
    with open(path, "w") as file:
        file.write("was here")


def replace_socket() -> None:
    """Put a link to somebody else's socket where the table is."""
    os.rename(SOCKET, SEAT / "old.sock")
    os.symlink("/run/docker.sock", SOCKET)


def walk_out(pid: str, way: str) -> None:
    """See other files through another process."""
    os.listdir(f"/proc/{pid}/{way}/home")


def attempts() -> dict[str, Callable[[], object]]:
    """All of them by name."""
    found: dict[str, Callable[[], object]] = {
        f"read {path}": lambda path=path: look(path) for path in targets()
    }
    found |= {f"write {at}": lambda at=at: write(f"{at}/mark") for at in CLOSED}
    for path in targets():
        found[f"change {path}"] = lambda path=path: write(path)
    found |= {
        "replace socket": replace_socket,
        "unlink socket": lambda: os.unlink(SOCKET),
        "chmod socket": lambda: os.chmod(SEAT, 0o777),  # noqa: S103
        "own file": lambda: write(__file__),
        "own manifest": lambda: os.rename(HERE / "bot.toml", HERE / "old.toml"),
        "own mode": lambda: os.chmod(__file__, 0o777),  # noqa: S103
        "device": lambda: os.mknod("/tmp/disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0)),
        "kernel memory": lambda: look("/proc/kcore"),
        "hard link": lambda: os.link("/usr/bin/env", "/tmp/env"),
        "climb": lambda: look("../../../../../../root"),
        "climb by link": lambda: (os.symlink("/root", "/tmp/climb"), look("/tmp/climb"))[1],
    }
    for pid in os.listdir("/proc"):
        if pid.isdigit() and pid != str(os.getpid()):
            for way in ("root", "cwd"):
                found[f"/proc/{pid}/{way}"] = lambda pid=pid, way=way: walk_out(pid, way)
            for name in ("environ", "mem", "maps"):
                found[f"/proc/{pid}/{name}"] = lambda p=f"/proc/{pid}/{name}": read_some(p)
    return found


def read_some(path: str) -> None:
    """The first bytes of a file; an empty file tells nothing."""
    with open(path, "rb") as file:
        if not file.read(64):
            raise OSError(errno.ENODATA, "nothing in it")


def outcome(attempt: Callable[[], object]) -> str:
    """The name of an errno, or DONE."""
    try:
        found = attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return f"DONE{found or ''}"


def inherited() -> list[str]:
    """What its descriptors are, but for sockets, pipes and what grpc has opened for itself."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            found.append(os.readlink(f"/proc/self/fd/{name}"))
        except OSError:
            continue
    return sorted({path for path in found if path.startswith("/")})


def decide(view: View) -> Action:
    """The first legal action; once, all attempts."""
    if view.turn >= FROM_TURN and not tried:
        tried.append(True)
        told = [{name: outcome(go)} for name, go in attempts().items()]
        told += [
            {"descriptors": inherited()},
            {"pids": [p for p in os.listdir("/proc") if p.isdigit()]},
        ]
        merged: dict[str, object] = {}
        for one in told:
            if len(json.dumps(merged | one)) > 1500:
                notes.append(json.dumps(merged))
                merged = {}
            merged |= one
        notes.append(json.dumps(merged))
    if notes:
        view.note = notes.popleft()
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
