"""`tongits check`: words, files and exit codes; what it finds is tested beside its steps."""

import json

from tests.harness.check.bots import make_bot


def test_a_folder_that_is_wrong_is_exit_1_with_cause_and_cure(tongits, tmp_path):
    bot = make_bot(tmp_path)
    (bot / "main.py").unlink()
    told = tongits("check", str(bot), "--sandbox", "none", code=1, results=tmp_path).stdout
    lines = told.splitlines()
    assert lines[2].startswith(" 2 files           FAIL  run names main.py")
    assert lines[3].startswith("    -> correct `run` in bot.toml")
    assert lines[-1].startswith("    2 files: run names main.py")
    assert any("refused in" in line for line in lines)


def test_json_holds_every_step(tongits, tmp_path):
    bot = make_bot(tmp_path)
    (bot / "bot.toml").write_text("")
    done = tongits("check", str(bot), "--json", "--sandbox", "none", code=1, results=tmp_path)
    told = json.loads(done.stdout)
    assert (told["verdict"], told["accepted"]) == ("refused", False)
    assert [step["number"] for step in told["steps"]] == list(range(1, 14))
    assert len(told["steps"][0]["evidence"]) == 4


def test_a_bot_that_is_not_there_is_told_with_what_is_near(tongits, tmp_path):
    said = tongits("check", "gredy", code=3, results=tmp_path).stderr
    assert "did you mean greedy?" in said


def test_rules_that_are_none_are_refused_first(tongits, tmp_path):
    said = tongits("check", "greedy", "--rules", "tongits-heavy", code=2, results=tmp_path).stderr
    assert "--rules tongits-heavy" in said


def test_a_file_without_questions_is_named(tongits, tmp_path):
    file = tmp_path / "wrong.jsonl"
    file.write_text("what\n")
    said = tongits("check", "greedy", "--ask", str(file), code=3, results=tmp_path).stderr
    assert "wrong.jsonl:1: is no saved question" in said
