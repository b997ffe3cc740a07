"""The environment and the rlimits of a bot, the same at every level."""

import resource
import shutil
from collections.abc import Mapping

from tongits_harness.bots.limits import Limits

_SYSTEM_FOLDERS = "/usr/bin:/bin:/usr/sbin:/sbin"
BOT_PATH = "/usr/local/bin:/usr/bin:/bin"
_MIB = 1 << 20
_STACK_BYTES = 8 * _MIB
"""glibc reserves this for every thread; the usual value of a shell."""

_KERNEL_NAMES = {
    "nproc": resource.RLIMIT_NPROC,
    "nofile": resource.RLIMIT_NOFILE,
    "fsize": resource.RLIMIT_FSIZE,
    "core": resource.RLIMIT_CORE,
    "data": resource.RLIMIT_DATA,
    "memlock": resource.RLIMIT_MEMLOCK,
    "stack": resource.RLIMIT_STACK,
    "cpu": resource.RLIMIT_CPU,
}


def find_tool(name: str) -> str | None:
    """The path of a system program, or None; the user's PATH is not asked."""
    return shutil.which(name, path=_SYSTEM_FOLDERS)


def bot_environment(
    *, address: str, token: str, path: str, language: Mapping[str, str]
) -> dict[str, str]:
    """Every variable a bot gets; it is given no other."""
    return {
        "PATH": path,
        "HOME": "/tmp",  # noqa: S108  # the bot's own tmpfs
        "LANG": "C.UTF-8",
        "GRPC_ENABLE_FORK_SUPPORT": "0",
        "TONGITS_ADDRESS": address,
        "TONGITS_TOKEN": token,
        **language,
    }


def prlimit_arguments(program: str, limits: Limits, *, count_processes: bool) -> list[str]:
    """The command prefix that lowers its own limits, hard, and then becomes the bot.

    Args:
        program: Path of `prlimit`.
        limits: What to set; never above what the harness itself has.
        count_processes: Whether the bot's uid is its own, so that counting by uid is right.
    """
    wanted = {
        "nofile": limits.open_files,
        "fsize": limits.file_size_mib * _MIB,
        "core": 0,
        "data": limits.memory_mib * _MIB,
        "memlock": 0,
        "stack": _STACK_BYTES,
    }
    if count_processes:
        wanted["nproc"] = limits.processes
    if limits.cpu_s is not None:
        wanted["cpu"] = limits.cpu_s
    options = [f"--{name}={_allowed(name, value)}" for name, value in wanted.items()]
    return [program, *options, "--msgqueue=0", "--"]


def _allowed(name: str, value: int) -> int:
    hard = resource.getrlimit(_KERNEL_NAMES[name])[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
