"""Bots that have to be built first, by commands of a few words; and where they are built."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from tongits_harness.bots.build import BuildError, BuildLimits, BuildServices, BuiltBot, build
from tongits_harness.bots.manifest import Bot, load_bot
from tongits_harness.bots.sandbox import Sandbox, open_sandbox
from tongits_harness.bots.spawner import Spawner
from tongits_harness.errors import SandboxUnavailableError

SHORT = BuildLimits(seconds=60.0, memory_mib=1024, processes=128)
"""Patient with a busy machine, impatient with what never ends."""
DEADLINE_S = 90.0


def _open(level: str) -> Sandbox:
    try:
        return open_sandbox(level)
    except SandboxUnavailableError as refusal:
        pytest.skip(f"no sandbox of level {level} on this machine: {refusal}")


@pytest.fixture(scope="session")
def contained() -> Sandbox:
    return _open("contained")


@pytest.fixture(scope="session")
def full() -> Sandbox:
    return _open("full")


@pytest.fixture(scope="session")
def partial() -> Sandbox:
    return _open("partial")


@pytest.fixture(scope="session")
def plain() -> Sandbox:
    return _open("none")


@pytest.fixture
def spawner() -> Iterator[Spawner]:
    with Spawner() as spawner:
        yield spawner


MakeBot = Callable[..., Bot]


@pytest.fixture
def make_bot(tmp_path: Path) -> MakeBot:
    """Makes a bot whose build is a line of shell, a command, or nothing at all."""

    def make(
        build: str | list[str] | None = None, name: str = "bot", place: str = "", **keys: object
    ) -> Bot:
        folder = tmp_path / (place or name)
        folder.mkdir(exist_ok=True)
        (folder / "source.txt").write_text("source\n")
        table = {"name": name, "version": "1", "language": "sh", "run": ["./bot"], **keys}
        if build is not None:
            table["build"] = ["sh", "-c", build] if isinstance(build, str) else build
        lines = [f"{key} = {json.dumps(value)}" for key, value in table.items()]
        (folder / "bot.toml").write_text("\n".join(lines) + "\n")
        return load_bot(folder)

    return make


class Yard:
    """Builds bots, one after another, in one sandbox."""

    def __init__(self, services: BuildServices) -> None:
        self.services = services
        self.said: list[str] = []

    def with_limits(self, **limits: object) -> "Yard":
        """The same with other limits."""
        return Yard(replace(self.services, limits=replace(SHORT, **limits)))

    async def build(self, bot: Bot) -> BuiltBot:
        with trio.fail_after(DEADLINE_S):
            return await build(bot, self.services, self.said.append)

    async def refusal(self, bot: Bot) -> BuildError:
        """Why a bot cannot be built; nothing of it may be kept."""
        with pytest.raises(BuildError) as refused:
            await self.build(bot)
        builds = self.services.builds
        assert not builds.exists() or list(builds.iterdir()) == []
        return refused.value


@pytest.fixture
def make_yard(spawner: Spawner, tmp_path: Path) -> Callable[..., Yard]:
    def make(sandbox: Sandbox, **services: object) -> Yard:
        given = BuildServices(sandbox, spawner, tmp_path / "builds", limits=SHORT)
        return Yard(replace(given, **services))

    return make


@pytest.fixture
def yard(make_yard, contained: Sandbox) -> Yard:
    return make_yard(contained)
