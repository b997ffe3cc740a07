"""Tells what a bot can see and do, as one JSON object."""

import ctypes
import json
import os
import socket
import sys
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
with open("places.json") as file:
    PLACES, PLACES_PORT = json.load(file)


def outcome(attempt):
    try:
        return repr(attempt())
    except OSError as error:
        return type(error).__name__ + ":" + str(error.errno)


def call(name, *arguments):
    ctypes.set_errno(0)
    return [getattr(LIBC, name)(*arguments), ctypes.get_errno()]


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(5)
        client.connect(address)


def try_write(path):
    return outcome(lambda: open(path, "w").close())


seen = {
    "uid": os.getuid(),
    "environment": dict(os.environ),
    "descriptors": sorted(int(fd) for fd in os.listdir("/proc/self/fd"))[:-1],
    "pids": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
    "root": sorted(os.listdir("/")),
    "etc": sorted(os.listdir("/etc")),
    "visible": [path for path in PLACES if os.path.exists(path)],
    "init_environment": outcome(lambda: Path("/proc/1/environ").read_text()),
    "init_command": outcome(lambda: Path("/proc/1/cmdline").read_text()),
    "kill_init": outcome(lambda: os.kill(1, 9)) if os.getpid() != 1 else "",
    "writable": [
        path
        for path in (
            "/x",
            "/bot/x",
            "/run/x",
            "/run/bot/x",
            "/dev/x",
            "/etc/x",
            "/opt/x",
            "/usr/x",
            "/proc/sys/kernel/core_pattern",
            "/proc/sysrq-trigger",
        )
        if try_write(path) == "None"
    ],
    "tmp": [try_write("/tmp/x"), try_write("/dev/shm/x")],
    "interfaces": [
        line.split(":")[0].strip()
        for line in Path("/proc/net/dev").read_text().splitlines()
        if ":" in line
    ],
    "internet": outcome(lambda: connect(socket.AF_INET, ("192.0.2.1", 80))),
    "host_port": outcome(lambda: connect(socket.AF_INET, ("127.0.0.1", PLACES_PORT))),
    "abstract": outcome(lambda: connect(socket.AF_UNIX, "\0tongits-test")),
    "netlink": outcome(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
    "vsock": outcome(lambda: socket.socket(40, socket.SOCK_STREAM)),
    "keyctl": call("syscall", 250 if os.uname().machine == "x86_64" else 219, 0, -3, 0),
    "memfd": call("memfd_create", b"x", 0),
    "unshare": call("unshare", 0x10000000),
    "terminal": try_write("/dev/tty"),
    "nice": outcome(lambda: os.setpriority(os.PRIO_PROCESS, 0, -5)),
    "setuid": outcome(lambda: os.setuid(0)),
    "packages": sorted(os.listdir("/opt/tongits/python")),
}
json.dump(seen, sys.stdout)
