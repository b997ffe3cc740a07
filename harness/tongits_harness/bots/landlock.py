"""Landlock by system calls: what a process may still open, once it has renounced the rest.

Needs no privilege and no namespace (Linux 5.13). It does not stop UDP, connecting to a pathname
socket, or looking at names and sizes; the seccomp filter and empty environment stand beside it.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_GET_VERSION = 1
_RULE_PATH_BENEATH = 1
_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_OF_FILES = _EXECUTE | _WRITE | _READ | 1 << 14 | 1 << 15  # truncate, device control
_FILE_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All that can be handled from each version on: 2 adds renaming, 3 truncating, 5 device control."""
_TCP_BIND, _TCP_CONNECT = 1 << 0, 1 << 1
_SCOPE_ABSTRACT_SOCKETS, _SCOPE_SIGNALS = 1 << 0, 1 << 1
_TCP_ABI, _SCOPE_ABI = 4, 6

READ_RIGHTS = _EXECUTE | _READ | _LIST


def landlock_abi() -> int:
    """Version of the kernel's Landlock; 0 if it has none or it was left out at boot."""
    found = _call(_CREATE_RULESET, None, 0, _GET_VERSION)
    return max(found, 0)


def renounce(*, readable: Iterable[str], writable: Iterable[str]) -> None:
    """Gives up, for this thread and all it starts, all files but those below the named folders.

    TCP is given up from version 4 on, abstract sockets and signals to others from version 6.

    Args:
        readable: May be read and executed.
        writable: May be changed in every way.

    Raises:
        OSError: The kernel refused.
    """
    abi = landlock_abi()
    if not abi:
        raise OSError(errno.EOPNOTSUPP, "the kernel has no Landlock")
    handled = max(rights for version, rights in _FILE_RIGHTS_BY_ABI.items() if version <= abi)
    network = _TCP_BIND | _TCP_CONNECT if abi >= _TCP_ABI else 0
    scopes = _SCOPE_ABSTRACT_SOCKETS | _SCOPE_SIGNALS if abi >= _SCOPE_ABI else 0
    size = 24 if abi >= _SCOPE_ABI else 16 if abi >= _TCP_ABI else 8
    attributes = struct.pack("=QQQ", handled, network, scopes)[:size]
    ruleset = _checked(_CREATE_RULESET, attributes, size, 0)
    try:
        for path in readable:
            _allow(ruleset, path, READ_RIGHTS & handled)
        for path in writable:
            _allow(ruleset, path, handled)
        _no_new_privileges()
        _checked(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(f"/proc/self/fd/{beneath}"):
            rights &= _OF_FILES
        _checked(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, beneath), 0)
    finally:
        os.close(beneath)


def _no_new_privileges() -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")


def _checked(number: int, *arguments: bytes | int | None) -> int:
    result = _call(number, *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return result


def _call(number: int, *arguments: bytes | int | None) -> int:
    values = [
        ctypes.c_char_p(value) if isinstance(value, bytes) else ctypes.c_long(value or 0)
        for value in arguments
    ]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return int(libc.syscall(ctypes.c_long(number), *values))
