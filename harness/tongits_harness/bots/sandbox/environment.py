"""The environment and the rlimits of a bot, the same at every level."""

import resource
from collections.abc import Mapping

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs.base import MEMORY, PROCESSES
from tongits_harness.bots.sandbox.levels import Launch

BOT_PATH = "/usr/local/bin:/usr/bin:/bin"
_MIB = 1 << 20
_STACK_BYTES = 8 * _MIB
"""glibc reserves this for every thread; the usual value of a shell."""
_RESERVED_MIB = 512
"""What a runtime may map beyond what it uses, where the sum in use is watched (JVM, Go, Node)."""
_CPU_GRACE_S = 5
"""How far behind the watch over the sum of CPU time the kernel's own limit of a process lies."""

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


def launch_environment(
    launch: Launch, *, address: str, scratch: str, path: str, language: Mapping[str, str]
) -> dict[str, str]:
    """Every variable of what is launched: a bot, or a step of a build.

    Args:
        launch: What is to be started.
        address: Where it finds its table, if it is a bot.
        scratch: Where it sees its scratch folder, if it is a step of a build.
        path: PATH.
        language: What the language wants.
    """
    if launch.work is None:
        return bot_environment(address=address, token=launch.token, path=path, language=language)
    return {"PATH": path, "LANG": "C.UTF-8", **language, **launch.work.environment(scratch)}


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


def prlimit_arguments(
    program: str, limits: Limits, *, count_processes: bool, enforced: frozenset[str]
) -> list[str]:
    """The command prefix that lowers its own limits, hard, and then becomes the bot.

    Args:
        program: Path of `prlimit`.
        limits: What to set; never above what the harness itself has.
        count_processes: Whether the bot's uid is its own, so that counting by uid is right.
        enforced: Limits that its group holds; no rlimit may bite before it, because only the
            group tells us that a limit was hit.
    """
    wanted = {
        "nofile": limits.open_files,
        "fsize": limits.file_size_mib * _MIB,
        "core": 0,
        "memlock": 0,
        "stack": _STACK_BYTES,
    }
    if MEMORY not in enforced:
        wanted["data"] = (limits.memory_mib + _RESERVED_MIB) * _MIB
    if count_processes:
        wanted["nproc"] = limits.processes * (2 if PROCESSES in enforced else 1)
    if limits.cpu_s is not None:
        wanted["cpu"] = limits.cpu_s + _CPU_GRACE_S
    options = [f"--{name}={_allowed(name, value)}" for name, value in wanted.items()]
    return [program, *options, "--msgqueue=0", "--"]


def _allowed(name: str, value: int) -> int:
    hard = resource.getrlimit(_KERNEL_NAMES[name])[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
