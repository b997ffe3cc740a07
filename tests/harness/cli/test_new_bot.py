"""`tongits new-bot`."""

import os
from pathlib import Path

import pytest
from tongits_harness.kits import find_language, kit_languages


def test_without_words_the_languages_are_listed_with_what_is_here(tongits):
    told = tongits("new-bot", results=None).stdout
    for language in kit_languages():
        assert f"\n{language.id} " in told
    assert "the Python of the harness" in told
    assert "tongits new-bot LANGUAGE NAME" in told


def test_it_tells_the_next_commands(tongits, tmp_path):
    told = tongits("new-bot", "python", "mybot", "--into", str(tmp_path), results=None).stdout
    lines = told.splitlines()
    assert lines[0].endswith("write `decide` in bot.py, then")
    assert [line.split()[:2] for line in lines[1:]] == [
        ["(cd", f"{tmp_path}/mybot"],
        ["tongits", "check"],
        ["tongits", "play"],
        ["tongits", "run"],
    ]
    assert f"tongits check {tmp_path}/mybot" in told


def test_a_path_that_needs_quotes_gets_them(tongits, tmp_path):
    place = tmp_path / "my bots & more"
    told = tongits("new-bot", "python", "mybot", "--into", str(place), results=None).stdout
    assert f"tongits check '{place}/mybot'" in told


def test_here_is_where_it_is_made(tongits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = tongits("new-bot", "py", "mybot", results=None).stdout
    assert "tongits check ./mybot" in told
    assert Path("mybot", "bot.toml").is_file()


def test_a_bot_that_needs_a_fetch_is_told_so(tongits, tmp_path):
    if "go" not in {language.id for language in kit_languages()}:
        pytest.skip("the Go kit is not there")
    told = tongits("new-bot", "go", "mybot", "--into", str(tmp_path), results=None).stdout
    assert told.count("--allow-fetch") == 3


def test_a_toolchain_that_is_missing_is_a_warning(tongits, tmp_path, monkeypatch):
    if "go" not in {language.id for language in kit_languages()}:
        pytest.skip("the Go kit is not there")
    monkeypatch.setenv("PATH", str(tmp_path))
    done = tongits("new-bot", "go", "mybot", "--into", str(tmp_path), results=None)
    assert "WARNING: this machine cannot build it yet" in done.stderr
    assert find_language("go").cure in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["python"], "give the bot a name too"),
        (["pyton", "mybot"], "did you mean python?"),
        (["python", "no good"], "cannot be a bot's name"),
        (["python", "greedy"], "is the name of a sample bot"),
    ],
)
def test_what_cannot_be_made_is_said(tongits, tmp_path, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    assert told in tongits("new-bot", *words, results=None, code=2).stderr
    assert os.listdir(tmp_path) == []
