"""From the word on the command line to a sandbox that was tried, or a refusal."""

from typing import assert_never

from tongits_harness.bots.sandbox.contained import open_contained
from tongits_harness.bots.sandbox.levels import Level, Sandbox
from tongits_harness.bots.sandbox.plain import open_plain
from tongits_harness.errors import SandboxUnavailableError, UsageError

CHOICES = ("auto", *Level)
"""What `--sandbox` takes."""


def open_sandbox(choice: str = "auto") -> Sandbox:
    """A sandbox of the wanted level, tried by running a program in it (takes some 20 ms).

    Args:
        choice: A level, or `auto` for the best one; `auto` never means `none`.

    Raises:
        UsageError: There is no such level.
        SandboxUnavailableError: This machine cannot make it; text: cause, line feed, cure.
    """
    if choice not in CHOICES:
        raise UsageError(f"--sandbox={choice}: no such level; choose one of {', '.join(CHOICES)}")
    if choice == "auto":
        return open_contained()
    match Level(choice):
        case Level.CONTAINED:
            return open_contained()
        case Level.NONE:
            return open_plain()
        case Level.FULL | Level.PARTIAL as level:
            raise SandboxUnavailableError(
                f"the sandbox level {level} is not built yet\nuse --sandbox=auto"
            )
        case _ as never:
            assert_never(never)
