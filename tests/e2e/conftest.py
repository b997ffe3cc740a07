"""The command in processes of its own, what it stores, and what it leaves behind."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.arena import Arena
from tests.e2e.cup import Outcome, cup
from tests.e2e.traces import traces_of


@pytest.fixture(scope="session")
def _session_tmp() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="e2e-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def arena(_session_tmp: Path, tmp_path: Path) -> Iterator[Arena]:
    """A results folder with the command at hand; in the end nothing of it may be left running."""
    yield from _arena(_session_tmp, tmp_path)


@pytest.fixture(scope="module")
def shared(_session_tmp: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """The same for all tests of a file, to play once and look often."""
    yield from _arena(_session_tmp, tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="session")
def undisturbed(_session_tmp: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """Where the run took place that nobody disturbed."""
    yield from _arena(_session_tmp, tmp_path_factory.mktemp("undisturbed"))


@pytest.fixture(scope="session")
def uninterrupted(undisturbed: Arena) -> Outcome:
    """Its outcome."""
    undisturbed.run("run", cup(undisturbed), "--progress", "none", timeout=120)
    return Outcome(undisturbed)


def _arena(session_tmp: Path, work: Path) -> Iterator[Arena]:
    # Sockets need short paths, and the bots' own uid has to reach them.
    tmp = Path(tempfile.mkdtemp(prefix="t", dir=session_tmp))
    tmp.chmod(0o755)
    arena = Arena(work, tmp)
    try:
        yield arena
        arena.stop_all()
        left = traces_of(tmp)
        if arena.was_killed:  # the folder of a run that was killed -9 cannot be taken away by it
            left = [trace for trace in left if trace.startswith("process")]
        assert left == []
    finally:
        arena.stop_all()
        shutil.rmtree(tmp, ignore_errors=True)
