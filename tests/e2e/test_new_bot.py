"""From nothing to a checked bot with the command alone: new-bot, its tests, check, an edit."""

import json
import subprocess
import sys

import pytest

from tests.e2e.arena import NO_FOLDER

pytestmark = pytest.mark.process


def test_from_new_bot_to_a_passed_check_and_from_an_edit_to_its_cause(arena):
    arena.run("new-bot", "python", "mybot", results=NO_FOLDER)
    bot = arena.work / "mybot"
    subprocess.run(
        [sys.executable, "-m", "unittest", "-q"],
        cwd=bot, check=True, capture_output=True, timeout=60,
    )  # fmt: skip

    done = arena.run("check", "./mybot", "--quick", "--rules", "tongits-lite")
    assert "mybot: accepted in" in done.out
    assert "fail" not in done.out.lower()

    program = bot / "bot.py"
    program.write_text(program.read_text().replace("return view.legal[0]", "return view.legl[0]"))
    done = arena.run("check", "./mybot", "--only", "7", "--save", "wrong.jsonl", code=1)
    assert "AttributeError: 'View' object has no attribute 'legl'" in done.out
    assert 'stderr:   File "/bot/bot.py", line' in done.out
    saved = (arena.work / "wrong.jsonl").read_text().splitlines()
    assert {"id", "started", "request", "observation"} <= json.loads(saved[0]).keys()

    program.write_text(program.read_text().replace("view.legl", "view.legal"))
    done = arena.run("check", "./mybot", "--ask", "wrong.jsonl", "--only", "7")
    assert f"{len(saved)} observations of the file: all answered legally" in done.out
