"""The kit for C++: its own tests and warnings, the corpus, a tournament."""

import pytest

from tests.kits import kit as kits
from tests.kits.kit import ROOT, SAMPLE_BOTS

LANGUAGE = "cpp"
pytestmark = pytest.mark.kits

FAILS_AT_THE_THIRD = """
#include <stdexcept>
#include "tongits/tongits.h"
tongits::Action decide(tongits::View& view) {
  static int asked = 0;
  if (++asked == 3) throw std::runtime_error("no idea");
  return view.seen.legal(0);
}
"""
SLOW = """
#include <chrono>
#include <thread>
#include "tongits/tongits.h"
tongits::Action decide(tongits::View& view) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return view.seen.legal(0);
}
"""
NOTES = """
#include "tongits/tongits.h"
tongits::Action decide(tongits::View& view) {
  for (int i = 0; i < 1500; ++i) view.note += "\\u2665";  // 4500 bytes
  return view.seen.legal(0);
}
"""


@pytest.fixture(scope="module")
def built(kit):
    """The folder of the programs, not optimised, of the bots and of their tests."""
    for name, source in (("fails", FAILS_AT_THE_THIRD), ("slow", SLOW), ("notes", NOTES)):
        (kit.folder / f"{name}.cpp").write_text(source)
    bots = "-DBOTS=starter;greedy;fails;slow;notes"
    said = kit.run("cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug", bots)
    assert "GoogleTest is missing" not in said, "the tests need it: apt-get install libgtest-dev"
    printed = kit.run("cmake", "--build", "build", "-j2")
    assert "warning" not in printed
    return kit.folder / "build"


def test_the_kit_passes_its_own_tests(kit, built):
    printed = kit.run("ctest", "--test-dir", "build", "--output-on-failure")
    assert "Greedy.AnswersTheWholeCorpusAsInEveryLanguage" in printed
    assert "100% tests passed" in printed


def test_greedy_answers_the_corpus_over_the_wire(kit, built):
    kits.assert_plays_the_corpus([str(built / "greedy")], kit.folder)


def test_a_bot_started_by_hand_says_how_to_run_it(kit, built):
    kits.assert_says_how_to_run([str(built / "starter")], kit.folder)


def test_a_refused_bot_says_why(kit, built):
    kits.assert_explains_a_refusal([str(built / "starter")], kit.folder)


def test_what_was_decided_before_an_exception_is_sent(kit, built):
    argv = [str(built / "fails")]
    kits.assert_answers_before_a_crash_count(argv, kit.folder, word="no idea")


def test_answers_leave_while_the_bot_thinks_on(kit, built):
    kits.assert_answers_do_not_wait_for_slow_ones([str(built / "slow")], kit.folder)


def test_a_long_note_is_cut_between_two_characters(kit, built):
    asked = [one.request for one in kits.questions()][:6]
    argv = [str(built / "notes")]
    with (
        kits.ScriptedTable() as table,
        kits.start_bot(argv, table.address, cwd=kit.folder) as process,
    ):
        table.welcome()
        table.send(kits.pb2.TableMessage(requests=asked))
        notes = [answer.note for answer in table.answers(len(asked))]
        table.end()
        process.communicate(timeout=kits.LIMIT_S)
    assert notes == ["♥" * 666] * len(asked)


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
def test_greedy_ties_with_the_python_greedy_in_the_sandbox(kit, rules):
    greedy_cpp = SAMPLE_BOTS / "cpp" / "greedy.toml"
    for chips in kit.chips_of_a_tournament("greedy", greedy_cpp, "cautious", rules=rules):
        assert chips["greedy"] == chips["greedy-cpp"]


def test_the_protocol_is_the_one_in_protos():
    name = "tongits/v1/table.proto"
    ours = (SAMPLE_BOTS / "cpp" / "proto" / name).read_bytes()
    assert ours == (ROOT / "protos" / name).read_bytes()
