"""The misbehaving bots: each has a valid folder and misbehaves as its first line says."""

import ast
import tomllib

import pytest
from google.protobuf.message import DecodeError
from tongits.v1 import table_pb2 as pb2
from tongits_bot.testing import make_view

from tests.bots.games import BOTS
from tests.bots.scripted_table import LIMIT_S, SAMPLE_BOTS, TOKEN, ScriptedTable, start_bot

BAD = sorted(folder.name for folder in (SAMPLE_BOTS / "bad").iterdir() if folder.is_dir())
FOLDERS = [SAMPLE_BOTS / "bad" / name for name in BAD]
FOLDERS += [SAMPLE_BOTS / "python" / name for name in BOTS]
NAMES = [folder.name for folder in FOLDERS]


def manifest(folder):
    return tomllib.loads((folder / "bot.toml").read_text())


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_the_manifest_is_complete_and_names_its_folder(folder):
    found = manifest(folder)
    assert found.keys() == {
        *("name", "version", "language", "run", "author", "licence", "concurrent_games")
    }
    assert found["name"] == folder.name
    assert found["language"] == "python"
    assert found["concurrent_games"] in (64, 128, 256)
    assert "python3" in found["run"][:2]
    assert any((folder / word).is_file() for word in found["run"])


@pytest.mark.parametrize("name", BAD)
def test_the_first_line_says_what_is_expected(name):
    """What is to be expected, or the rows of the attack table, whose test says it for each."""
    folder = SAMPLE_BOTS / "bad" / name
    file = next(folder / word for word in manifest(folder)["run"] if word.endswith(".py"))
    first, *_ = ast.get_docstring(ast.parse(file.read_text())).splitlines()
    assert "Expected" in first or "(row" in first


@pytest.fixture
def table():
    with ScriptedTable() as table:
        yield table


@pytest.fixture
def start(table):
    started = []

    def start_bad_bot(name):
        folder = SAMPLE_BOTS / "bad" / name
        process = start_bot(manifest(folder)["run"], table.address, cwd=folder)
        started.append(process)
        return process

    yield start_bad_bot
    for process in started:
        process.kill()
        process.communicate()


def ask(table, number, turn=9, hand="9C 4H"):
    """Sends one request, as if in the middle of a game."""
    view = make_view(hand, ["discard 4H", "discard 9C"], turn=turn, discards="KD")
    request = pb2.DecisionRequest(
        decision_id=number, game_id="g", time_left_us=20_000, observation=view._message
    )
    table.send(pb2.TableMessage(requests=[request]))


def decisions(table):
    return list(table.receive().decisions.decisions)


@pytest.mark.process
@pytest.mark.parametrize(("name", "code"), [("crash_at_start", 1), ("crash_in_handshake", 3)])
def test_it_dies_before_its_hello(name, code, start):
    process = start(name)
    process.communicate(timeout=LIMIT_S)
    assert process.returncode == code


@pytest.mark.process
@pytest.mark.parametrize(("name", "code"), [("crash_mid_game", 3), ("crash_on_last", 1)])
def test_it_plays_for_a_while_and_dies(name, code, table, start):
    process = start(name)
    table.welcome()
    ask(table, 1, turn=0, hand="9C 4H 7D 8S")
    assert [answer.index for answer in decisions(table)] == [0]
    ask(table, 2, turn=9)
    process.communicate(timeout=LIMIT_S)
    assert process.returncode == code


@pytest.mark.process
def test_wrong_token_says_another_word(table, start):
    start("wrong_token")
    assert table.receive().hello.token != TOKEN


@pytest.mark.process
def test_wrong_version_asks_for_another_version(table, start):
    start("wrong_version")
    hello = table.receive().hello
    assert (hello.protocol_version, hello.token) == (99, TOKEN)


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "misbehaves"),
    [
        ("answers_twice", lambda answers: [a.decision_id for a in answers] == [2, 2]),
        ("answers_other", lambda answers: len({a.decision_id for a in answers} - {2}) > 16),
        ("illegal_index", lambda answers: answers[0].index == 2),
        ("illegal_mover", lambda answers: answers[0].action.cards not in (b"", b"\x0e", b"\x20")),
        ("unknown_enum", lambda answers: answers[0].action.kind == 99),
        ("big_message", lambda answers: len(answers[0].note) > 64 * 1024),
        ("slow", lambda answers: answers[0].index == 0),
    ],
)
def test_it_warms_up_well_and_answers_wrongly_later(name, misbehaves, table, start):
    start(name)
    table.welcome()
    ask(table, 1, turn=0)
    assert decisions(table)[0].index == 0
    ask(table, 2)
    assert misbehaves(decisions(table))


@pytest.mark.process
def test_garbage_sender_sends_what_is_no_message(table, start):
    start("garbage_sender")
    table.welcome()
    ask(table, 1, turn=0)
    decisions(table)
    ask(table, 2)
    with pytest.raises(DecodeError):
        table.receive()


@pytest.mark.process
def test_flooder_prints_megabytes(table, start):
    process = start("flooder")
    table.welcome()
    ask(table, 1)
    table.end()
    out, err = process.communicate(timeout=LIMIT_S)
    assert (len(out), len(err)) == (1 << 20, 1 << 20)


@pytest.mark.process
def test_second_stream_calls_play_twice(table, start):
    start("second_stream")
    table.welcome()
    ask(table, 1)
    messages = [table.receive(), table.receive()]
    assert {message.WhichOneof("content") for message in messages} == {"decisions", "hello"}
    assert table.calls == 2
    table.end()
