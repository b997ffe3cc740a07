"""A copy of a kit to run its own tools in, and what must hold for every kit's SDK."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from tongits.v1 import table_pb2 as pb2
from tongits_bot import Action
from tongits_harness.bots.toolchains import find_toolchain, language_of

from tests.bots.scripted_table import LIMIT_S, ScriptedTable, start_bot

ROOT = Path(__file__).parents[2]
SAMPLE_BOTS = ROOT / "sample_bots"
CORPUS = SAMPLE_BOTS / "corpus" / "observations.jsonl"
TONGITS = Path(sys.executable).with_name("tongits")
TOOL_S = 1200
"""Longest wait for a compiler or a tournament: a full build on a busy machine takes minutes."""
BATCH = 40
"""Requests of the corpus in one message; all at once would be more than 64 KiB."""


def need_toolchain(language):
    """Skips the test, or fails it where all languages must run, if this machine lacks something."""
    lack = find_toolchain(language_of(language)).lack
    if lack and os.environ.get("TONGITS_CI_ALL_LANGUAGES") == "1":
        pytest.fail(f"{language}: {lack}")
    if lack:
        pytest.skip(f"{language}: {lack}")


class Kit:
    """A kit's folder, copied to where its tools may write, with the corpus in it."""

    def __init__(self, language, folder, results):
        self.source = SAMPLE_BOTS / language
        self.folder = folder
        self.results = results
        self.manifest = tomllib.loads((self.source / "bot.toml").read_text())
        leave_out = shutil.ignore_patterns(*self.manifest["exclude"])
        shutil.copytree(self.source, folder, ignore=leave_out)
        shutil.copy(CORPUS, folder / "corpus.jsonl")

    def run(self, *argv, env=None):
        """What a tool printed that ran in the folder; fails with it if the tool failed."""
        done = subprocess.run(
            argv, cwd=self.folder, env={**os.environ, **(env or {})}, timeout=TOOL_S,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{' '.join(argv)} failed:\n{done.stdout[-6000:]}"
        return done.stdout

    def chips_of_a_tournament(self, *bots, rules, name=""):
        """Chips by name of every match of one round between these, built and sandboxed."""
        name = f"{name or self.source.name}-{rules}"
        where = ("--results", str(self.results))
        words = ("--name", name, "--rules", rules, "--rounds", "1", "--allow-fetch")
        self.run(str(TONGITS), "run", *map(str, bots), *words, "--progress", "none", *where)
        told = self.run(str(TONGITS), "matches", "--json", "--tournament", name, *where)
        played = json.loads(told)["matches"]
        entrants = [match["entrants"] for match in played]
        assert entrants
        assert not any(one["faults"] for match in entrants for one in match)
        return [{one["entrant"]: one["chips"] for one in match} for match in entrants]


@dataclass(frozen=True)
class Question:
    """One line of the corpus."""

    id: str
    started: pb2.GameStarted
    request: pb2.DecisionRequest
    expected: Action


def questions():
    """The corpus, each question in a game of its own."""
    for number, text in enumerate(CORPUS.read_text().splitlines()):
        line = json.loads(text)
        started = pb2.GameStarted.FromString(base64.b64decode(line["started"]))
        request = pb2.DecisionRequest.FromString(base64.b64decode(line["request"]))
        started.game_id = request.game_id = f"game {number}"
        request.decision_id = number + 1
        yield Question(line["id"], started, request, Action.parse(line["greedy"]))


def assert_plays_the_corpus(argv, folder):
    """Greedy greets as it should, answers all that is asked over the wire, and leaves in peace."""
    asked = list(questions())
    differing = []
    with ScriptedTable() as table, start_bot(argv, table.address, cwd=folder) as process:
        hello = table.welcome()
        for at in range(0, len(asked), BATCH):
            batch = asked[at : at + BATCH]
            started, requests = [one.started for one in batch], [one.request for one in batch]
            table.send(pb2.TableMessage(started=started, requests=requests))
            for one, answer in zip(batch, table.answers(len(batch)), strict=True):
                assert answer.decision_id == one.request.decision_id
                chosen = one.request.observation.legal[answer.index]
                if (chosen.kind, chosen.cards, chosen.meld) != one.expected:
                    differing.append((one.id, str(one.expected), chosen))
            over = [pb2.GameOver(game_id=one.started.game_id) for one in batch]
            table.send(pb2.TableMessage(over=over))
        table.end()
        _, err = process.communicate(timeout=LIMIT_S)
    assert differing == []
    assert (process.returncode, err) == (0, "")
    language = folder.name
    assert (hello.protocol_version, hello.concurrent_games) == (1, 128)
    assert hello.sdk == f"tongits-{language}/1.0"


def assert_says_how_to_run(argv, folder):
    """A bot that is started by hand says so, and leaves with 2."""
    with start_bot(argv, None, cwd=folder) as process:
        _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert "TONGITS_ADDRESS is not set" in err


def assert_explains_a_refusal(argv, folder):
    """A bot that is turned away says why, and leaves with 1."""
    with ScriptedTable() as table, start_bot(argv, table.address, cwd=folder) as process:
        table.receive()
        table.refuse(grpc.StatusCode.PERMISSION_DENIED, "wrong token")
        _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1
    assert "wrong token" in err


def assert_answers_before_a_crash_count(argv, folder, *, word):
    """A bot that fails at its third decision has answered two; it says where and leaves with 1."""
    asked = [one.request for one in list(questions())[:5]]
    with ScriptedTable() as table, start_bot(argv, table.address, cwd=folder) as process:
        table.welcome()
        table.send(pb2.TableMessage(requests=asked))
        answered = [answer.decision_id for answer in table.answers(2)]
        assert table.receive_raw() is None
        _, err = process.communicate(timeout=LIMIT_S)
    assert answered == [1, 2]
    assert process.returncode == 1
    assert word in err


def assert_answers_do_not_wait_for_slow_ones(argv, folder):
    """With 50 ms for each decision and a limit of 200 ms, no two answers come in one message."""
    asked = [one.request for one in list(questions())[:4]]
    with ScriptedTable() as table, start_bot(argv, table.address, cwd=folder) as process:
        table.welcome(decision_limit_us=200_000)
        table.send(pb2.TableMessage(requests=asked))
        messages = [[one.decision_id for one in table.receive().decisions.decisions]]
        # What has been decided is sent before the next is thought about.
        while sum(map(len, messages)) < 4:
            messages.append([one.decision_id for one in table.receive().decisions.decisions])
        table.end()
        process.communicate(timeout=LIMIT_S)
    assert [message for message in messages if message] == [[1], [2], [3], [4]]
