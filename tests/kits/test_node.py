"""The kit for JavaScript and TypeScript: its own tests and style, the corpus, a tournament."""

import json
import shutil

import pytest

from tests.kits import kit as kits
from tests.kits.kit import ROOT, SAMPLE_BOTS

LANGUAGE = "node"
pytestmark = pytest.mark.kits

FAILS_AT_THE_THIRD = """
import { serve } from "./tongits/index.js";
let asked = 0;
serve((view) => {
  if (++asked === 3) throw new Error("no idea");
  return view.legal[0];
});
"""
SLOW = """
import { serve } from "./tongits/index.js";
serve((view) => {
  for (const until = performance.now() + 50; performance.now() < until; );
  return view.legal[0];
});
"""
TYPESCRIPT = """
import { type Action, type View, isMain, serve } from "./tongits/index.js";

export function decide(view: View): Action {
  return view.rng.choice(view.legal);
}

if (isMain(import.meta.url)) serve(decide);
"""


@pytest.fixture(scope="module")
def node(kit):
    """The kit with all that its tools need."""
    kit.run("npm", "ci")
    return kit


def bot(node, name, source):
    (node.folder / name).write_text(source)
    return ["node", name]


def test_the_kit_passes_its_own_tests(node):
    printed = node.run("npm", "test")
    assert "fail 0" in printed


def test_types_habits_and_format_are_clean(node):
    node.run("npm", "run", "lint")


def test_the_messages_are_those_of_the_protocol(node):
    made = node.run("node", "tongits/generate.js", str(ROOT / "protos/tongits/v1/table.proto"))
    assert made == (node.folder / "tongits" / "table.js").read_text()


def test_greedy_answers_the_corpus_over_the_wire(node):
    kits.assert_plays_the_corpus(["node", "greedy.js"], node.folder)


def test_a_bot_started_by_hand_says_how_to_run_it(node):
    kits.assert_says_how_to_run(["node", "bot.js"], node.folder)


def test_a_refused_bot_says_why(node):
    kits.assert_explains_a_refusal(["node", "bot.js"], node.folder)


def test_what_was_decided_before_an_exception_is_sent(node):
    argv = bot(node, "fails.js", FAILS_AT_THE_THIRD)
    kits.assert_answers_before_a_crash_count(argv, node.folder, word="no idea")


def test_answers_leave_while_the_bot_thinks_on(node):
    kits.assert_answers_do_not_wait_for_slow_ones(bot(node, "slow.js", SLOW), node.folder)


def test_a_bot_in_typescript_builds_and_starts(node):
    bot(node, "typed.ts", TYPESCRIPT)
    node.run("npm", "exec", "--", "tsc", "--noEmit", "false", "--outDir", "dist")
    kits.assert_explains_a_refusal(["node", "dist/typed.js"], node.folder)
    shutil.rmtree(node.folder / "dist")


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
def test_greedy_ties_with_the_python_greedy_in_the_sandbox(kit, rules):
    greedy_node = SAMPLE_BOTS / "node" / "greedy.toml"
    for chips in kit.chips_of_a_tournament("greedy", greedy_node, "cautious", rules=rules):
        assert chips["greedy"] == chips["greedy-node"]


def test_the_lock_file_names_no_place_to_download_from():
    lock = json.loads((SAMPLE_BOTS / "node" / "package-lock.json").read_text())
    packages = [one for name, one in lock["packages"].items() if name]
    assert packages
    assert all("integrity" in one and "resolved" not in one for one in packages)
