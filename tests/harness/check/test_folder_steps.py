"""What a folder alone tells: manifest and files."""

import os

import pytest
from tongits_harness.check.folder_steps import check_files, check_manifest
from tongits_harness.check.report import Verdict
from tongits_harness.check.text import step_lines

from tests.harness.check.bots import make_bot


def test_a_good_manifest_is_told_in_one_line(tmp_path):
    step = check_manifest(make_bot(tmp_path))
    assert step.verdict is Verdict.OK
    assert step.summary == "mybot 1, python, run: python3 main.py"


def test_all_errors_of_a_manifest_are_told_at_once(tmp_path):
    bot = make_bot(tmp_path)
    (bot / "bot.toml").write_text('name = "my bot"\nversion = 1\nrun = "x"\nbuidl = ["make"]\n')
    step = check_manifest(bot)
    assert step.verdict is Verdict.FAIL
    told = "\n".join(step.evidence)
    for key in ("name:", "version:", "language: is missing", "run:", "did you mean build?"):
        assert key in told
    assert len(step.evidence) == 5


@pytest.mark.parametrize("text", [None, "name = ", 'name = "mybot"\nname = "two"\n'])
def test_a_manifest_that_cannot_be_read_is_one_problem(tmp_path, text):
    bot = make_bot(tmp_path)
    (bot / "bot.toml").unlink()
    if text is not None:
        (bot / "bot.toml").write_text(text)
    step = check_manifest(bot)
    assert step.verdict is Verdict.FAIL
    assert step.evidence == ()
    assert str(bot) in step.summary


def test_files_are_counted_and_the_version_named(tmp_path):
    step, bot = check_files(make_bot(tmp_path, extra='exclude = ["*.log"]\n'))
    assert step.verdict is Verdict.OK
    assert step.summary.startswith("2 files, ")
    assert bot.digest[:12] in step.summary
    assert step.summary.endswith("left out: *.log")


def test_a_program_that_is_not_there_is_found_without_starting_anything(tmp_path):
    folder = make_bot(tmp_path)
    (folder / "main.py").rename(folder / "mian.py")
    step, bot = check_files(folder)
    assert (step.verdict, bot) == (Verdict.FAIL, None)
    assert "run names main.py" in step.summary
    assert "did you mean mian.py?" in step.summary


def test_a_program_that_will_be_built_may_be_missing(tmp_path):
    folder = make_bot(tmp_path, extra='build = ["make"]\n')
    (folder / "main.py").unlink()
    assert check_files(folder)[0].verdict is Verdict.OK


def test_a_file_that_hides_a_module_of_the_standard_library_is_warned_of(tmp_path):
    folder = make_bot(tmp_path)
    (folder / "random.py").write_text("")
    step, bot = check_files(folder)
    assert step.verdict is Verdict.WARN
    assert "random.py has the name of a module" in step.summary
    assert "rename it" in step.cure
    assert bot is not None


def test_a_program_that_cannot_be_executed_is_warned_of(tmp_path):
    folder = make_bot(tmp_path)
    text = (folder / "bot.toml").read_text().replace('"python3", "main.py"', '"./main.py"')
    (folder / "bot.toml").write_text(text)
    step, _ = check_files(folder)
    assert step.cure == "chmod +x main.py"


@pytest.mark.parametrize("make", [lambda path: path.symlink_to("/etc"), os.mkfifo])
def test_what_is_no_file_is_refused_by_name(tmp_path, make):
    folder = make_bot(tmp_path)
    make(folder / "data")
    step, bot = check_files(folder)
    assert (step.verdict, bot) == (Verdict.FAIL, None)
    assert "data: is a" in step.summary
    assert "remove it" in step.cure


def test_the_first_line_of_a_failed_step_is_its_cause_and_the_second_its_cure(tmp_path):
    folder = make_bot(tmp_path)
    (folder / "main.py").unlink()
    first, second, *_ = step_lines(check_files(folder)[0])
    assert first.startswith(" 2 files           FAIL  run names main.py")
    assert second.startswith("    -> correct `run` in bot.toml")
