"""Thinking and pondering: what a bot computes while something is asked of it, and while nothing is.

Pondering is allowed by default and always counted where the machine counts it cheaply; where the
organiser has switched it off, a bot is frozen between its decisions.
"""

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.process import BotProcess
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.errors import ConfigError
from tongits_harness.protocol.load import CpuUse


class Pondering:
    """One process, told when it has to think and when it may rest."""

    def __init__(self, process: BotProcess, *, is_allowed: bool) -> None:
        self._process = process
        self._is_allowed = is_allowed
        self._counted_us = 0
        self._is_thinking = True
        self.thought_us = 0
        """CPU time while something was asked, the start included."""
        self.pondered_us = 0
        """CPU time while nothing was."""

    def think(self) -> None:
        """Before something is asked of it."""
        self._book()
        self._is_thinking = True
        if not self._is_allowed:
            self._process.thaw()

    def rest(self) -> None:
        """When everything is answered."""
        if not self._is_allowed:
            self._process.freeze()
        self._book()
        self._is_thinking = False

    def so_far(self, *, anew: bool = False) -> CpuUse:
        """Both, up to now; `anew` as in `BotProcess.known_cpu_us`."""
        self._book(anew=anew)
        return CpuUse(self.thought_us, self.pondered_us)

    def _book(self, *, anew: bool = False) -> None:
        """Adds what was newly counted to what it is doing."""
        counted = self._process.known_cpu_us(anew=anew) or self._counted_us
        new, self._counted_us = counted - self._counted_us, counted
        if self._is_thinking:
            self.thought_us += new
        else:
            self.pondered_us += new


def refuse_if_it_cannot_freeze(sandbox: Sandbox, limits: Limits) -> None:
    """Makes sure that pondering can be switched off, if it is to be.

    Raises:
        ConfigError: This machine has no freezer.
    """
    if not limits.may_ponder and not sandbox.rung.can_freeze:
        raise ConfigError(
            f'limits.pondering: "off" needs a control group that freezes, and this machine has '
            f'only {sandbox.rung.name}; write "on", or start as root or with '
            "`systemd-run --user --scope -p Delegate=yes tongits ...`"
        )
