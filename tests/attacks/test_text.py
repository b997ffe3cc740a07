"""Text of bots at every place where somebody may see it: visible, on its own line, never active."""

import csv
import io
import json
import unicodedata

import pytest
from tongits_harness.text import safe_text

from tests.attacks.seats import BAD, SAMPLES
from tests.e2e.arena import EXIT_BOT

pytestmark = pytest.mark.process

ACTIVE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
COMMANDS = (
    ("status",), ("status", "--json"), ("matches",), ("matches", "--json"), ("matches", "--csv"),
    ("leaderboard",), ("leaderboard", "--json"), ("leaderboard", "--csv"), ("leaderboard", "--md"),
    ("replay", "0"), ("replay", "0", "--json"), ("replay", "0", "--seat", "0"),
)  # fmt: skip


def active(text: str) -> set[str]:
    """Characters in it that do something instead of being seen."""
    return {mark for mark in text if mark != "\n" and unicodedata.category(mark) in ACTIVE}


def folder_of(arena, bot: str, way: str | None):
    """A copy of a bad bot with this argument."""
    folder = arena.work / f"{bot}-{way}"
    folder.mkdir()
    for file in (BAD / bot).glob("*.*"):
        (folder / file.name).write_bytes(file.read_bytes())
    manifest = folder / "bot.toml"
    words = json.dumps(["python3", f"{bot}_bot.py", *([way] if way else [])])
    lines = manifest.read_text().splitlines()
    manifest.write_text("\n".join(f"run = {words}" if x.startswith("run") else x for x in lines))
    return folder


def play(arena, bot: str, way: str | None, **more):
    bots = {"loud": folder_of(arena, bot, way)}
    bots |= {name: SAMPLES / name for name in ("greedy", "random")}
    file = arena.file(bots, f"{bot}_{way}", seatings=1, games=2, limits__start_s=20.0)
    return arena.run("run", file, "--progress", "plain", **more)


@pytest.fixture(scope="module")
def loud(shared):
    """Tournaments of bots that write what acts: one plays on, one dies of it."""
    return [
        play(shared, "painter", None),
        play(shared, "painter", "die"),
    ]


def test_the_run_itself_shows_nothing_active(loud):
    for done in loud:
        assert active(done.out + done.err) == set()
        assert not [line for line in done.err.splitlines() if line.startswith("error: forged")]


def test_what_a_library_could_log_of_a_bot_is_not_shown(arena):
    assert active(play(arena, "wire_games", "goaway").err) == set()


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("cup", ["painter_None", "painter_die"])
def test_a_command_shows_nothing_active(shared, loud, words, cup):
    done = shared.run(*words, "--tournament", cup)
    assert active(done.out + done.err) == set()
    for line in done.out.splitlines():
        assert not line.startswith(("error: forged", "seat 0 wins"))
    if "--json" in words:
        json.loads(done.out)
    if "--csv" in words:
        for row in csv.reader(io.StringIO(done.out)):
            assert not [cell for cell in row if cell[:1] in "=@\t\r" + "\uff1d" and cell != ""]


def test_the_log_is_json_a_line_in_ascii(shared, loud):
    for log in (shared.results / "logs").glob("*.jsonl"):
        raw = log.read_bytes()
        assert raw.isascii()
        for line in raw.splitlines():
            json.loads(line)
        assert active(raw.decode()) == set()


def test_what_was_written_is_all_there_to_be_read(shared, loud):
    cup = ("--tournament", "painter_None")
    query = "SELECT game, notes FROM games JOIN sessions ON sessions.id = session_id"
    query += " JOIN tournaments ON tournaments.id = tournament_id WHERE tournaments.name = ?"
    rows = shared.rows(query, "painter_None")
    notes = [(row["game"], note) for row in rows for note in json.loads(row["notes"]).values()]
    assert len({note for _, note in notes}) > 3
    shown = [shared.run("replay", "0", "--game", row["game"], *cup).out for row in rows]
    for game, note in notes:
        assert safe_text(note) in shown[game]
    told = shared.run("status", "--json", "--tournament", "painter_die").out
    assert "\\\\x1b[2J" in told


def test_an_author_whose_bot_does_not_start_sees_text_and_nothing_else(shared):
    done = play(shared, "painter", "die_at_start", code=None)
    assert done.rc == EXIT_BOT
    assert active(done.err) == set()
    assert "\\x1b]0;owned" in done.err
    assert not [line for line in done.err.splitlines() if line.startswith("error: forged")]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a\u3164b\u034f\ufe0f\u2800", "a\\u3164b\\u034f\\ufe0f\\u2800"),
        ("e\u0301\u0302\u0303", "e\u0301\u0302\u0303"),
        ("e" + "\u0301" * 5, "e" + "\u0301" * 3 + "\\u0301" * 2),
        ("\u0e01\u0e33 \u2603 \u4f60 \U0001f0a1", "\u0e01\u0e33 \u2603 \u4f60 \U0001f0a1"),
    ],
)
def test_what_hides_or_grows_over_other_lines_is_written_out(given, shown):
    assert safe_text(given) == shown
    assert safe_text(given.encode()) == shown
