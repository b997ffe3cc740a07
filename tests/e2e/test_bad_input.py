"""What people get wrong, through the command: one line with thing and cure, and an exit code."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.arena import EXIT_CONFIG, EXIT_TEMPORARY, EXIT_USAGE, SAMPLES, Arena, Done
from tests.e2e.traces import wait_until

pytestmark = pytest.mark.process

SMALL = ("random", "greedy", "cautious", "--matches", "1", "--seatings", "1", "--games", "1")
READING = (("leaderboard",), ("status",), ("matches",), ("vs", "a", "b"), ("replay", "0"))
FIVE_ERRORS = """
name = "no good name"
version = 1
run = "python3 main.py"
concurrent_games = 0
colour = "red"
"""


def refused(arena: Arena, *words: object, code: int, **how) -> str:
    """The one line a refused command leaves; nothing else is said and no database is made."""
    done = arena.run(*words, code=code, **how)
    return only_line(done)


def each_refused(arena: Arena, *commands: tuple[str, ...], code: int, **how) -> list[str]:
    """The same for several commands at once."""
    calls = [arena.start(*words, **how) for words in commands]
    ended = [call.wait() for call in calls]
    assert {done.rc for done in ended} == {code}, [done.err for done in ended]
    return [only_line(done) for done in ended]


def only_line(done: Done) -> str:
    lines = done.err.splitlines()
    assert done.out == ""
    assert len(lines) == 1, done.err
    assert lines[0].startswith("error: ")
    return lines[0]


def says(line: str, *words: object) -> None:
    assert [str(word) for word in words if str(word) not in line] == [], line


def test_a_bot_that_does_not_exist_is_named_with_what_comes_near(arena):
    line = refused(arena, "run", "random", "gredy", "/no/such/bot", code=EXIT_CONFIG)

    says(line, "gredy", "did you mean greedy?", "/no/such/bot", "bot.toml")
    assert not arena.results.exists()


def test_all_five_errors_of_a_manifest_are_told_at_once_with_their_cures(arena):
    (arena.work / "five").mkdir()
    (arena.work / "five" / "bot.toml").write_text(FIVE_ERRORS)

    line = refused(arena, "run", "random", "greedy", "./five", code=EXIT_CONFIG)

    says(line, "five/bot.toml", "name: 'no good name'", "version: 1", "language: is missing")
    says(line, "run: 'python3 main.py'", 'run = ["python3"', "concurrent_games: 0", "colour")


def test_two_entrants_of_one_name_are_refused_with_both_folders(arena):
    shutil.copytree(SAMPLES / "random", arena.work / "copy")

    line = refused(arena, "run", "random", "greedy", "./copy", code=EXIT_CONFIG)

    says(line, "two entrants are called random", SAMPLES / "random", "copy", "another name")


@pytest.mark.parametrize("bots", [(), ("random",), ("random", "greedy")])
def test_fewer_than_three_entrants_are_refused(arena, bots):
    line = refused(arena, "run", *bots, code=EXIT_CONFIG)

    says(line, "at least 3", f"has {len(bots)}")


@pytest.fixture(scope="module")
def cup(shared: Arena) -> Path:
    """A results folder with a finished tournament called summer-cup."""
    shared.run("run", *SMALL, "--name", "summer-cup")
    return shared.results


def test_a_database_of_a_newer_version_is_left_alone(arena, cup):
    shutil.copytree(cup, arena.results)
    database = arena.results / "arena.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 999")
    before = database.read_bytes()

    for line in each_refused(arena, ("run", *SMALL), ("resume",), *READING, code=EXIT_TEMPORARY):
        says(line, database, "newer", "999", "upgrade")
    assert database.read_bytes() == before


@pytest.mark.parametrize("content", [b"This is a letter, and no database.\n" * 99, b"short"])
def test_a_file_that_is_no_database_is_left_alone(arena, content):
    arena.results.mkdir()
    database = arena.results / "arena.db"
    database.write_bytes(content)

    for line in each_refused(arena, ("run", *SMALL), ("resume",), *READING, code=EXIT_CONFIG):
        says(line, database, "is no results database", "--results")
    assert database.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(arena):
    arena.results.mkdir()
    with closing(sqlite3.connect(arena.results / "arena.db")) as connection:
        connection.execute("CREATE TABLE recipes (title TEXT)")
    before = (arena.results / "arena.db").read_bytes()

    line = refused(arena, "run", *SMALL, code=EXIT_CONFIG)

    says(line, "arena.db", "another program", "--results")
    assert (arena.results / "arena.db").read_bytes() == before


def test_a_results_folder_that_is_a_file_is_refused_before_play(arena):
    arena.results.write_text("mine")

    line = refused(arena, "run", *SMALL, code=EXIT_TEMPORARY)

    says(line, arena.results, "--results")
    assert arena.results.read_text() == "mine"


def test_a_results_folder_without_write_permission_is_refused_before_play(arena):
    wrap = _without_root_powers()
    arena.results.mkdir(mode=0o555)

    line = refused(arena, "run", *SMALL, code=EXIT_TEMPORARY, wrap=wrap)

    says(line, arena.results, "writable", "--results")
    assert list(arena.results.iterdir()) == []


def _without_root_powers() -> tuple[str, ...]:
    """A prefix under which file modes hold for root too."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("root can write everywhere, and there is no setpriv to give that up")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


