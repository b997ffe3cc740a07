"""The compiled modules: built from the sources as they are, they play as those do."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.kits.kit import need_toolchain

pytestmark = pytest.mark.kits

ROOT = Path(__file__).resolve().parents[2]
BUILD_S = 1200.0
PLAY_S = 600.0


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages, their hot modules compiled."""
    need_toolchain("cpp")
    folder = tmp_path_factory.mktemp("compiled")
    words = ("pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, ROOT)
    environment = {**os.environ, "TONGITS_COMPILE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        env=environment, timeout=BUILD_S, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    (wheel,) = folder.glob("*.whl")
    assert "linux" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "packages")
    return folder / "packages"


def in_compiled(compiled: Path, *words: str) -> str:
    """What Python prints where the compiled packages come first."""
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(compiled)},
        cwd=ROOT, timeout=PLAY_S, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_engine_and_the_session_are_compiled(compiled):
    modules = "tongits_engine.play, tongits_harness.play.session, tongits_harness.protocol.codec"
    program = (
        f"import {modules}, sys\n"
        f"print([sys.modules[name].__file__ for name in '{modules}'.split(', ')])"
    )
    said = in_compiled(compiled, "-c", program)
    assert said.count(".so'") == 3
    assert said.count(str(compiled)) == 3


def test_the_doctor_tells_that_the_engine_is_compiled(compiled):
    program = (
        "from tongits_harness.cli.checks import _engine\n"
        "check = _engine()\n"
        "print(check.status, check.text)"
    )
    assert in_compiled(compiled, "-c", program).startswith("ok compiled: ")


def test_the_compiled_engine_plays_by_the_same_rules(compiled):
    tests = (
        "test_perft",
        "test_differential",
        "test_positions",
        "test_state",
        "test_state_machine",
    )
    files = [f"tests/engine/{name}.py" for name in tests]
    assert " passed" in in_compiled(compiled, "-m", "pytest", "-q", *files)


def test_compiled_sessions_are_told_and_recorded_as_interpreted_ones(compiled):
    files = ("tests/harness/play/test_game_record.py", "tests/harness/protocol/test_codec.py")
    assert " passed" in in_compiled(compiled, "-m", "pytest", "-q", *files)


def test_compiled_workers_play_a_tournament(compiled, tmp_path):
    command = ("-m", "tongits_harness.cli")
    where = ("--results", str(tmp_path))
    size = ("--matches", "4", "--workers", "2", "--progress", "none")
    said = in_compiled(compiled, *command, "run", "random", "greedy", "caller", *where, *size)
    assert "4 of 4 matches" in said
    assert " ok    every game replays" in in_compiled(compiled, *command, "verify", *where)
