"""Whole checks of real processes: few, each with the steps that matter."""

import json

import pytest
from tongits_harness.check.report import Verdict
from tongits_harness.check.shown import read_questions
from tongits_harness.check.text import step_lines, verdict_lines

from tests.bots.scripted_table import SAMPLE_BOTS
from tests.harness.check.bots import DICE, DIVIDES, LEAVES_BADLY, RESUMED, STAYS, make_bot

BAD = SAMPLE_BOTS / "bad"
pytestmark = pytest.mark.process


def step(report, number):
    (found,) = [one for one in report.steps if one.number == number]
    return found


async def test_a_good_bot_is_accepted_step_by_step(examine):
    report = await examine(SAMPLE_BOTS / "python" / "greedy")
    assert report.verdict == "accepted", "\n".join(x for s in report.steps for x in step_lines(s))
    assert [one.number for one in report.steps] == list(range(1, 14))
    assert step(report, 6).facts["games"] == 16
    assert step(report, 8).facts["killed"] == 2
    assert step(report, 13).facts["limit_mib"] == 512
    assert json.loads(json.dumps(report.as_json()))["accepted"] is True


async def test_a_bot_that_does_not_start_is_told_why_and_nothing_else(examine):
    report = await examine(BAD / "crash_at_start", word="./mine")
    assert report.verdict == "refused"
    start = step(report, 4)
    assert "RuntimeError: this bot fails while it starts" in start.summary
    assert "exited with status 1" in start.summary
    assert "argv: python3 crash_at_start_bot.py; exit: exited with status 1" in start.evidence
    assert start.again == "tongits check ./mine --only 4"
    waiting = [one for one in report.steps if one.number > 4]
    assert {one.verdict for one in waiting} == {Verdict.SKIP}
    assert [line for one in waiting for line in step_lines(one)] == []
    assert next(verdict_lines(report)).startswith("left out: 5, 6, 7")


async def test_another_version_of_the_protocol_is_told(examine):
    report = await examine(BAD / "wrong_version", 4)
    assert "protocol version 99; this harness speaks 1" in step(report, 4).summary
    assert "another version of the protocol" in step(report, 4).cure


async def test_a_folder_that_is_wrong_starts_nothing(examine, tmp_path):
    folder = make_bot(tmp_path)
    (folder / "bot.toml").write_text("name = 3\n")
    report = await examine(folder)
    assert (report.bot, report.verdict) == (None, "refused")
    assert step(report, 2).verdict is Verdict.SKIP


async def test_an_illegal_action_in_play_is_shown_with_the_observation(examine):
    report = await examine(BAD / "illegal_index", 6, rules=("tongits-lite",))
    failed = step(report, 6)
    assert "ILLEGAL_ACTION" in failed.summary
    asked = next(line for line in failed.evidence if line.startswith("asked: "))
    legal = json.loads(asked.removeprefix("asked: "))["legal"]
    assert f"outside the list of {len(legal)} legal actions" in failed.summary
    assert failed.facts["faults"].keys() == {"ILLEGAL_ACTION"}
    assert failed.again.endswith("--only 6 --save wrong.jsonl")
    assert len(report.saved) == 1


async def test_what_was_answered_wrongly_can_be_saved_and_asked_again(examine, tmp_path):
    report = await examine(make_bot(tmp_path, DIVIDES), 7)
    failed = step(report, 7)
    assert "ZeroDivisionError" in failed.summary
    assert "stdout: I hold 1" not in failed.evidence, "stderr says more"
    assert failed.evidence[0] == "where: tongits-lite: fewest cards left"
    assert any("line 6, in decide" in line for line in failed.evidence)
    saved = "".join(json.dumps(line) + "\n" for line in report.saved)
    questions = read_questions(saved, "wrong.jsonl")
    folder = tmp_path / "mybot" / "main.py"
    folder.write_text(folder.read_text().replace("- 1)", "+ 1)"))
    report = await examine(tmp_path / "mybot", 7, questions=questions)
    assert step(report, 7).summary.startswith(f"{len(questions)} observations of the file")


async def test_a_bot_that_counts_on_having_seen_the_beginning_fails_at_a_restart(examine, tmp_path):
    report = await examine(make_bot(tmp_path, RESUMED), 8)
    failed = step(report, 8)
    assert "KeyError: 'the beginning of the game'" in failed.summary
    assert "`resumed`" in failed.cure
    assert any("GameStarted.resumed" in line for line in failed.evidence)


async def test_chance_that_does_not_repeat_itself_is_a_warning_with_the_observation(
    examine, tmp_path
):
    report = await examine(make_bot(tmp_path, DICE), 10)
    warned = step(report, 10)
    assert (warned.verdict, report.verdict) == (Verdict.WARN, "accepted with warnings")
    assert "bot_seed" in warned.cure
    assert any(line.startswith("asked: ") for line in warned.evidence)


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (LEAVES_BADLY, "exited with status 7 when its stream ended"),
        (STAYS, "still running 5 s after its stream had ended"),
    ],
)
async def test_a_bad_end_is_a_warning(examine, tmp_path, program, told):
    report = await examine(make_bot(tmp_path, program), 11)
    assert step(report, 11).verdict is Verdict.WARN
    assert told in step(report, 11).summary


async def test_a_flood_is_counted_and_told(examine, tmp_path):
    loud = "from tongits_bot import serve\ndef decide(view):\n    print('x' * 4000)\n"
    report = await examine(make_bot(tmp_path, f"{loud}    return view.legal[0]\n"), 9, 12)
    assert step(report, 12).verdict is Verdict.WARN
    assert "64 KiB" in step(report, 12).cure


async def test_without_a_sandbox_it_says_so(examine, tmp_path):
    report = await examine(make_bot(tmp_path), 4, level="none")
    assert (report.sandbox, report.is_accepted) == ("none", True)
