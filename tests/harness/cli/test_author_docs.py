"""What authors are told holds: commands, options, limits, faults, links, the first bot."""

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Manifest
from tongits_harness.bots.output import HEAD_BYTES, TAIL_BYTES
from tongits_harness.cli import COMMANDS, main
from tongits_harness.cli.fault_text import CURES
from tongits_harness.faults import FaultKind
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.session import NOTE_LIMIT_BYTES
from tongits_harness.protocol.link import MESSAGE_LIMIT_BYTES, UNSOLICITED_LIMIT

BOTS = Path(__file__).parents[3] / "sample_bots"
PAGES = [BOTS / "README.md", BOTS.parent / "protos" / "PROTOCOL.md"]
README = PAGES[0].read_text()


def section(title):
    return re.split(r"^## ", README.split(f"## {title}\n", 1)[1], flags=re.MULTILINE)[0]


def rows(text):
    """First cell -> the other cells, of every row of a table."""
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line[:2] == "| "]
    return {first.strip("`"): " ".join(rest) for first, *rest in cells}


def commands(text):
    """Every `tongits ...` written down as a command line."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["tongits"]:
                yield words[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_line_is_understood(page):
    told = list(commands(page.read_text()))
    assert told or page.name != "README.md"
    for name, *words in told:
        command = COMMANDS[name].load()
        context = click.Context(command, info_name=name, resilient_parsing=True)
        command.parse_args(context, list(words))
        known = {option for p in command.params for option in (*p.opts, *p.secondary_opts)}
        assert {word for word in words if word.startswith("--")} <= known


def test_every_option_that_is_mentioned_is_one():
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README))
    of_others = {"--target-dir"}  # cargo's
    known = {o for name in COMMANDS for p in COMMANDS[name].load().params for o in p.opts}
    assert options - of_others <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.+)$", there.read_text(), re.MULTILINE)
            assert anchor in {title.lower().replace(" ", "-") for title in titles}, target


def test_every_kind_of_fault_has_its_meaning_and_cure():
    told = rows(section("Faults"))
    assert {kind.value for kind in FaultKind} == set(told) - {"class", "---"}
    assert set(CURES) == set(FaultKind)


def test_the_limits_are_those_of_the_code():
    told, play, process = rows(section("Limits")), PlayLimits(), Limits()
    expected = {
        "start, with the answers to the practice requests": f"{play.start_s:g} s",
        "one decision": f"{play.decision_s:g} s",
        "all decisions of a session": f"{play.bank_s:g} s",
        "illegal or late decisions in a session": f"{play.faults} forgiven",
        "a message": f"{MESSAGE_LIMIT_BYTES // 1024} KiB",
        "answers that nobody asked for": f"{UNSOLICITED_LIMIT}",
        "memory, its files in /tmp included": f"{process.memory_mib} MiB",
        "processes and threads": f"{process.processes}",
        "CPU": f"{process.cpu_cores:g} core",
        "open files": f"{process.open_files}",
        "one file, all of /tmp": f"{process.file_size_mib} MiB",
        "notes": f"{NOTE_LIMIT_BYTES // 1024} KiB",
    }
    assert process.file_size_mib == process.tmp_mib
    assert {k: v for k, v in expected.items() if not told[k].startswith(v)} == {}
    assert f"{HEAD_BYTES // 1024} KiB from the start" in told["prints"]
    assert f"{TAIL_BYTES // 1024} KiB from the end" in told["prints"]


def test_the_keys_of_a_manifest_are_all_told():
    text = section("What a bot is")
    for key in Manifest.model_fields:
        assert re.search(rf"^{key} |`{key}`", text, re.MULTILINE), key


@pytest.mark.process
def test_the_first_bot_of_the_page_plays(tmp_path):
    first, edit = re.findall(
        r"```python\n(.*?)```", section("A first bot in ten minutes"), re.DOTALL
    )
    definition = "def decide(view: View) -> Action:\n"
    assert definition in first
    folder = tmp_path / "mybot"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "mybot"\nversion = "1"\nlanguage = "python"\nrun = ["python3", "bot.py"]\n'
    )
    (folder / "bot.py").write_text(first.replace(definition, definition + edit))
    done = CliRunner().invoke(main, ["play", str(folder), "--seed", "7", "--quiet"])
    assert done.exit_code == 0, done.output
    assert "mybot" in done.output
