"""From a bot's folder to the tree that runs."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import trio

from tongits_harness.bots.build.environment import PROXY_PORT, step_environment
from tongits_harness.bots.build.export import ExportError, export_tree
from tongits_harness.bots.build.proxy import PROXY_SOCKET, Traffic, open_proxy
from tongits_harness.bots.build.step import OnOutput, Step, run_step
from tongits_harness.bots.build.store import NewBuild, find_built, open_new_build
from tongits_harness.bots.build.tools import check_program, hint_after, toolchain_of
from tongits_harness.bots.build.values import (
    BuildError,
    BuildLimits,
    BuildReport,
    BuiltBot,
    StepReport,
    build_key,
    needs_build,
)
from tongits_harness.bots.build.workspace import Workspace, open_workspace
from tongits_harness.bots.folder import is_excluded
from tongits_harness.bots.languages import build_runtime, certificates
from tongits_harness.bots.manifest import Bot, BuiltTree
from tongits_harness.bots.mounts import Runtime
from tongits_harness.bots.sandbox.levels import Launch, Level, Relay, Sandbox, Workshop
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.toolchains import Toolchain
from tongits_harness.errors import ConfigError, SandboxUnavailableError
from tongits_harness.text import safe_text

_NAMESPACES = frozenset({Level.FULL, Level.CONTAINED})


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
    limits: BuildLimits = field(default_factory=BuildLimits)


async def build(
    bot: Bot,
    services: BuildServices,
    on_output: OnOutput = lambda _line: None,
    *,
    say: Callable[[str], None] = lambda _line: None,
) -> BuiltBot:
    """The bot with its built tree, which is made unless it was made before.

    Args:
        bot: As it was loaded.
        services: With what.
        on_output: Is told each line a step prints, safe to show.
        say: Is told when the first step is about to begin.

    Raises:
        BuildError: A step failed, passed a limit, lacks its toolchain, or left what cannot be kept.
        ConfigError: It needs a fetch, and that is not allowed here.
        SandboxUnavailableError: It would have to run without a sandbox, and that is not allowed.
        SpawnFailedError: The machine could not start a step.
    """
    if not needs_build(bot):
        return BuiltBot(bot, None, was_cached=False)
    key = build_key(bot)
    if found := await trio.to_thread.run_sync(find_built, services.builds, key):
        report, tree = found
        return BuiltBot(replace(bot, tree=tree), report, was_cached=True)
    _refuse_what_is_not_allowed(bot, services)
    toolchain = await trio.to_thread.run_sync(toolchain_of, bot.manifest.language)
    for argv in filter(None, (bot.manifest.fetch, bot.manifest.build)):
        check_program(bot, argv[0], toolchain)
    with (
        open_new_build(services.builds) as new,
        open_workspace(bot, services.sandbox) as workspace,
    ):
        say(f"{bot.name}: building {bot.reference}")
        job = _Job(bot, services, on_output, workspace, toolchain)
        report, tree = await job.make(new)
    return BuiltBot(replace(bot, tree=tree), report, was_cached=False)


async def build_all(
    bots: Mapping[str, Bot],
    services: BuildServices,
    say: Callable[[str], None] = lambda _line: None,
) -> dict[str, Bot]:
    """All bots of a tournament, built where they need it; says a line for each that does.

    Raises:
        BuildError: One of them could not be built.
    """
    built: dict[str, Bot] = {}
    for name, bot in bots.items():
        made = await build(bot, services, say=say)
        built[name] = made.bot
        if line := made.tell():
            say(line)
    return built


def _refuse_what_is_not_allowed(bot: Bot, services: BuildServices) -> None:
    """Before anything of the author runs."""
    level, fetch = services.sandbox.level, bot.manifest.fetch
    if services.builds.resolve().is_relative_to(bot.path.resolve()):
        _refuse_results_inside(bot, services.builds)
    if level is Level.NONE and not services.allow_unsandboxed:
        raise SandboxUnavailableError(
            f"{bot.reference}: its build would run without a sandbox\n"
            "build it on a machine that can make one (`tongits doctor` says what is amiss)"
        )
    if fetch and not services.allow_fetch:
        raise ConfigError(
            f"{bot.reference}: gets what it depends on from the network "
            f"({safe_text(' '.join(fetch))[:100]}); allow that with --allow-fetch, or ask its "
            "author to put the dependencies into the folder"
        )
    if fetch and level is Level.PARTIAL:
        raise SandboxUnavailableError(
            f"{bot.reference}: its fetch needs a network namespace, which level partial has not\n"
            "build it on a machine with level full or contained, or put its dependencies into the "
            "folder; for your own bots only, --sandbox=none fetches without isolation"
        )


def _refuse_results_inside(bot: Bot, builds: Path) -> None:
    """A bot that holds its own results would never be the same twice."""
    first = builds.resolve().relative_to(bot.path.resolve()).parts[0]
    if first != "results" and not is_excluded(first, bot.manifest.exclude):
        raise ConfigError(
            f"{bot.reference}: the results folder {first} lies in the bot's folder; add it to "
            "exclude in its manifest, or choose another folder with --results"
        )


@dataclass(slots=True)
class _Job:
    """One build under way."""

    bot: Bot
    services: BuildServices
    on_output: OnOutput
    workspace: Workspace
    toolchain: Toolchain | None
    steps: list[StepReport] = field(default_factory=list)

    async def make(self, new: NewBuild) -> tuple[BuildReport, BuiltTree]:
        """Runs the steps and keeps what they leave."""
        manifest = self.bot.manifest
        runtime = await trio.to_thread.run_sync(self._runtime)
        if manifest.fetch:
            await self._fetch(manifest.fetch, runtime)
        if manifest.build:
            launch = self._launch(manifest.build, runtime, is_offline=True)
            self._note(await self._run("build", manifest.build, launch))
        return await trio.to_thread.run_sync(self._keep, new)

    async def _fetch(self, argv: tuple[str, ...], runtime: Runtime) -> None:
        has_proxy = self.services.sandbox.level in _NAMESPACES
        launch = self._launch(argv, runtime | certificates(), has_proxy=has_proxy)
        if not has_proxy:
            self._note(await self._run("fetch", argv, launch))
            return
        traffic = Traffic(self.services.limits.download_mib << 20)
        async with open_proxy(self.workspace.door, self.workspace.uid, traffic):
            report = await self._run("fetch", argv, launch)
        problem = report.problem
        if problem and traffic.problem:
            problem = f"{problem} ({traffic.problem})"
        self._note(
            replace(
                report,
                problem=problem,
                hosts=tuple(traffic.hosts),
                transferred_bytes=traffic.total,
            )
        )

    def _launch(
        self,
        argv: tuple[str, ...],
        runtime: Runtime,
        *,
        is_offline: bool = False,
        has_proxy: bool = False,
    ) -> Launch:
        cores = os.cpu_count() or 1
        environment = step_environment(is_offline=is_offline, has_proxy=has_proxy)
        return Launch(
            argv=argv,
            language=self.bot.manifest.language,
            bot_folder=self.workspace.bot,
            seat_folder=self.workspace.door,
            token="",
            limits=self.services.limits.process(cores),
            slot=self.workspace.slot,
            runtime=runtime,
            relay=Relay(PROXY_SOCKET, PROXY_PORT) if has_proxy else None,
            work=Workshop(self.workspace.scratch, environment),
        )

    def _runtime(self) -> Runtime:
        return build_runtime(self.toolchain) if self.toolchain else Runtime()

    async def _run(self, name: str, argv: tuple[str, ...], launch: Launch) -> StepReport:
        services = self.services
        return await run_step(
            Step(name, argv, launch, self.workspace.path),
            services.sandbox,
            services.spawner,
            services.limits,
            self.on_output,
        )

    def _note(self, step: StepReport) -> None:
        """Remembers a step.

        Raises:
            BuildError: It failed.
        """
        self.steps.append(step)
        if step.problem:
            raise BuildError(
                f"{self.bot.reference}: {step.step} failed: {step.problem}; "
                f"{hint_after(step, self.toolchain)}",
                details=step.last_lines[-20:],
                report=self._report(),
            )

    def _keep(self, new: NewBuild) -> tuple[BuildReport, BuiltTree]:
        workspace = self.workspace
        try:
            dropped = export_tree(
                workspace.bot,
                new.tree,
                owner=workspace.owner,
                tree_mib=self.services.limits.tree_mib,
            )
        except ExportError as error:
            raise BuildError(
                f"{self.bot.reference}: what its build left cannot be kept: {error}",
                report=self._report(),
            ) from error
        return new.keep(self._report(dropped))

    def _report(self, dropped: tuple[str, ...] = ()) -> BuildReport:
        return BuildReport(
            key=build_key(self.bot),
            files_digest=self.bot.files_digest,
            tree_digest="",
            sandbox=str(self.services.sandbox.level),
            toolchain=self.toolchain.text if self.toolchain else "",
            dropped=dropped,
            steps=tuple(self.steps),
        )
