"""What one bot process may use. How firmly each limit holds is a matter of `sandbox.levels`."""

from collections.abc import Mapping
from dataclasses import dataclass

from tongits_harness.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot process (with all it starts) may use.

    Raises:
        ConfigError: Values out of range; all of them are named.
    """

    memory_mib: int = 512
    """Memory in use, files in its temp folders included."""
    processes: int = 64
    """Processes and threads together; gRPC for Python alone takes nine."""
    open_files: int = 256
    file_size_mib: int = 16
    """Largest single file it can write."""
    tmp_mib: int = 16
    """Size of its own /tmp; /dev/shm has 4 MiB more."""
    cpu_cores: float = 1.0
    """Cores it can keep busy at once."""
    cpu_s: int | None = None
    """CPU seconds over its whole life; None leaves that to the clocks."""
    may_ponder: bool = True
    """Whether it may go on computing while nothing is asked of it."""

    def __post_init__(self) -> None:
        """Checks the ranges."""
        wrong = [
            f"{name}: {value} is not within {low}..{high}; choose a number in that range"
            for name, (low, high) in RANGES.items()
            if (value := getattr(self, name)) is not None and not low <= value <= high
        ]
        if wrong:
            raise ConfigError("limits: " + "; ".join(wrong))


RANGES: Mapping[str, tuple[float, float]] = {
    "memory_mib": (32, 1 << 20),
    "processes": (16, 4096),
    "open_files": (32, 65536),
    "file_size_mib": (1, 1 << 20),
    "tmp_mib": (1, 1 << 16),
    "cpu_cores": (0.1, 1024),
    "cpu_s": (1, 1 << 20),
}
"""Smallest and largest value of each limit; below them no gRPC runtime starts."""
