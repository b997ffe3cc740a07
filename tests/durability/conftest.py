"""Results folders that were really played, and the command as a function."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from tongits_harness.cli import main

from tests.durability.played import cup, make_results, sessions


@pytest.fixture(scope="session")
def _finished(tmp_path_factory) -> Path:
    results = tmp_path_factory.mktemp("finished")
    record = cup()
    make_results(results, record, sessions(record))
    return results


@pytest.fixture
def finished(_finished, tmp_path) -> Path:
    """A copy of a finished tournament, to be tampered with."""
    return Path(shutil.copytree(_finished, tmp_path / "results"))


@pytest.fixture
def verify():
    """Calls `tongits verify --json`; gives exit status and document."""

    def call(results: Path, *words: str) -> tuple[int, dict]:
        argv = ["verify", "--json", "--results", str(results), *words]
        done = CliRunner().invoke(main, argv)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, json.loads(done.stdout)

    return call
