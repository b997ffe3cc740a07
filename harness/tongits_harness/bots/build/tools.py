"""What a build that cannot go on, or did not, most likely lacks."""

import shutil

from tongits_harness.bots.build.values import BuildError, StepReport
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.toolchains import (
    LANGUAGES,
    Toolchain,
    find_toolchain,
    language_of,
)

_NO_NETWORK = (
    "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENOTCACHED", "Could not resolve", "dial tcp",
    "GOPROXY=off", "Temporary failure in name resolution", "Network is unreachable",
    "UnknownHostException", "--offline", "offline mode", "No matching distribution found",
    "Connection refused",
)  # fmt: skip
"""What package clients say when there is no network."""


def toolchain_of(language: str) -> Toolchain | None:
    """What this machine has of a bot's language; None if nothing is known of that language."""
    known = language_of(language)
    return find_toolchain(known) if known else None


def check_program(bot: Bot, program: str, toolchain: Toolchain | None) -> None:
    """Makes sure that the first word of a command can be run at all.

    Raises:
        BuildError: It is missing, or older than bots of the language need.
    """
    if "/" in program:
        return
    lacking = [
        found.tool.program
        for found in (toolchain.tools if toolchain else ())
        if not found.is_usable
    ]
    is_missing = shutil.which(program) is None and program not in {"python", "python3"}
    if program in lacking and toolchain:
        raise BuildError(f"{bot.reference}: cannot be built here: {toolchain.lack}")
    if is_missing:
        cure = next(
            (known.cure for known in LANGUAGES if program in {t.program for t in known.tools}),
            "install it below /usr, or name another program in its manifest",
        )
        raise BuildError(f"{bot.reference}: cannot be built here: needs {program}: {cure}")


def hint_after(step: StepReport, toolchain: Toolchain | None) -> str:
    """What to do about a step that failed."""
    if toolchain and toolchain.lack:
        return f"{toolchain.language.title} {toolchain.lack}"
    said = "\n".join(step.last_lines)
    if step.step == "build" and any(word in said for word in _NO_NETWORK):
        return (
            "a build has no network: let `fetch` in the manifest get all it needs, "
            "or put it into the folder"
        )
    return f"mend it, then try again (it was: {' '.join(step.argv)[:200]})"
