"""How a process ended, as a value."""

import signal
from dataclasses import dataclass

_SIGNALLED = 128
"""A sandbox reports the end by signal n as status 128 + n, as shells do."""


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a process ended."""

    code: int | None
    """Exit status; None if a signal ended it."""
    signal: str | None
    """Name of the signal that ended it, such as SIGSEGV."""
    killed: str | None
    """Why the harness killed it; None if it ended by itself."""

    @property
    def text(self) -> str:
        """One phrase for the author."""
        how = f"ended by {self.signal}" if self.signal else f"exited with status {self.code}"
        return f"{how} (the harness stopped it: {self.killed})" if self.killed else how


def exit_status(returncode: int | None, killed: str | None) -> ExitStatus:
    """From what the system gives; None if it was killed and the kernel has not let go of it."""
    if returncode is None:
        return ExitStatus(None, "SIGKILL", killed)
    number = -returncode if returncode < 0 else returncode - _SIGNALLED
    try:
        return ExitStatus(None, signal.Signals(number).name, killed)
    except ValueError:
        return ExitStatus(returncode, None, killed)
