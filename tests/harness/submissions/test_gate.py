"""Whole submissions by the command line, with the real check in the real sandbox."""

import json
import zipfile

import pytest
from click.testing import CliRunner
from tongits_harness.cli import main
from tongits_harness.results.submitted import submitted_versions
from tongits_harness.samples import sample_bots

from tests.harness.submissions.conftest import write_bot

pytestmark = pytest.mark.process


@pytest.fixture
def tongits(desk):
    def call(*words, code=0):
        words = [*map(str, words), "--results", str(desk.results)]
        done = CliRunner().invoke(main, words, env={"COLUMNS": "200", "NO_COLOR": "1"})
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == code, done.output
        return done

    return call


def copy_of(desk, source, name, **lines):
    """A folder with a bot that ships with the project, under another name."""
    bot = write_bot(desk.folder / name, name, **lines)
    for path in (sample_bots() / source).iterdir():
        if path.suffix == ".py":
            (bot / path.name).write_bytes(path.read_bytes())
    return bot


def failed_step(done):
    (step,) = [
        step for step in json.loads(done.stdout)["report"]["steps"] if step["verdict"] == "fail"
    ]
    return step


def test_from_an_archive_to_a_tournament(desk, tongits):
    run = '["python3", "greedy_bot.py"]'
    bot = copy_of(desk, "python/greedy", "mybot", run=run, author='"Ana \\u001b[31m"')
    text = (bot / "bot.toml").read_text(encoding="utf-8").replace("\\u001b[31m", "<b>=1+1")
    (bot / "bot.toml").write_text(text, encoding="utf-8")
    with zipfile.ZipFile(desk.folder / "my bot's.zip", "w") as archive:
        for path in bot.iterdir():
            archive.write(path, f"mybot-main/{path.name}")
    said = tongits("submit", desk.folder / "my bot's.zip").stdout
    assert "accepted: mybot@1" in said or "accepted with warnings: mybot@1" in said
    assert "already there as mybot@1" in tongits("submit", bot).stdout
    listed = json.loads(tongits("bots", "--json").stdout)["bots"]
    assert [(one["bot"], one["state"], one["matches"]) for one in listed] == [
        ("mybot@1", "enabled", 0)
    ]
    assert "Ana <b>=1+1" in tongits("bots").stdout
    shown = tongits("bots", "show", "mybot").stdout
    assert "legal play" in shown
    plan = tongits("run", "mybot@1", "greedy", "random", "--dry-run").stdout
    assert "entrant mybot@1" in plan
    tongits("bots", "disable", "mybot@1", "--reason", "too slow")
    assert "too slow" in tongits("run", "mybot@1", "greedy", "random", "--dry-run", code=3).stderr
    tongits("bots", "enable", "mybot")
    tongits("run", "mybot@1", "greedy", "random", "--matches", "1", "--seatings", "1")
    (played,) = json.loads(tongits("bots", "--json").stdout)["bots"]
    assert played["matches"] == 1


def test_a_missing_program(desk, tongits):
    bot = write_bot(desk.folder / "x", "mybot", run='["./no-such-program"]')
    step = failed_step(tongits("submit", bot, "--json", code=1))
    assert "no-such-program" in json.dumps(step)
    assert step["cure"]
    assert "was rejected" in tongits("run", "mybot@1", "greedy", "random", code=3).stderr
    assert "not seated" in tongits("bots").stdout
    assert "rejected" in tongits("bots", "show", "mybot@1").stdout
    tongits("bots", "enable", "mybot@1", code=3)


def test_a_bot_for_another_version_of_the_protocol(desk, tongits):
    run = '["python3", "wrong_version_bot.py"]'
    bot = copy_of(desk, "bad/wrong_version", "mybot", run=run)
    step = failed_step(tongits("submit", bot, "--json", code=1))
    assert "99" in json.dumps(step)
    assert "version" in step["cure"]


BUILDS = {
    "fails": ("echo no such header >&2; exit 3", "no such header"),
    "writes outside": ("echo evil > {outside}/evil && echo evil > /bot/../evil", "outside"),
}


@pytest.mark.parametrize(("script", "evidence"), BUILDS.values(), ids=BUILDS)
def test_a_build_that(desk, tongits, script, evidence):
    outside = desk.folder / "outside"
    outside.mkdir(mode=0o777)
    outside.chmod(0o777)
    command = json.dumps(["/bin/sh", "-c", script.format(outside=outside)])
    bot = write_bot(desk.folder / "x", "mybot", build=command)
    step = failed_step(tongits("submit", bot, "--json", code=1))
    assert step["title"] == "build"
    assert evidence in json.dumps(step)
    assert list(outside.iterdir()) == []
    (stored,) = submitted_versions(desk.results)
    assert not stored.may_be_seated
    assert sorted(desk.files(stored)) == ["bot.toml", "main.py"]


def test_a_fetch_needs_to_be_allowed(desk, tongits):
    bot = write_bot(desk.folder / "x", "mybot", fetch='["true"]')
    step = failed_step(tongits("submit", bot, "--json", code=1))
    assert "--allow-fetch" in json.dumps(step)


def test_refusals_are_one_line_and_leave_no_record(desk, tongits):
    (desk.folder / "broken.zip").write_bytes(b"PK")
    said = tongits("submit", desk.folder / "broken.zip", code=1).stderr
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    assert "no bot was submitted" in tongits("bots").stderr
    assert json.loads(tongits("bots", "--json").stdout) == {"bots": []}
    for words in (("show", "x"), ("enable", "x@1"), ("disable", "x", "--reason", "y")):
        assert "no such bot was submitted" in tongits("bots", *words, code=3).stderr
    tongits("bots", "disable", "x", "--reason", "\x1b[31m", code=2)
    tongits("bots", "disable", "x", code=2)
