"""Bots made of a few lines of Python, and a sandbox to run them in."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot, load_bot
from tongits_harness.bots.process import BotProcess, open_process
from tongits_harness.bots.sandbox import Sandbox, open_sandbox
from tongits_harness.bots.seat import open_seat_folder
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import RunFolder, open_run_folder, stage
from tongits_harness.errors import SandboxUnavailableError

SPOKEN = "a-word"
PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session")
def contained() -> Sandbox:
    try:
        return open_sandbox("contained")
    except SandboxUnavailableError as refusal:
        pytest.skip(f"no sandbox on this machine: {refusal}")


@pytest.fixture(scope="session")
def full() -> Sandbox:
    try:
        return open_sandbox("full")
    except SandboxUnavailableError as refusal:
        pytest.skip(f"no control group can hold memory on this machine: {refusal}")


@pytest.fixture(scope="session")
def partial() -> Sandbox:
    try:
        return open_sandbox("partial")
    except SandboxUnavailableError as refusal:
        pytest.skip(f"no Landlock on this machine: {refusal}")


@pytest.fixture(scope="session")
def plain() -> Sandbox:
    return open_sandbox("none")


@pytest.fixture(params=["full", "contained", "partial", "plain"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return request.getfixturevalue(request.param)


@pytest.fixture
def run() -> Iterator[RunFolder]:
    with open_run_folder() as folder:
        yield folder
    assert not folder.path.exists()


@pytest.fixture
def spawner() -> Iterator[Spawner]:
    with Spawner() as spawner:
        yield spawner


MakeBot = Callable[..., Bot]


@pytest.fixture
def make_bot(tmp_path: Path) -> MakeBot:
    """Makes a bot of one program: its source, or the name of a file in programs/."""

    def make(program: str, name: str = "probe", run: list[str] | None = None) -> Bot:
        folder = tmp_path / name
        folder.mkdir()
        if program.endswith(".py"):
            shutil.copy(PROGRAMS / program, folder / "main.py")
        else:
            (folder / "main.py").write_text(program)
        (folder / "bot.toml").write_text(
            f'name = "{name}"\nversion = "1"\nlanguage = "python"\n'
            f"run = {json.dumps(run or ['python3', 'main.py'])}\n"
        )
        return load_bot(folder)

    return make


class Stage:
    """Opens processes of bots, each in a seat of its own."""

    def __init__(self, run: RunFolder, spawner: Spawner, make_bot: MakeBot) -> None:
        self.run = run
        self.spawner = spawner
        self.make_bot = make_bot

    @asynccontextmanager
    async def open(self, sandbox, program, *, limits=None, slot=7, **bot):
        """A process of a new bot with this program."""
        staged = stage(self.make_bot(program, **bot), self.run)
        with open_seat_folder(self.run, sandbox.bot_uid(slot)) as seat:
            async with self.open_at(seat, sandbox, staged, limits=limits, slot=slot) as process:
                yield process

    def open_at(self, seat, sandbox, staged, *, limits=None, slot=7):
        """A process of a staged bot at a given seat."""
        return open_process(
            sandbox, self.spawner, staged, seat,
            token=SPOKEN, limits=limits or Limits(), slot=slot,
        )  # fmt: skip

    async def output_of(self, sandbox: Sandbox, program: str, **options) -> str:
        """What a program prints until it ends by itself with status 0."""
        async with self.open(sandbox, program, **options) as process:
            await process.exited.wait()
        assert process.exit is not None
        assert (process.exit.code, process.killed) == (0, None), process.stderr.text()
        return process.stdout.text()

    async def line_of(self, process: BotProcess) -> str:
        """The first line a living process has printed."""
        with trio.fail_after(20):
            while b"\n" not in process.stdout.head:
                await process.stdout.wait_more()
        return process.stdout.head.decode().partition("\n")[0]


@pytest.fixture
def stand(run: RunFolder, spawner: Spawner, make_bot: MakeBot) -> Stage:
    return Stage(run, spawner, make_bot)
