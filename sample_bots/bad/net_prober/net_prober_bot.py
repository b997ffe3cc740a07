"""Tries to reach host, network and other seats by sockets (rows 1 to 4). Expected: no fault.

`targets.json` beside this file may name services of the host that really listen. What came of each
attempt is told in notes: the name of an errno, or REACHED.
"""

# ruff: noqa: S108  # the temp folders of the sandbox are what is attacked
import errno
import json
import os
import socket
from collections import deque
from collections.abc import Callable
from pathlib import Path

from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
NOWHERE = "192.0.2.1"
"""An address of the internet that belongs to nobody (RFC 5737)."""
LIMIT_S = 0.2

notes: deque[str] = deque()
tried: list[bool] = []


def targets() -> dict[str, object]:
    """Services of the host, as far as they are known."""
    file = Path(__file__).with_name("targets.json")
    return json.loads(file.read_text()) if file.exists() else {}


def dial(family: int, kind: int, address: object) -> None:
    """Connect and say something."""
    with socket.socket(family, kind) as wire:
        wire.settimeout(LIMIT_S)
        wire.connect(address)
        wire.send(b"hello")


def bind_abstract(name: str) -> None:
    """Take a name where others would look for somebody else."""
    with socket.socket(socket.AF_UNIX) as wire:
        wire.bind(name)
        wire.connect("\0elsewhere")


def attempts() -> dict[str, Callable[[], None]]:
    """All of them by name."""
    known = targets()
    stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
    port, udp = int(known.get("tcp", 22)), int(known.get("udp", 53))
    found: dict[str, Callable[[], None]] = {
        "tcp host": lambda: dial(socket.AF_INET, stream, ("127.0.0.1", port)),
        "tcp host v6": lambda: dial(socket.AF_INET6, stream, ("::1", port)),
        "tcp internet": lambda: dial(socket.AF_INET, stream, (NOWHERE, 443)),
        "udp internet": lambda: dial(socket.AF_INET, datagram, (NOWHERE, 53)),
        "dns": lambda: socket.create_connection(("bots.example.org", 80), LIMIT_S).close(),
        "raw": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close(),
        "packet": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close(),
        "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
        "vsock": lambda: dial(socket.AF_VSOCK, stream, (2, 1)),
        "abstract": lambda: dial(
            socket.AF_UNIX, stream, "\0" + str(known.get("abstract", "/tmp/.X11-unix/X0"))
        ),
        "abstract squat": lambda: bind_abstract("\0" + str(known.get("abstract", "bus"))),
    }
    # Nothing answers UDP on the host's loopback, so what counts is whether the datagram arrives.
    found["udp host"] = lambda: dial(socket.AF_INET, datagram, ("127.0.0.1", udp))
    paths = known.get("sockets", ["/run/docker.sock", "/run/dbus/system_bus_socket"])
    for path in paths if isinstance(paths, list) else []:
        found[f"socket {path}"] = lambda path=path: dial(socket.AF_UNIX, stream, path)
    return found


def outcome(attempt: Callable[[], None]) -> str:
    """The name of an errno, or REACHED."""
    try:
        attempt()
    except socket.gaierror:
        return "NO NAME"
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return "REACHED"


def decide(view: View) -> Action:
    """The first legal action; once, all attempts."""
    if view.turn >= FROM_TURN and not tried:
        tried.append(True)
        notes.extend(json.dumps({name: outcome(go)}) for name, go in attempts().items())
        notes.append(
            json.dumps(
                {
                    "interfaces": os.listdir("/sys/class/net")
                    if Path("/sys/class/net").exists()
                    else "no /sys"
                }
            )
        )
    if notes:
        view.note = notes.popleft()
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
