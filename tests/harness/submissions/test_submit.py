"""Versions, names, authors and verdicts; crashes and rivals in the middle of a submission."""

import fcntl
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys

import pytest
from tongits_harness.errors import CannotContinueError, ConfigError
from tongits_harness.results.lock import hold_lock
from tongits_harness.results.submitted import open_submitted, submitted_versions
from tongits_harness.submissions.submit import Judgement

from tests.harness.submissions.conftest import Desk, write_bot


def titles(desk):
    return [version.title for version in submitted_versions(desk.results)]


def test_versions_are_counted_for_each_name(desk):
    for name, text in (("ana", "1"), ("ben", "1"), ("ana", "2"), ("ana", "3")):
        bot = write_bot(desk.folder / f"{name}{text}", name)
        (bot / "main.py").write_text(text, encoding="utf-8")
        assert desk.submit(bot).is_new
    assert titles(desk) == ["ana@1", "ana@2", "ana@3", "ben@1"]


def test_the_same_files_are_the_same_version(desk, bot):
    first = desk.submit(bot)
    again = desk.submit(bot)
    assert (first.is_new, again.is_new) == (True, False)
    assert again.version == first.version
    assert len(desk.seen) == 1


def test_all_that_is_known_is_kept(desk):
    bot = write_bot(desk.folder / "x", author='"Ana <b>"', version='"2.0-beta"', licence='"MIT"')
    report = {"steps": [{"title": "manifest", "text": "\udcff\x1b[31m"}]}
    desk.judgement = Judgement("accepted with warnings", True, report)
    stored = desk.submit(bot).version
    (read,) = submitted_versions(desk.results)
    assert read == stored
    assert (read.author, read.declared_version) == ("Ana <b>", "2.0-beta")
    assert read.report == report
    assert read.manifest["licence"] == "MIT"
    assert read.may_be_seated


def test_what_the_gate_rejects_is_kept_but_not_seated(desk, bot):
    desk.judgement = Judgement("rejected", False, {"why": "no"})
    rejected = desk.submit(bot).version
    assert not rejected.may_be_seated
    assert desk.files(rejected)
    desk.judgement = Judgement("accepted", True, {})
    accepted = desk.submit(bot)
    assert accepted.is_new
    assert (accepted.version.title, accepted.version.may_be_seated) == ("mybot@1", True)
    assert submitted_versions(desk.results) == (accepted.version,)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Mybot", "mybot"), ("myb0t", "mybot"), ("my-bot", "mybot"), ("my_b.o-t", "mybot"),
        ("MYBOT", "mybot"), ("rnybot", "mybot"), ("gr33dy", "greedy"), ("Greedy", "greedy"),
        ("caut1ous", "cautious"), ("cautlous", "cautious"), ("ca-ller", "caller"),
    ],
)  # fmt: skip
def test_a_name_that_looks_like_another(desk, bot, name, other):
    desk.submit(bot)
    rival = write_bot(desk.folder / "rival", name)
    with desk.refuses(f"could be taken for {other}", "choose"):
        desk.submit(rival)


def test_the_name_of_a_sample_bot(desk):
    rival = write_bot(desk.folder / "rival", "greedy")
    with desk.refuses("is the name of a sample bot"):
        desk.submit(rival)


@pytest.mark.parametrize("name", ["mybot2", "mybot10", "mybot1", "mybots", "bot", "your-bot"])
def test_other_names_are_fine(desk, bot, name):
    desk.submit(bot)
    assert desk.submit(write_bot(desk.folder / "other", name)).version.number == 1


def test_numbered_names_do_not_look_alike(desk):
    for number in range(12):
        assert desk.submit(write_bot(desk.folder / f"{number}", f"bot{number}")).is_new


def test_the_author_of_a_name(desk):
    first = write_bot(desk.folder / "1", author='"Ana"')
    desk.submit(first)
    for number, author in enumerate(['"Ben"', '"ana"', '""'], start=2):
        rival = write_bot(desk.folder / f"{number}", author=author)
        with desk.refuses("mybot@1 is by 'Ana'", "--change-author"):
            desk.submit(rival)
    nobody = write_bot(desk.folder / "nobody")
    with desk.refuses("nobody named", "--change-author"):
        desk.submit(nobody)
    changed = desk.submit(desk.folder / "2", may_change_author=True).version
    assert changed.title == "mybot@2"
    old = write_bot(desk.folder / "9", author='"Ana"', version='"9"')
    with desk.refuses("mybot@2 is by 'Ben'"):
        desk.submit(old)


def test_files_that_were_changed_in_the_results_are_put_right(desk, bot):
    stored = desk.submit(bot).version
    place = desk.results / "bots" / stored.digest / "main.py"
    place.chmod(0o644)
    place.write_text("evil", encoding="utf-8")
    assert not desk.submit(bot).is_new
    assert desk.files(stored)["main.py"] == b"print('hello')\n"


