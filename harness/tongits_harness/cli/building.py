"""Bots built where they need it, for commands that play with an author's own."""

from collections.abc import Callable, Mapping
from pathlib import Path

from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox


async def build_own(
    bots: Mapping[str, Bot],
    sandbox: Sandbox,
    results: Path,
    *,
    allow_fetch: bool,
    say: Callable[[str], None],
) -> dict[str, Bot]:
    """The bots with what their builds have made, also without a sandbox (design section 11).

    Raises:
        BuildError: a step failed.
        ConfigError: a bot needs a fetch, and that is not allowed here.
    """
    from tongits_harness.bots.build import BuildServices, build_all, needs_build
    from tongits_harness.bots.spawner import Spawner

    if not any(map(needs_build, bots.values())):
        return dict(bots)
    async with Spawner() as spawner:
        services = BuildServices(
            sandbox,
            spawner,
            results / "builds",
            allow_fetch=allow_fetch,
            allow_unsandboxed=True,
        )
        return await build_all(bots, services, say)