def test_a_second_run_in_the_same_folder_is_refused_and_harms_nothing(arena):
    first = arena.start("run", *SMALL[:3], "--rounds", "24", "--name", "first")
    lock = arena.results / "lock"
    wait_until(lambda: lock.exists() and f"process {first.pid}," in lock.read_text())

    line = refused(arena, "run", *SMALL, code=EXIT_TEMPORARY)
    says(line, "another run is writing", arena.results, f"process {first.pid}", "--results")
    assert first.wait().rc == 0
    assert [row["name"] for row in arena.rows("SELECT name FROM tournaments")] == ["first"]
    assert arena.leaderboard()["matches"] == 24


def test_unknown_rules_are_refused_with_those_that_are_known(arena):
    line = refused(arena, "run", *SMALL, "--rules", "poker", code=EXIT_CONFIG)

    says(line, "poker", "tongits-lite", "sa-tong")


def test_bad_overrides_of_rules_are_all_named(arena):
    bots = {name: SAMPLES / name for name in ("random", "greedy", "cautious")}
    file = arena.file(bots)
    file.write_text(
        file.read_text() + '[rules]\noverrides = {"layoff.enable" = true, "deal.x" = 1}'
    )

    line = refused(arena, "run", file, code=EXIT_CONFIG)

    says(line, "layoff.enable", "layoff.enabled", "deal.x")


def test_all_errors_of_a_tournament_file_are_told_at_once_with_their_key_paths(arena):
    file = arena.file(
        {"random": "random", "greedy": "greedy", "two words": "cautious"},
        rounds=0, seatings=2, seed="short", limits__decision_s=0.0, machine__tabels=1,
    )  # fmt: skip

    line = refused(arena, "run", file, code=EXIT_CONFIG)

    says(line, file, "rounds", "seatings", "seed", "limits.decision_s", "machine.tabels")
    says(line, "entrants[2].name")


def test_a_tournament_file_that_is_no_toml_or_missing_is_named(arena):
    broken = arena.work / "broken.toml"
    broken.write_text("name = \n")

    says(refused(arena, "run", broken, code=EXIT_CONFIG), broken, "TOML", "line 1")
    says(refused(arena, "run", "gone.toml", code=EXIT_CONFIG), "gone.toml", "existing")


def test_an_unknown_tournament_is_refused_with_those_that_are_stored(arena, cup):
    commands = [(*words, "--tournament", "sumer-cup") for words in (("resume",), *READING)]
    for line in each_refused(arena, *commands, code=EXIT_CONFIG, results=cup):
        says(line, "sumer-cup", "summer-cup")


def test_a_tournament_is_not_begun_twice_under_one_name(arena, cup):
    before = arena.rows("SELECT * FROM sessions", results=cup)

    done = arena.run("run", *SMALL, "--name", "summer-cup", code=EXIT_CONFIG, results=cup)

    says(done.err.splitlines()[-1], "error:", "summer-cup", "resume", "another name")
    assert arena.rows("SELECT * FROM sessions", results=cup) == before


def test_wrong_use_of_an_option_exits_with_2_and_names_it(arena):
    for words in (("--rounds", "0"), ("--seatings", "2"), ("--progress", "loud")):
        done = arena.run("run", *SMALL[:3], *words, code=EXIT_USAGE)
        says(done.err, words[0], words[1])


def test_a_folder_without_results_is_told_how_to_get_some(arena):
    for line in each_refused(arena, ("resume",), *READING, code=EXIT_CONFIG):
        says(line, arena.results, "tongits demo", "--results")
    assert not arena.results.exists()


def test_a_dry_run_checks_all_and_leaves_nothing(arena):
    done = arena.run("run", *SMALL, "--dry-run")

    says(done.out, "random", "greedy", "cautious", "1 matches", "tongits-lite")
    assert not arena.results.exists()
    assert done.err == ""


def test_a_bot_whose_program_does_not_exist_is_refused_by_name(arena):
    folder = Path(shutil.copytree(SAMPLES / "random", arena.work / "lost"))
    manifest = (folder / "bot.toml").read_text().replace("random_bot.py", "gone.py")
    (folder / "bot.toml").write_text(manifest.replace('"random"', '"lost"'))

    done = arena.run("run", "random", "greedy", "./lost", code=1)

    says(done.err, "lost", "gone.py", "exit", "No such file")
    assert not (arena.results / "arena.db").exists()
