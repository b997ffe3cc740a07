"""The stdio bridge: what it writes, what it makes of answers, and the bots that play through it."""

import json
import subprocess

import pytest
import trio
from tongits.v1 import table_pb2 as pb2
from tongits_bot import Game, View
from tongits_bot.lines import action_of, line_of
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.process import open_process
from tongits_harness.bots.sandbox import open_sandbox
from tongits_harness.bots.seat import open_seat_folder
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import open_run_folder, stage
from tongits_harness.errors import SandboxUnavailableError

from tests.kits.kit import (
    CORPUS,
    LIMIT_S,
    SAMPLE_BOTS,
    TONGITS,
    ScriptedTable,
    need_toolchain,
    questions,
    start_bot,
)

STDIO = SAMPLE_BOTS / "stdio"
BRIDGE = ["python3", "-P", "-m", "tongits_bot.stdio"]
MATCH_S = 300
ANSWER = 'read line; echo "{}"; '
"""A program in shell that reads one line and answers it."""


def view_of(question):
    request = question.request
    return View(request.observation, Game(question.started), request.time_left_us, 7)


def test_every_line_is_the_json_of_the_corpus():
    rows = [json.loads(text) for text in CORPUS.read_text().splitlines()]
    assert len(rows) >= 500
    for row, asked in zip(rows, questions(), strict=True):
        line = line_of(view_of(asked))
        expected = {**row["line"], "id": 7, "game": asked.started.game_id}
        assert line == json.dumps(expected)


@pytest.fixture
def view():
    return view_of(next(questions()))


@pytest.mark.parametrize("answer", ["discard QH", "  Discard qh\t", "18", "discard QH # no use"])
def test_an_answer_is_a_text_or_a_number(view, answer):
    assert str(action_of(answer, view)) == "discard QH"


def test_a_note_follows_a_hash(view):
    action_of("0 # why: #1", view)
    assert view.note == "why: #1"
    action_of("0", view)
    assert view.note == ""


def test_an_illegal_action_is_passed_on_to_the_harness(view):
    action = action_of("discard KS", view)
    assert action not in view.legal
    assert str(action) == "discard KS"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "is empty"),
        (" # 0", "is empty"),
        ("19", "goes from 0 to 18"),
        ("9" * 5000, "goes from 0 to 18"),
        ("-1", "neither"),
        ("\u0661", "neither"),
        ("thinking...", "neither"),
        ("discard 1X", "neither"),
        ("layoff 7H", "neither"),
        ("layoff 7H x", "neither"),
    ],
)
def test_what_is_no_answer_is_told_apart(view, answer, reason):
    with pytest.raises(ValueError, match=reason):
        action_of(answer, view)


def played(argv, *, count=3, limit_us=1_000_000):
    """Plays some questions: the answers, and how the bridge ended."""
    asked = [one.request for one in list(questions())[:count]]
    for request in asked:
        request.time_left_us = limit_us
    with ScriptedTable() as table, start_bot([*BRIDGE, *argv], table.address, cwd=STDIO) as process:
        table.welcome()
        table.send(pb2.TableMessage(requests=asked))
        answers = []
        while len(answers) < count and (raw := table.receive_raw()) is not None:
            answers += pb2.BotMessage.FromString(raw).decisions.decisions
        table.end()
        _, err = process.communicate(timeout=LIMIT_S)
    return answers, process.returncode, err


def shell(script):
    return ["sh", "-c", script]


def test_answers_come_in_the_order_of_the_questions_with_their_notes():
    answers, code, err = played(
        shell("for n in 0 1 2; do read line; echo $n '#' hand $n; done; read line; exit 9")
    )
    found = [(one.decision_id, one.index, one.note) for one in answers]
    assert found == [(1, 0, "hand 0"), (2, 1, "hand 1"), (3, 2, "hand 2")]
    assert (code, err) == (0, "")


def test_what_the_program_says_on_stderr_is_kept():
    answers, code, err = played(shell("while read line; do echo aside >&2; echo 0; done"))
    assert (len(answers), code, err) == (3, 0, "aside\n" * 3)


@pytest.mark.process
@pytest.mark.parametrize(
    ("script", "answered", "told"),
    [
        (ANSWER.format(0) + "exit 3", 1, "ended with status 3, before it answered id 2"),
        ("exit 0", 0, "ended with status 0, before it answered id 1"),
        ("read line; kill -SEGV $$", 0, "was killed by SIGSEGV, before it answered id 1"),
        (ANSWER.format(0) * 2 + "kill -9 $$", 2, "was killed by SIGKILL, before it answered id 3"),
        ("read line; echo hello; read line", 0, "'hello' to id 1 is neither the text of an action"),
        ("read line; echo; read line", 0, "'' to id 1 is empty"),
        ("read line; echo 77; read line", 0, "'77' to id 1 is not in `legal`, which goes from 0"),
        ("echo I am ready; read line; read line", 0, r"wrote 'I am ready\n' before it was asked"),
        (ANSWER.format("0\n0") + "read line; read line", 1, "before it was asked id 2"),
        ("read line; printf disc; exit 4", 0, "status 4 in the middle of the line 'disc'"),
        ("read line; exec >&-; read line", 0, "closed its stdout but runs on"),
        (
            "read line; head -c 70000 /dev/zero | tr '\\0' x; read line",
            0,
            "is a line of more than 64 KiB; it begins 'xxxx",
        ),
    ],
)
def test_a_program_that_fails_ends_the_bridge_with_a_reason(script, answered, told):
    answers, code, err = played(shell(script))
    assert ([one.index for one in answers], code) == ([0] * answered, 1), err
    assert err.startswith("tongits-stdio: sh: ")
    assert told in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("sleep 1; read line; echo 0", "has not read id 2 within 300 ms"),
        ("read line; sleep 1; echo 0", "has read but not answered id 2 within 300 ms; flush"),
        ("read line; printf 0; sleep 1; echo", "not answered id 2 within 300 ms; end the line"),
    ],
)
def test_a_late_program_is_told_why_and_still_waited_for(script, told):
    answers, code, err = played(shell(ANSWER.format(0) + script), count=2, limit_us=300_000)
    assert ([one.index for one in answers], code) == ([0, 0], 0)
    assert told in err


