"""The system-call filter of bots: a deny-list assembled here, without libseccomp.

Refused calls get an errno and do not kill, because language runtimes fall back to something else
(node without io_uring, glibc without clone3). Allow-lists per language were rejected: they break
with every libc. The numbers come from the kernel's tables for the two architectures.
"""

import errno
import platform
import struct
from collections.abc import Sequence
from dataclasses import dataclass

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_OFFSET_NUMBER, _OFFSET_ARCH, _OFFSET_ARGUMENT_0, _OFFSET_ARGUMENT_1 = 0, 4, 16, 24

_NEW_NAMESPACE = 0x7E020000 | 0x80
"""All CLONE_NEW* bits, CLONE_NEWTIME too."""
SOCKET_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET, AF_INET6; the network namespace holds nothing but its own loopback."""
LOCAL_FAMILIES = (1,)
"""AF_UNIX alone, for where there is no network namespace."""
_TERMINAL_INJECTION = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX."""
_X32_BIT = 0x40000000
_ABSENT = frozenset({"io_uring_setup", "memfd_create", "clone3"})
"""Answered as if the kernel were too old, which is what runtimes test for."""


@dataclass(frozen=True, slots=True)
class _Machine:
    arch: int
    denied: dict[str, int]
    socket: int
    ioctl: int
    clone: int


# fmt: off
_SAME_NUMBER_EVERYWHERE = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "clone3": 435, "pidfd_getfd": 438, "mount_setattr": 442, "memfd_secret": 447,
}
_MACHINES = {
    "x86_64": _Machine(0xC000003E, _SAME_NUMBER_EVERYWHERE | {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "keyctl": 250,
        "add_key": 248, "request_key": 249, "bpf": 321, "perf_event_open": 298,
        "userfaultfd": 323, "memfd_create": 319, "shmget": 29, "shmat": 30, "kexec_load": 246,
        "kexec_file_load": 320, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161,
        "unshare": 272, "setns": 308, "init_module": 175, "finit_module": 313,
        "delete_module": 176, "open_by_handle_at": 304, "name_to_handle_at": 303,
        "personality": 135, "acct": 163, "swapon": 167, "swapoff": 168, "reboot": 169,
        "quotactl": 179, "syslog": 103, "settimeofday": 164, "clock_settime": 227,
        "clock_adjtime": 305, "adjtimex": 159, "move_pages": 279, "mbind": 237,
        "set_mempolicy": 238, "migrate_pages": 256, "kcmp": 312, "vhangup": 153, "iopl": 172,
        "ioperm": 173, "modify_ldt": 154, "lookup_dcookie": 212,
    }, socket=41, ioctl=16, clone=56),
    "aarch64": _Machine(0xC00000B7, _SAME_NUMBER_EVERYWHERE | {
        "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "keyctl": 219,
        "add_key": 217, "request_key": 218, "bpf": 280, "perf_event_open": 241,
        "userfaultfd": 282, "memfd_create": 279, "shmget": 194, "shmat": 196, "kexec_load": 104,
        "kexec_file_load": 294, "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51,
        "unshare": 97, "setns": 268, "init_module": 105, "finit_module": 273,
        "delete_module": 106, "open_by_handle_at": 265, "name_to_handle_at": 264,
        "personality": 92, "acct": 89, "swapon": 224, "swapoff": 225, "reboot": 142,
        "quotactl": 60, "syslog": 116, "settimeofday": 170, "clock_settime": 112,
        "clock_adjtime": 266, "adjtimex": 171, "move_pages": 239, "mbind": 235,
        "set_mempolicy": 237, "migrate_pages": 238, "kcmp": 272, "vhangup": 58,
        "lookup_dcookie": 18,
    }, socket=198, ioctl=29, clone=220),
}
# fmt: on


def is_supported(machine: str | None = None) -> bool:
    """True if a filter can be made for this kind of machine (default: the one we run on)."""
    return (machine or platform.machine()) in _MACHINES


def build_filter(machine: str | None = None, *, families: Sequence[int] = SOCKET_FAMILIES) -> bytes:
    """The filter program as an array of `struct sock_filter`, as `bwrap --seccomp` reads it.

    Raises:
        KeyError: No table for this machine; see `is_supported`.
    """
    table = _MACHINES[machine or platform.machine()]
    program = [
        _step(_LOAD, _OFFSET_ARCH),
        _step(_EQUAL, table.arch, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _OFFSET_NUMBER),
    ]
    if table.arch == _MACHINES["x86_64"].arch:
        program += [_step(_AT_LEAST, _X32_BIT, 0, 1), _refuse(errno.ENOSYS)]
    for name, number in table.denied.items():
        program += [_step(_EQUAL, number, 0, 1)]
        program += [_refuse(errno.ENOSYS if name in _ABSENT else errno.EPERM)]
    program += _refuse_new_namespaces(table.clone)
    program += _refuse_injection(table.ioctl)
    program += _refuse_other_sockets(table.socket, families)
    program += [_step(_RETURN, _ALLOW)]
    return b"".join(program)


def _refuse_new_namespaces(clone: int) -> list[bytes]:
    return [
        _step(_EQUAL, clone, 0, 4),
        _step(_LOAD, _OFFSET_ARGUMENT_0),
        _step(_ANY_BIT, _NEW_NAMESPACE, 0, 1),
        _refuse(errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]


def _refuse_injection(ioctl: int) -> list[bytes]:
    sti, linux = _TERMINAL_INJECTION
    return [
        _step(_EQUAL, ioctl, 0, 5),
        _step(_LOAD, _OFFSET_ARGUMENT_1),
        _step(_EQUAL, sti, 1, 0),
        _step(_EQUAL, linux, 0, 1),
        _refuse(errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]


def _refuse_other_sockets(socket: int, families: Sequence[int]) -> list[bytes]:
    last = len(families)
    return [
        _step(_EQUAL, socket, 0, last + 3),
        _step(_LOAD, _OFFSET_ARGUMENT_0),
        *(_step(_EQUAL, family, last - at, 0) for at, family in enumerate(families)),
        _refuse(errno.EAFNOSUPPORT),
        _step(_RETURN, _ALLOW),
    ]


def _refuse(error: int) -> bytes:
    return _step(_RETURN, _ERRNO | error)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
