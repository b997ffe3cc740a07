"""kill -9 in the middle of writing: nothing that was stored is lost, nothing is doubled."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tongits_harness.results.leaderboard import read_leaderboard
from tongits_harness.results.queries import open_reader

from tests.harness.results.kill_target import MATCHES

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}


def run(results, stop_after=None):
    """The sessions a run said it stored; killed after so many lines if wanted."""
    said = []
    with subprocess.Popen(
        [sys.executable, "-m", "tests.harness.results.kill_target", str(results)],
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        cwd=ROOT,
    ) as process:
        for line in process.stdout:
            index, seating = line.split()
            said.append((int(index), int(seating)))
            if len(said) == stop_after:
                process.kill()
    return said


def board(results):
    with open_reader(results) as reader:
        return read_leaderboard(reader).to_json()


@pytest.mark.process
def test_killed_runs_end_with_the_results_of_an_undisturbed_one(tmp_path):
    said = []
    for stop_after in (1, 8, 16):
        said += run(tmp_path / "killed", stop_after)
        with open_reader(tmp_path / "killed") as reader:
            stored = reader.stored_sessions("cup")
        assert set(said) <= stored
        assert len(stored) <= MATCHES * 3
    said += run(tmp_path / "killed")
    run(tmp_path / "whole")
    with open_reader(tmp_path / "killed") as reader:
        assert len(reader.stored_sessions("cup")) == MATCHES * 3
        assert len(reader.matches("cup")) == MATCHES
    with closing(sqlite3.connect(tmp_path / "killed" / "arena.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    assert len(said) == len(set(said))
    assert board(tmp_path / "killed") == board(tmp_path / "whole")
