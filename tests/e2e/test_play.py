"""`tongits play`: quick games between bots, with a person, with an attached process."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

from tests.e2e.arena import BAD, NO_FOLDER, SAMPLES, TONGITS, Arena

pytestmark = pytest.mark.process

EXPORT = re.compile(r"^export (TONGITS_\w+)=(.+)$", re.MULTILINE)
WAIT_S = 60.0


def wait_for(seen, timeout=WAIT_S):
    """What `seen` gives as soon as it gives something."""
    give_up = time.monotonic() + timeout
    while not (found := seen()):
        assert time.monotonic() < give_up, "it never came"
        select.select([], [], [], 0.05)
    return found


def bot_of(arena: Arena, name, body):
    """A Python bot that takes its first legal action, after `body`."""
    folder = arena.work / name
    folder.mkdir()
    (folder / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\nlanguage = "python"\nrun = ["python3", "{name}_bot.py"]\n'
    )
    (folder / f"{name}_bot.py").write_text(
        "from tongits_bot import serve\n"
        f"def decide(view):\n{body}    return view.legal[0]\n"
        "serve(decide)\n"
    )
    return folder


def judged(arena: Arena, games):
    """The referee's verdicts on games as `--json` prints them."""
    lines = "\n".join(
        json.dumps({k: g[k] for k in ("rules", "deck", "dealer", "actions")}) for g in games
    )
    out = arena.run("referee", stdin=lines + "\n", results=NO_FOLDER).out
    return [json.loads(line) for line in out.splitlines()]


def test_a_game_in_json_is_all_there_is_to_know_and_the_referee_agrees(arena):
    told = json.loads(
        arena.run("play", "caller", "greedy", "--games", 2, "--seed", 7, "--json").out
    )

    assert [seat["name"] for seat in told["seats"]] == ["caller", "greedy", "cautious"]
    assert sum(seat["chips"] for seat in told["seats"]) == 0
    assert told["faults"] == []
    for game, verdict in zip(told["games"], judged(arena, told["games"]), strict=True):
        assert verdict["error"] is None
        for key, value in verdict["result"].items():
            assert game["result"][key] == value


def test_the_same_seed_deals_the_same_cards_and_nothing_is_stored(arena):
    words = ("play", "greedy", "greedy", "greedy", "--seed", "again", "--rules", "sa-tong")

    first, second = (arena.run(*words).out for _ in range(2))

    without_times = [re.sub(r" *\(\d+\s+ms\)|, median.*ms", "", out) for out in (first, second)]
    assert without_times[0] == without_times[1]
    assert "greedy-3" in first
    assert "--seed again" in first
    assert not arena.results.exists()


def test_tables_turns_results_and_payments_are_shown(arena):
    out = arena.run("play", "--seed", 1, "--table").out

    assert re.search(r"^ +\d+  \d \w+ +\d+/\d+ +(drew|took)", out, re.MULTILINE)
    assert "to draw, take or call" in out
    assert "the game ends: " in out
    assert re.search(r"[+-]\d+ paid", out)


def test_a_fault_is_shown_at_once_with_what_its_author_needs(arena):
    done = arena.run("play", BAD / "illegal_mover", "--seed", 4, code=1)

    for words in ("! ILLEGAL_ACTION of seat 0 illegal_mover", "asked: ", "legal: 0 ", "answer: ",
                  "why: ", "cure: ", "(fallback)"):  # fmt: skip
        assert words in done.out


def test_a_crash_is_shown_with_its_traceback_and_prints_are_passed_on(arena):
    chatty = bot_of(
        arena,
        "chatty",
        "    print('I hold', len(view.hand), chr(27))\n"
        "    if view.turn > 5: raise RuntimeError('lost my mind')\n",
    )

    done = arena.run("play", chatty, "--seed", 4, code=1)

    assert re.search(r"0 chatty +\| I hold \d+ \\x1b", done.out)
    assert "! CRASH of seat 0 chatty" in done.out
    assert "RuntimeError: lost my mind" in done.out


def test_without_a_clock_a_slow_bot_is_not_late(arena):
    slow = bot_of(arena, "slow", "    if 2 < view.turn < 6: __import__('time').sleep(1.2)\n")

    told = json.loads(arena.run("play", slow, "--seed", 4, "--no-timeout", "--json").out)

    assert told["faults"] == []
    assert max(max(game["elapsed_us"]) for game in told["games"]) > 1_000_000


def test_a_bot_that_does_not_come_up_is_explained(arena):
    done = arena.run("play", BAD / "crash_at_start", code=1)

    assert "did not come up" in done.err
    assert "this bot fails while it starts" in done.err


# --- a person ------------------------------------------------------------------------------------


