"""The commands that read results."""

import csv
import io
import json
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from tongits.v1 import table_pb2 as pb
from tongits_harness.cli import main
from tongits_harness.cli.leaderboard import WHISKER_CELLS, whisker
from tongits_harness.cli.matches import FAULT_KINDS
from tongits_harness.cli.status import evidence_lines
from tongits_harness.faults import FaultKind
from tongits_harness.protocol.asked import asked_text
from tongits_harness.results.lock import hold_lock
from tongits_harness.results.store import open_store

from tests.harness.cli.arena import FAULTY, PLANS, make_arena

READING = [
    ["leaderboard"],
    ["leaderboard", "--json"],
    ["vs", "ana", "ben"],
    ["matches"],
    ["status"],
    ["replay", "0"],
]


@pytest.mark.parametrize("words", READING, ids=" ".join)
class TestBadInput:
    def check(self, done):
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""
        return done.stderr

    def test_no_results(self, tongits, tmp_path, words):
        said = self.check(tongits(*words, code=3, results=tmp_path))
        assert f"{tmp_path}/arena.db" in said
        assert "--results" in said

    def test_no_database(self, tongits, tmp_path, words):
        (tmp_path / "arena.db").write_text("words " * 1000)
        assert "no results database" in self.check(tongits(*words, code=3, results=tmp_path))

    def test_a_newer_database(self, tongits, tmp_path, words):
        with open_store(tmp_path, create=True):
            pass
        with closing(sqlite3.connect(tmp_path / "arena.db")) as database:
            database.execute("PRAGMA user_version = 99")
        assert "upgrade" in self.check(tongits(*words, code=75, results=tmp_path))

    def test_no_tournament_yet(self, tongits, tmp_path, words):
        with open_store(tmp_path, create=True):
            pass
        assert "holds no tournament yet" in self.check(tongits(*words, code=3, results=tmp_path))

    def test_an_unknown_tournament(self, tongits, words):
        said = self.check(tongits(*words, "--tournament", "cupp", code=3))
        assert "did you mean 'cup'?" in said


def test_the_leaderboard_is_the_same_in_every_format(tongits):
    board = json.loads(tongits("leaderboard", "--json").stdout)
    rows = list(csv.DictReader(io.StringIO(tongits("leaderboard", "--csv").stdout)))
    for row, line in zip(board["rows"], rows, strict=True):
        assert line["entrant"].lstrip("'") == row["entrant"]
        assert float(line["score"]) == row["score"]
        assert [int(line[k]) for k in ("first", "second", "third")] == row["places"]
    assert "'=dee" in {line["entrant"] for line in rows}
    markdown = tongits("leaderboard", "--md").stdout.splitlines()
    assert len(markdown) == len(rows) + 2
    assert {line.count(" | ") for line in (markdown[0], *markdown[2:])} == {23}


def test_the_leaderboard_for_people_explains_itself(tongits):
    shown = tongits("leaderboard").stdout
    board = json.loads(tongits("leaderboard", "--json").stdout)
    assert "cup · tongits-lite · 6 of 8 matches · sandbox full" in shown
    assert "How to read it" in shown
    assert "1 TIMEOUT" in shown
    for row in board["rows"]:
        assert row["entrant"] in shown
        assert f"{row['score']:.2f}" in shown
    assert "\x1b" not in shown


def test_a_narrow_terminal_shows_fewer_columns_and_no_broken_line(tongits):
    wide = tongits("leaderboard", width=200).stdout
    narrow = tongits("leaderboard", width=60).stdout
    assert "version" in wide
    assert "version" not in narrow
    assert max(map(len, narrow.splitlines())) <= 60
    assert "score" in narrow


@pytest.mark.parametrize("words", [*READING, ["leaderboard", "--md"]], ids=" ".join)
def test_a_terminal_without_unicode_is_spared_it(arena, words):
    done = CliRunner(charset="ascii").invoke(main, [*words, "--results", str(arena)])
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.isascii()


def test_suspension_and_a_missing_sandbox_are_marked(tongits):
    shown = tongits("leaderboard", "--tournament", "pot").stdout
    assert "UNTRUSTED" in shown
    assert "suspended after match 2" in shown
    assert "3 forfeited" in shown
    board = json.loads(tongits("leaderboard", "--tournament", "pot", "--json").stdout)
    assert (board["sandbox"], board["matches"]) == ("none", 3)


@pytest.mark.parametrize(
    ("low", "middle", "high", "drawn"),
    [(0, 5, 10, "|----------o-----------|"), (0, 0, 0, "o"), (10, 10, 10, " " * 23 + "o")],
)
def test_an_interval_is_drawn_on_the_axis(low, middle, high, drawn):
    cells = whisker(low, middle, high, axis=(0, 10), ascii_only=True)
    assert len(cells) == WHISKER_CELLS
    assert cells.count("o") == 1
    assert cells.rstrip().startswith(drawn[:1])


def test_two_bots_are_compared_over_their_common_matches(tongits):
    there = json.loads(tongits("vs", "ana", "ben", "--json").stdout)
    back = json.loads(tongits("vs", "ben", "ana", "--json").stdout)
    common = [plan for plan in PLANS[:6] if {"ana", "ben"} <= set(plan.entrants)]
    assert there["matches"] == len(common)
    assert there["a_above"] + there["level"] + there["b_above"] == len(common)
    assert (there["a_above"], there["b_above"]) == (back["b_above"], back["a_above"])
    assert there["p_a_above"] == pytest.approx(1 - back["p_a_above"], abs=1e-5)
    assert there["p_ci95"][0] <= there["p_a_above"] <= there["p_ci95"][1]
    assert f"{len(common)} matches with both" in tongits("vs", "ana", "ben").stdout


