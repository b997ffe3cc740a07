"""The frame of the command: help, errors, exit codes."""

import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner
from tongits_harness.cli import COMMANDS, main
from tongits_harness.cli.lazy import LazyCommand, LazyGroup
from tongits_harness.errors import BotError, CannotContinueError, SandboxUnavailableError


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_its_own_help_says(name):
    command = COMMANDS[name].load()
    assert command.get_short_help_str(limit=200) == COMMANDS[name].summary
    assert len(COMMANDS[name].summary) <= 60


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    done = CliRunner().invoke(main, [name, "--help"])
    assert done.exit_code == 0
    assert COMMANDS[name].summary in done.output


HEAVY = ["rich", "trueskill", "sqlite3", "trio", "grpc", "google", "pydantic", "tongits_engine"]


def test_help_imports_nothing_heavy():
    program = (
        "import sys\nfrom tongits_harness.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        f"print([name for name in {HEAVY} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_version_is_the_packages():
    done = CliRunner().invoke(main, ["--version"])
    assert done.output.startswith("tongits, version ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["leaderbord"], "Did you mean 'leaderboard'?"),
        (["leaderboard", "--jsn"], "--json"),
        (["vs", "ana"], "Missing argument 'B'"),
        (["replay"], "Missing argument 'MATCH'"),
        (["replay", "0", "--seat", "3"], "'3' is not one of"),
        (["matches", "--limit", "0"], "--limit"),
    ],
)
def test_wrong_words_are_answered_with_help_and_exit_2(words, said):
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == ""


def raising(error):
    @click.command()
    def fail():
        raise error

    return fail


FAIL = raising(KeyboardInterrupt())


class FailingGroup(LazyGroup):
    lazy = {"fail": LazyCommand(f"{__name__}:FAIL", "Fail.")}  # noqa: RUF012


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (BotError("a bot\nfailed \x1b[0m"), 1, "error: a bot failed \\x1b[0m\n"),
        (SandboxUnavailableError("no sandbox"), 69, "error: no sandbox\n"),
        (CannotContinueError("disk full"), 75, "error: disk full\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (ExceptionGroup("tasks", [CannotContinueError("disk full")]), 75, "error: disk full\n"),
        (BaseExceptionGroup("tasks", [KeyboardInterrupt()]), 130, "interrupted\n"),
    ],
)
def test_errors_are_one_line_on_stderr_and_an_exit_code(monkeypatch, error, code, said):
    monkeypatch.setattr(LazyCommand, "load", lambda _self: raising(error))
    done = CliRunner().invoke(FailingGroup("tongits"), ["fail"])
    assert (done.exit_code, done.stderr, done.stdout) == (code, said, "")


def test_a_bug_of_ours_keeps_its_traceback(monkeypatch):
    for error in (ZeroDivisionError(), ExceptionGroup("both", [BotError("x"), ValueError("y")])):
        monkeypatch.setattr(LazyCommand, "load", lambda _self, error=error: raising(error))
        done = CliRunner().invoke(FailingGroup("tongits"), ["fail"])
        assert done.exception is error


def test_a_closed_pipe_is_no_traceback(arena):
    read, write = os.pipe()
    os.close(read)
    command = "from tongits_harness.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "matches", "--json", "--results", str(arena)],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert "Traceback" not in done.stderr