def test_a_person_plays_through_a_pipe(arena):
    typed = "?\ncall\nfoo\n" + "1\n" * 200

    done = arena.run("play", "--human", 1, "--seed", 9, stdin=typed)

    assert "your move" in done.out
    assert "(R-" in done.out
    assert "unknown verb 'foo'" in done.out
    assert "the game ends: " in done.out
    assert re.search(r"1 you +[+-]\d+ chips", done.out)
    assert "\x1b" not in done.out


def test_a_person_who_leaves_ends_the_game(arena):
    done = arena.run("play", "--human", 0, "--seed", 9, stdin="q\n")

    assert "you have left the table" in done.out


def test_a_person_plays_at_a_terminal_in_colour_eighty_columns_wide(arena):
    env = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS"}}
    env |= {"TERM": "xterm-256color", "TMPDIR": str(arena.tmp)}
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [TONGITS, "play", "--human", "1", "--seed", "9"],
        cwd=arena.work, env=env, stdin=child, stdout=child, stderr=child, start_new_session=True,
    )  # fmt: skip
    os.close(child)
    screen = b""

    def read_until(word):
        nonlocal screen
        give_up = time.monotonic() + WAIT_S
        while word not in screen:
            assert time.monotonic() < give_up, screen.decode()
            if select.select([parent], [], [], 1)[0]:
                try:
                    screen += os.read(parent, 65536)
                except OSError:  # the other side is closed
                    return

    try:
        read_until(b"q leaves")
        os.write(parent, b"draw\n")
        read_until(b"since you were asked last")
        os.write(parent, b"q\n")
        read_until(b"you have left")
        assert process.wait(WAIT_S) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)
        os.close(parent)

    assert b"\x1b[" in screen
    plain = re.sub(r"\x1b\[[\d;]*m", "", screen.decode())
    assert max(map(len, plain.splitlines())) <= 80


# --- an attached process -------------------------------------------------------------------------


class Author:
    """Starts programs with the variables that a game has printed, as in a second terminal."""

    def __init__(self, game):
        self.game = game
        self._programs = []

    def start(self, program, **changed):
        variables = wait_for(lambda: dict(EXPORT.findall(self.game.errors())))
        self._programs.append(
            subprocess.Popen(
                [sys.executable, program],
                env={**os.environ, **variables, **changed},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        return self._programs[-1]

    def stop(self):
        for program in self._programs:
            if program.poll() is None:
                program.kill()
            program.wait(10)


@pytest.fixture
def attaching(arena):
    authors = []

    def play(*words):
        authors.append(Author(arena.start("play", *words, "--wait", WAIT_S)))
        return authors[-1]

    yield play
    for author in authors:
        author.stop()


def test_an_attached_process_plays_and_exits_when_the_game_is_over(arena, attaching):
    author = attaching("greedy", "cautious", "--attach", 2, "--seed", 3, "--env-file", "bot.env")
    program = author.start(SAMPLES / "greedy" / "greedy_bot.py")

    done = author.game.wait(WAIT_S)

    assert done.rc == 0
    assert program.wait(WAIT_S) == 0
    assert "the game ends: " in done.out
    assert "attached" in done.out
    assert dict(EXPORT.findall(done.err)) == dict(
        line.split("=", 1) for line in (arena.work / "bot.env").read_text().splitlines()
    )


def test_a_process_that_ends_may_be_started_again_and_its_game_goes_on(attaching):
    author = attaching("greedy", "cautious", "--attach", 2, "--seed", 3, "--json")
    first = author.start(BAD / "crash_mid_game" / "crash_mid_game_bot.py")
    wait_for(lambda: "start your program again" in author.game.errors())
    author.start(SAMPLES / "greedy" / "greedy_bot.py")

    done = author.game.wait(WAIT_S)

    assert first.wait(WAIT_S) == 3
    assert done.rc == 0
    told = json.loads(done.out)
    assert told["faults"] == []
    assert told["seats"][2]["decisions"] > 0


def test_a_process_with_a_wrong_token_is_told_of_and_the_next_one_may_come(attaching):
    author = attaching("--attach", 0, "--seed", 3, "--quiet")
    author.start(SAMPLES / "greedy" / "greedy_bot.py", TONGITS_TOKEN="another")  # noqa: S106
    wait_for(lambda: "NO_HANDSHAKE of the attached program" in author.game.errors())
    wait_for(lambda: "start your program again" in author.game.errors())
    author.start(SAMPLES / "greedy" / "greedy_bot.py")

    assert author.game.wait(WAIT_S).rc == 0


def test_nobody_is_waited_for_longer_than_was_said(arena):
    done = arena.run("play", "--attach", 0, "--wait", 1, code=1)

    assert "nobody took the attached seat within 1 s" in done.err