def test_an_unknown_bot_is_answered_with_the_nearest(tongits):
    assert "did you mean 'ana'?" in tongits("vs", "anna", "ben", code=3).stderr
    assert "did you mean 'ana'?" in tongits("matches", "--bot", "anna", code=3).stderr
    assert "two different bots" in tongits("vs", "ana", "ana", code=2).stderr


def test_matches_can_be_filtered(tongits):
    def indices(*words):
        return [
            m["index"] for m in json.loads(tongits("matches", "--json", *words).stdout)["matches"]
        ]

    assert indices() == list(range(6))
    assert indices("--limit", "2") == [4, 5]
    assert indices("--bot", "cy") == [p.index for p in PLANS[:6] if "cy" in p.entrants]
    assert indices("--fault", "TIMEOUT") == [FAULTY]
    assert indices("--fault", "any", "--bot", "ana") == []
    assert indices("--fault", "crash") == []
    nothing = tongits("matches", "--fault", "crash")
    assert (nothing.stdout, nothing.stderr) == ("", "no match fits\n")


def test_a_match_is_listed_with_its_outcome(tongits):
    first = json.loads(tongits("matches", "--json").stdout)["matches"][FAULTY]
    assert first["key"] == PLANS[FAULTY].key
    assert sum(e["chips"] for e in first["entrants"]) == 0
    assert {e["entrant"]: e["faults"] for e in first["entrants"]}["ben"] == {"TIMEOUT": 1}
    shown = tongits("matches", "--limit", "1")
    assert PLANS[5].key[:8] in shown.stdout
    assert "the last 1 of 6 matches" in shown.stderr
    (line,) = csv.DictReader(io.StringIO(tongits("matches", "--csv", "--limit", "1").stdout))
    assert line["key"] == PLANS[5].key


def test_the_fault_filter_knows_every_kind():
    assert set(FAULT_KINDS) == {kind.value for kind in FaultKind if kind != "HARNESS"} | {"any"}


def test_status_tells_progress_faults_and_how_to_go_on(tongits, arena):
    told = json.loads(tongits("status", "--json").stdout)
    assert told["sessions"] == {"played": 6, "planned": 8}
    assert told["matches"] == {"played": 6, "planned": 8, "counted": 6}
    (fault,) = told["faults"]
    assert (fault["entrant"], fault["kind"], fault["count"]) == ("ben", "TIMEOUT", 1)
    assert fault["latest"]["match"] == PLANS[FAULTY].key
    assert fault["latest"]["reproduce"].startswith(f"tongits replay {PLANS[FAULTY].key} ")
    assert told["resume"] == f"tongits resume --tournament cup --results {arena}"
    shown = tongits("status").stdout
    assert "faults: ben 1 TIMEOUT in decision" in shown
    assert "stderr: KeyError: 'x'" in shown
    assert told["resume"] in shown


def test_status_tells_suspensions(tongits):
    told = json.loads(tongits("status", "--json", "--tournament", "pot").stdout)
    assert told["suspended"] == [{"entrant": "ben", "after_match": 2}]
    assert "suspended: ben after match 2" in tongits("status", "--tournament", "pot").stdout


def test_status_of_a_running_and_of_a_finished_tournament(tongits, tmp_path):
    make_arena(tmp_path, matches=1)
    with hold_lock(tmp_path):
        told = json.loads(tongits("status", "--json", results=tmp_path).stdout)
        assert told["running"].startswith("process ")
        assert told["resume"] is None
    make_arena(tmp_path / "done", matches=1, finish=True)
    told = json.loads(tongits("status", "--json", results=tmp_path / "done").stdout)
    assert told["secret"] == bytes(range(32)).hex()
    assert (told["running"], told["resume"]) == (None, None)
    assert "finished " in tongits("status", results=tmp_path / "done").stdout


def test_evidence_names_the_process_its_end_and_its_last_words():
    evidence = {
        "exit": "ended by SIGSEGV " + "x" * 60,
        "elapsed_ms": 3.5,
        "argv": ["python3", "my bot.py"],
        "stderr": "\n".join("abcdefgh"),
        "raw": "z" * 99,
    }
    assert list(evidence_lines(evidence)) == [
        f"argv: python3 'my bot.py'; exit: ended by SIGSEGV {'x' * 60}",
        "elapsed_ms 3.5",
        *(f"stderr: {letter}" for letter in "defgh"),
    ]
    assert list(evidence_lines({})) == []


def test_what_was_asked_is_told_in_words():
    request = pb.DecisionRequest(
        observation=pb.Observation(
            turn=5,
            phase=pb.PHASE_ACTION,
            hand=bytes([0, 13]),
            melds=[pb.Meld(cards=bytes([4, 5, 6])), pb.Meld(face_down=True, size=4)],
            legal=[
                pb.Action(kind=pb.ACTION_KIND_DRAW),
                pb.Action(kind=pb.ACTION_KIND_DISCARD, cards=bytes([13])),
            ],
        )
    ).SerializeToString()
    assert asked_text(request) == (
        "turn 5, phase action, hand AC 4D, discards none, melds 0 2C 2D 2H | 1 4 face down;"
        " legal: 0 draw | 1 discard 4D"
    )
    assert asked_text(b"\xff") == "cannot be read"