def test_a_gate_that_breaks_leaves_nothing(desk, bot):
    def interrupted(path):
        raise KeyboardInterrupt

    desk.gate = interrupted
    with pytest.raises(KeyboardInterrupt):
        desk.submit(bot)
    assert desk.traces() == []
    assert titles(desk) == []


def test_a_gate_that_breaks_at_a_known_bot_takes_nothing_away(desk, bot):
    desk.judgement = Judgement("rejected", False, {})
    stored = desk.submit(bot).version

    def interrupted(path):
        raise KeyboardInterrupt

    desk.gate = interrupted
    with pytest.raises(KeyboardInterrupt):
        desk.submit(bot)
    assert submitted_versions(desk.results) == (stored,)
    assert desk.files(stored)


def test_two_at_once(desk, bot):
    (desk.results / "bots").mkdir(parents=True)
    with hold_lock(desk.results / "bots"), desk.refuses("wait", kind=CannotContinueError):
        desk.submit(bot)
    assert desk.submit(bot).is_new


PROGRAM = """
import os, pathlib, signal, sys
from tongits_harness.results import submitted
from tongits_harness.submissions import storage, submit, unpack
from tongits_harness.submissions.submit import Judgement, Request

def die(*_words, **_more):
    os.kill(os.getpid(), signal.SIGKILL)

step, bot, results = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
where = {
    "manifest": (submit, "load_bot"),
    "write": (unpack, "_write"),
    "settle": (storage, "_sync"),
    "record": (submitted.SubmittedBots, "put"),
}
if step == "settled":
    move = pathlib.Path.rename
    pathlib.Path.rename = lambda path, target: (move(path, target), die())
elif step in where:
    setattr(*where[step], die)
gate = die if step == "gate" else lambda path: Judgement("accepted", True, {})
submit.submit(Request(bot), results, gate)
"""
STEPS = ["manifest", "write", "settle", "settled", "gate", "record"]


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_in_the_middle(desk, bot, step):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, step, str(bot), str(desk.results)],
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert titles(desk) == []
    other = write_bot(desk.folder / "other", "other")
    desk.submit(other)
    assert not [name for name in desk.traces() if "incoming" in name]
    outcome = desk.submit(bot)
    assert (outcome.is_new, outcome.version.title) == (True, "mybot@1")
    assert set(desk.files(outcome.version)) == {"bot.toml", "main.py"}
    assert len(desk.traces()) == 2


def rush(folder, number, start, results):
    desk = Desk(folder)
    start.wait(30)
    while True:
        try:
            version = desk.submit(folder / f"bot{number}").version
        except CannotContinueError:
            with open(desk.results / "bots/lock", "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)  # waits for the one that is at it
            continue
        results.put(version.title)
        return


@pytest.mark.process
def test_many_at_once_are_counted_one_by_one(desk):
    context = multiprocessing.get_context("spawn")
    start, results = context.Event(), context.Queue()
    for number in range(3):
        bot = write_bot(desk.folder / f"bot{number}")
        (bot / "main.py").write_text(str(number), encoding="utf-8")
    runners = [
        context.Process(target=rush, args=(desk.folder, number, start, results))
        for number in range(3)
    ]
    for runner in runners:
        runner.start()
    start.set()
    found = sorted(results.get(timeout=60) for _ in runners)
    for runner in runners:
        runner.join(30)
    assert found == ["mybot@1", "mybot@2", "mybot@3"] == titles(desk)


def test_a_disk_that_is_full(desk, bot, monkeypatch):
    def full(*_words, **_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(CannotContinueError):
        desk.submit(bot)
    monkeypatch.undo()
    assert desk.traces() == []


def test_a_database_of_an_older_format(desk, bot):
    with open_submitted(desk.results, create=True):
        pass
    with sqlite3.connect(desk.results / "arena.db") as connection:
        for view in ("v_matches", "v_games", "v_actions", "v_faults"):
            connection.execute(f"DROP VIEW {view}")
        connection.execute("DROP TABLE submitted_bots")
        connection.execute("DROP TABLE stages")
        connection.execute("PRAGMA user_version = 2")
    connection.close()
    assert submitted_versions(desk.results) == ()
    assert desk.submit(bot).is_new
    assert titles(desk) == ["mybot@1"]


def test_a_results_folder_that_is_no_database_of_ours(desk, bot):
    desk.results.mkdir()
    (desk.results / "arena.db").write_text("words " * 1000, encoding="utf-8")
    with pytest.raises(ConfigError, match="no results database"):
        desk.submit(bot)
    assert desk.traces() == []
