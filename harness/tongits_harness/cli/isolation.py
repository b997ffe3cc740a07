"""The sandbox for an author's own bots, which may go on without one (design section 11)."""

from typing import TYPE_CHECKING

import click

from tongits_harness.cli.talk import say
from tongits_harness.errors import SandboxUnavailableError

if TYPE_CHECKING:
    from tongits_harness.bots.sandbox import Sandbox

LEVELS = ("auto", "full", "contained", "partial", "none")


own_sandbox_option = click.option(
    "--sandbox",
    "level",
    type=click.Choice(LEVELS),
    default="auto",
    show_default=True,
    help="Isolation of the bots; auto is the best this machine has, none with a warning.",
)


def open_own_sandbox(level: str) -> "Sandbox":
    """The sandbox of that level; for `auto` the best there is, none after a loud warning.

    Raises:
        SandboxUnavailableError: a level was asked for by name and cannot be had.
    """
    from tongits_harness.bots.sandbox import open_sandbox

    if level == "none":
        say("WARNING: --sandbox=none: bots can read and harm this account.")
    if level != "auto":
        return open_sandbox(level)
    try:
        return open_sandbox("auto")
    except SandboxUnavailableError as error:
        say(
            "WARNING: bots run WITHOUT a sandbox on this machine: play only with programs you"
            " trust.",
            str(error),
        )
        return open_sandbox("none")
