"""One run at a time."""

import os
import subprocess
import sys

import pytest
from tongits_harness.errors import EXIT_TEMPORARY, CannotContinueError
from tongits_harness.results.lock import hold_lock, holder


def test_a_second_run_is_told_who_holds_the_folder(tmp_path):
    with (
        hold_lock(tmp_path / "results"),
        pytest.raises(CannotContinueError, match=f"process {os.getpid()}, started 2") as error,
        hold_lock(tmp_path / "results"),
    ):
        pass
    assert error.value.exit_code == EXIT_TEMPORARY
    assert "\n" not in str(error.value)


def test_the_lock_is_free_when_its_block_ends(tmp_path):
    for _ in range(2):
        with hold_lock(tmp_path):
            assert f"process {os.getpid()}" in holder(tmp_path)
        assert holder(tmp_path) is None


def test_a_killed_holder_holds_nothing(tmp_path):
    program = (
        "import sys, pathlib, tongits_harness.results.lock as lock\n"
        "with lock.hold_lock(pathlib.Path(sys.argv[1])):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "held\n"
        with (
            pytest.raises(CannotContinueError, match=f"process {process.pid}"),
            hold_lock(tmp_path),
        ):
            pass
        process.kill()
        process.wait()
    with hold_lock(tmp_path):
        pass


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "results").write_text("a file")
    with pytest.raises(CannotContinueError, match="results"), hold_lock(tmp_path / "results"):
        pass
