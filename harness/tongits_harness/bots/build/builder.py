"""From a bot's folder to the tree that runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.bots.build.values import BuildError, BuildLimits, BuiltBot, needs_build
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox.levels import Sandbox
from tongits_harness.bots.spawner import Spawner

OnOutput = Callable[[str], None]
"""Is told each line a step prints, safe to show."""


@dataclass(frozen=True, slots=True)
class BuildServices:
    """What all builds of a command share."""

    sandbox: Sandbox
    spawner: Spawner
    builds: Path
    """Where trees are kept, `builds` in the results folder."""
    allow_fetch: bool = False
    """Whether fetch steps may use the network."""
    allow_unsandboxed: bool = False
    """Whether to go on at level `none`: for the author's own folder, or where it was typed."""
    limits: BuildLimits = BuildLimits()


async def build(
    bot: Bot, services: BuildServices, on_output: OnOutput = lambda _line: None
) -> BuiltBot:
    """The bot with its built tree, which is made unless it was made before.

    Raises:
        BuildError: A step failed, passed a limit, lacks its toolchain, or left what cannot be kept.
        ConfigError: It needs a fetch, and that is not allowed here.
        SandboxUnavailableError: It would have to run without a sandbox, and that is not allowed.
        SpawnFailedError: The machine could not start a step.
    """
    if not needs_build(bot):
        return BuiltBot(bot, None, was_cached=False)
    raise BuildError(f"{bot.reference}: builds are not offered yet")


async def build_all(
    bots: Mapping[str, Bot],
    services: BuildServices,
    say: Callable[[str], None] = lambda _line: None,
) -> dict[str, Bot]:
    """All bots of a tournament, built where they need it; says a line for each that does.

    Raises:
        BuildError: At least one could not be built; all of them are named.
    """
    built: dict[str, Bot] = {}
    for name, bot in bots.items():
        made = await build(bot, services)
        built[name] = made.bot
        if line := made.tell():
            say(line)
    return built
