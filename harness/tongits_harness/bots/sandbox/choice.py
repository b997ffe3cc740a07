"""From the word on the command line to a sandbox that was tried, or a refusal."""

from typing import assert_never

from tongits_harness.bots.rungs import choose_rung
from tongits_harness.bots.rungs.base import MEMORY, PROCESSES
from tongits_harness.bots.sandbox.contained import open_contained
from tongits_harness.bots.sandbox.levels import Level, Sandbox
from tongits_harness.bots.sandbox.partial import open_partial
from tongits_harness.bots.sandbox.plain import open_plain
from tongits_harness.errors import SandboxUnavailableError, UsageError

CHOICES = ("auto", *Level)
"""What `--sandbox` takes."""


def open_sandbox(choice: str = "auto") -> Sandbox:
    """A sandbox of the wanted level, tried by running a program in it (takes some 50 ms).

    Args:
        choice: A level, or `auto` for the best one; `auto` never means `partial` or `none`.

    Raises:
        UsageError: There is no such level.
        SandboxUnavailableError: This machine cannot make it; text: cause, line feed, cure.
    """
    if choice not in CHOICES:
        raise UsageError(f"--sandbox={choice}: no such level; choose one of {', '.join(CHOICES)}")
    if choice == "auto":
        return open_contained(choose_rung().rung)
    match Level(choice):
        case Level.FULL:
            return _open_full()
        case Level.CONTAINED:
            return open_contained(choose_rung(enforcing=False).rung)
        case Level.NONE:
            return open_plain(choose_rung().rung)
        case Level.PARTIAL:
            return open_partial(choose_rung().rung)
        case _ as never:
            assert_never(never)


def _open_full() -> Sandbox:
    choice = choose_rung()
    if not {MEMORY, PROCESSES} <= choice.rung.enforces:
        reasons = "; ".join(f"{name}: {why}" for name, why in choice.passed_over)
        raise SandboxUnavailableError(
            f"no control group can hold a bot's memory here ({reasons})\n"
            "run as root, or with `systemd-run --user --scope -p Delegate=yes tongits ...`; "
            "--sandbox=auto goes on with memory watched"
        )
    return open_contained(choice.rung)