def test_a_program_that_stays_when_its_stdin_is_closed_is_ended():
    answers, code, err = played(shell("read line; echo 0; exec sleep 60"), count=1)
    assert (len(answers), code, err) == (1, 0, "")


@pytest.mark.parametrize(
    ("program", "told"),
    [("./missing", "cannot be started: No such file"), ("./greedy.awk", "Permission denied")],
)
def test_a_program_that_cannot_be_started_is_named(program, told):
    with start_bot([*BRIDGE, program], "unix:/nowhere", cwd=STDIO) as process:
        _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1
    assert f"tongits-stdio: {program}: " in err
    assert told in err


@pytest.mark.parametrize(("argv", "address"), [(["cat"], None), ([], "unix:/x"), (["-h"], None)])
def test_the_bridge_explains_its_use(argv, address):
    with start_bot([*BRIDGE, *argv], address, cwd=STDIO) as process:
        _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert err.startswith("usage: tongits-stdio PROGRAM")


SCRIPTS = {"awk": ["sh", "awk.sh"], "perl": ["perl", "greedy.pl"]}


@pytest.fixture(scope="session", params=["awk", "perl", "c"])
def greedy(request, tmp_path_factory):
    """The command of greedy in one language, in the folder `stdio`."""
    need_toolchain(request.param)
    if request.param != "c":
        return SCRIPTS[request.param]
    program = tmp_path_factory.mktemp("c") / "greedy-c"
    *compile_it, _, source = load_bot(STDIO / "greedy-c.toml").manifest.build
    subprocess.run([*compile_it, program, source], cwd=STDIO, timeout=LIMIT_S * 6, check=True)
    return [str(program)]


@pytest.mark.process
def test_greedy_answers_the_corpus_line_by_line(greedy):
    done = subprocess.run(
        ["/bin/sh", "test.sh", *greedy], cwd=STDIO, timeout=LIMIT_S * 6,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout == "520 of 520 answers as expected\n"


def test_the_comparison_shows_what_differs():
    done = subprocess.run(
        ["/bin/sh", "test.sh", "sed", "s/.*/draw/"], cwd=STDIO, timeout=LIMIT_S,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "< expose 2D 3D 4D 5D 6D" in done.stdout


@pytest.mark.process
def test_greedy_answers_the_corpus_through_the_bridge(greedy):
    asked = list(questions())
    answers, code, err = played(greedy, count=40)
    assert (code, err) == (0, "")
    for one, answer in zip(asked, answers, strict=False):
        chosen = one.request.observation.legal[answer.index]
        assert (chosen.kind, chosen.cards, chosen.meld) == one.expected


@pytest.mark.process
@pytest.mark.parametrize("level", ["auto", "contained", "partial", "none"])
def test_the_command_is_on_the_path_at_every_level(level, tmp_path):
    try:
        sandbox = open_sandbox(level)
    except SandboxUnavailableError as refusal:
        pytest.skip(f"no sandbox of level {level} on this machine: {refusal}")
    (tmp_path / "bot.toml").write_text(
        'name = "lines"\nversion = "1"\nlanguage = "cobol"\nrun = ["tongits-stdio", "./missing"]\n'
    )
    process = trio.run(ended, sandbox, load_bot(tmp_path))
    assert process.exit.code == 1
    assert "tongits-stdio: ./missing: cannot be started" in process.stderr.text()


async def ended(sandbox, bot):
    """A bot's process that has come to its end."""
    with (
        open_run_folder() as run,
        Spawner() as spawner,
        open_seat_folder(run, sandbox.bot_uid(3)) as seat,
        trio.fail_after(LIMIT_S),
    ):
        staged = stage(bot, run)
        async with open_process(
            sandbox, spawner, staged, seat, token=str(3), limits=Limits(), slot=3
        ) as process:
            await process.exited.wait()
    return process


@pytest.mark.kits
@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
def test_copies_of_greedy_in_four_languages_tie_to_the_chip(rules, tmp_path):
    for language in ("awk", "perl", "c"):
        need_toolchain(language)
    for bots in (("greedy", "greedy-awk", "greedy-perl"), ("greedy", "greedy-c", "greedy-awk")):
        assert chips_of(bots, rules, tmp_path) == [0, 0, 0]


def chips_of(bots, rules, folder):
    """Chips of three bots over the six seatings of one match."""
    name = "-".join(bots)
    where = ["--results", str(folder)]
    run = [str(TONGITS), "run", *bots, "--name", name, "--rules", rules, "--rounds", "1"]
    told = [str(TONGITS), "matches", "--json", "--tournament", name, *where]
    for argv in ([*run, "--progress", "none", *where], told):
        done = subprocess.run(argv, timeout=MATCH_S, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    (match,) = json.loads(done.stdout)["matches"]
    assert not any(one["faults"] for one in match["entrants"])
    return [one["chips"] for one in match["entrants"]]
