"""Runs inside the process of a bot at level `partial`: shuts itself in, then becomes the bot.

Started by the harness's own Python, isolated and without site packages, with a descriptor to read
its orders from. Everything it does holds for what it becomes. It imports nothing but `landlock`.
"""

import base64
import ctypes
import json
import os
import sys
import warnings  # noqa: F401  # os.execvp imports it, when it can no longer be read
from collections.abc import Sequence

from tongits_harness.bots.landlock import renounce

_SET_SECCOMP, _FILTER_MODE = 22, 2
_INSTRUCTION_BYTES = 8
_NOT_FOUND = 127


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def main(words: Sequence[str]) -> None:
    """Takes the descriptor of the orders, then the bot's command."""
    descriptor, *argv = words
    with open(int(descriptor), "rb") as stream:
        orders = json.load(stream)
    renounce(readable=orders["readable"], writable=orders["writable"])
    _install(base64.b64decode(orders["filter"]))
    gate = orders["gate"]
    os.read(gate, 1)  # all is set up: see the gate of `sandbox.bwrap`
    os.close(gate)
    try:
        os.execvp(argv[0], argv)  # noqa: S606  # an argv, never a shell
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error.strerror}\n")
        os._exit(_NOT_FOUND)


def _install(program: bytes) -> None:
    """Puts the system-call filter in force."""
    libc = ctypes.CDLL(None, use_errno=True)
    filters = _Program(len(program) // _INSTRUCTION_BYTES, program)
    if libc.prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(filters), 0, 0):
        code = ctypes.get_errno()
        raise OSError(code, f"seccomp: {os.strerror(code)}")
