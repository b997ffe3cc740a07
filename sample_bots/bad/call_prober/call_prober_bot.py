"""Makes system calls that no bot needs (rows 15, 16, 38 to 41). Expected: no fault.

`targets.json` beside this file may name processes of the host. What came of each attempt is told
in notes: the name of an errno, or DONE.
"""

# ruff: noqa: S108  # the temp folders of the sandbox are what is attacked
import ctypes
import errno
import fcntl
import json
import os
import platform
import resource
import signal
from collections import deque
from collections.abc import Callable
from pathlib import Path

from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
LIBC = ctypes.CDLL(None, use_errno=True)
MACHINE = platform.machine()
CALLS = {
    "x86_64": {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_getfd": 438,
        "io_uring_setup": 425, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323,
        "keyctl": 250, "add_key": 248, "kexec_load": 246, "init_module": 175, "swapon": 167,
        "open_tree": 428, "move_mount": 429, "fsopen": 430, "reboot": 169, "settimeofday": 164,
        "acct": 163, "quotactl": 179, "kcmp": 312, "name_to_handle_at": 303,
        "open_by_handle_at": 304, "pivot_root": 155,
    },
}  # fmt: skip
"""Numbers of calls that Python has no function for."""
CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET = 0x10000000, 0x20000, 0x40000000
TIOCSTI = 0x5412
SYSCTLS = ("kernel/core_pattern", "kernel/hostname", "vm/overcommit_memory", "net/ipv4/ip_forward")

notes: deque[str] = deque()
tried: list[bool] = []


def host_pids() -> list[int]:
    """Processes of the host; without any, a few that exist nearly everywhere."""
    file = Path(__file__).with_name("targets.json")
    return json.loads(file.read_text())["pids"] if file.exists() else [1, 2, 3]


def call(function: str, *arguments: object) -> None:
    """A function of libc that gives -1 and an errno."""
    if getattr(LIBC, function)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), function)


def raw_call(number: int, *arguments: int) -> None:
    """A system call by number."""
    LIBC.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(value) for value in (*arguments, *[0] * (6 - len(arguments)))]
    if LIBC.syscall(ctypes.c_long(number), *words) == -1:
        raise OSError(ctypes.get_errno(), str(number))


def write(path: str, text: str) -> None:
    """Write to a file that is there."""
    with open(path, "w") as file:
        file.write(text)


def push_into_terminal() -> None:
    """Type a character for whoever started this."""
    with open("/dev/tty", "rb") as terminal:
        fcntl.ioctl(terminal, TIOCSTI, b"x")


def push_into_stdin() -> None:
    """The same where stdin should be one."""
    fcntl.ioctl(0, TIOCSTI, b"x")


def raise_limit(name: int) -> None:
    """As much as there is of something."""
    hard = resource.getrlimit(name)[1]
    if hard == resource.RLIM_INFINITY:
        raise OSError(errno.ENODATA, "there is no limit to raise")
    resource.setrlimit(name, (hard + 1, hard + 1))


def attempts() -> dict[str, Callable[[], object]]:
    """All of them by name."""
    own = os.getpid()
    found: dict[str, Callable[[], object]] = {
        f"kill {pid}": lambda pid=pid: os.kill(pid, 0 if pid == own else signal.SIGKILL)
        for pid in host_pids()
        if not Path(f"/proc/{pid}").exists()
    }
    found |= {
        "kill the init": lambda: os.kill(1, signal.SIGSTOP),
        "setuid": lambda: os.setuid(0),
        "setgid": lambda: os.setgid(0),
        "setgroups": lambda: os.setgroups([0]),
        "setresuid": lambda: os.setresuid(0, 0, 0),
        "chroot": lambda: os.chroot("/tmp"),
        "mount": lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
        "bind": lambda: call("mount", b"/", b"/tmp", None, 4096, None),
        "umount": lambda: call("umount2", b"/proc", 2),
        "unshare user": lambda: call("unshare", CLONE_NEWUSER),
        "unshare mount": lambda: call("unshare", CLONE_NEWNS),
        "unshare net": lambda: call("unshare", CLONE_NEWNET),
        "setns": lambda: call("setns", os.open("/proc/1/ns/mnt", os.O_RDONLY), 0),
        "sethostname": lambda: call("sethostname", b"owned", 5),
        "nice": lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
        "realtime": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10)),
        "tty": push_into_terminal,
        "stdin": push_into_stdin,
        "setuid program": setuid_program,
        "personality": lambda: raw_call(135, 0x0040000) if MACHINE == "x86_64" else None,
    }
    for name in ("NOFILE", "NPROC", "DATA", "FSIZE", "CORE", "MEMLOCK"):
        found[f"limit {name}"] = lambda n=name: raise_limit(getattr(resource, f"RLIMIT_{n}"))
    for name in SYSCTLS:
        found[f"sysctl {name}"] = lambda name=name: write(f"/proc/sys/{name}", "0")
    found["sysrq"] = lambda: write("/proc/sysrq-trigger", "h")
    found["oom_score_adj"] = lambda: write("/proc/self/oom_score_adj", "-1000")
    for name, number in CALLS.get(MACHINE, {}).items():
        # ptrace(PTRACE_ATTACH, 1); process_vm_readv(1, ...); nothing valid for the others.
        first = 16 if name == "ptrace" else 1
        found[name] = lambda number=number, first=first: raw_call(number, first, 1)
    return found


def setuid_program() -> None:
    """Become root by a program that may: su without a password, if there is one."""
    status = os.stat("/usr/bin/su")
    if not status.st_mode & 0o4000:
        raise OSError(errno.EPERM, "not setuid")
    with open("/proc/self/status") as lines:
        if "NoNewPrivs:\t1" in lines.read():
            raise OSError(errno.EPERM, "no new privileges")


def outcome(attempt: Callable[[], object]) -> str:
    """The name of an errno, or DONE."""
    try:
        attempt()
    except (OSError, ValueError) as error:
        number = getattr(error, "errno", None) or errno.EPERM
        return errno.errorcode.get(number, str(error))
    return "DONE"


def decide(view: View) -> Action:
    """The first legal action; once, all attempts."""
    if view.turn >= FROM_TURN and not tried:
        tried.append(True)
        told = {name: outcome(go) for name, go in attempts().items()}
        items = list(told.items())
        notes.extend(json.dumps(dict(items[n : n + 30])) for n in range(0, len(items), 30))
    if notes:
        view.note = notes.popleft()
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
