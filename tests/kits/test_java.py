"""The kit for Java: its own tests and warnings, the corpus, a tournament."""

import re

import pytest
from tongits.v1 import table_pb2 as pb2

from tests.kits import kit as kits
from tests.kits.kit import SAMPLE_BOTS

LANGUAGE = "java"
pytestmark = pytest.mark.kits
MESSAGES = SAMPLE_BOTS / "java/src/main/java/tongits/v1/TableOuterClass.java"

FAILS_AT_THE_THIRD = """
import tongits.Bot;

public final class FailsBot {
  private static int asked;

  private FailsBot() {}

  public static void main(String[] args) {
    Bot.serve(
        view -> {
          if (++asked == 3) {
            throw new IllegalStateException("no idea");
          }
          return view.legal.get(0);
        });
  }
}
"""
SLOW = """
import tongits.Bot;

public final class SlowBot {
  private SlowBot() {}

  public static void main(String[] args) {
    Bot.serve(
        view -> {
          Thread.sleep(50);
          return view.legal.get(0);
        });
  }
}
"""


@pytest.fixture(scope="module")
def printed(kit):
    """What Maven printed: it compiles without a warning, tests and packs."""
    sources = kit.folder / "src" / "main" / "java"
    (sources / "FailsBot.java").write_text(FAILS_AT_THE_THIRD)
    (sources / "SlowBot.java").write_text(SLOW)
    return kit.run("mvn", "-B", "--no-transfer-progress", "package")


@pytest.fixture(scope="module")
def started_by(kit, printed):
    """The command that starts a bot of the kit, by its class."""
    *options, _ = kit.manifest["run"]
    return lambda name: [*options, name]


def test_the_kit_passes_its_own_tests_without_a_warning(printed):
    assert re.search(r"Tests run: 1, Failures: 0, Errors: 0, .* GreedyBotTest", printed)
    assert "BUILD SUCCESS" in printed
    assert "WARNING" not in printed


def test_greedy_answers_the_corpus_over_the_wire(kit, started_by):
    kits.assert_plays_the_corpus(started_by("GreedyBot"), kit.folder)


def test_a_bot_started_by_hand_says_how_to_run_it(kit, started_by):
    kits.assert_says_how_to_run(started_by("StarterBot"), kit.folder)


def test_a_refused_bot_says_why(kit, started_by):
    kits.assert_explains_a_refusal(started_by("StarterBot"), kit.folder)


def test_what_was_decided_before_an_exception_is_sent(kit, started_by):
    kits.assert_answers_before_a_crash_count(started_by("FailsBot"), kit.folder, word="no idea")


def test_answers_leave_while_the_bot_thinks_on(kit, started_by):
    kits.assert_answers_do_not_wait_for_slow_ones(started_by("SlowBot"), kit.folder)


def test_the_classes_that_a_bot_loads_are_kept_for_a_quick_start(kit, started_by):
    told = kit.run(*started_by("GreedyBot")[:-1], "-version")
    assert "sharing" in told
    assert "warning" not in told


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
def test_greedy_ties_with_the_python_greedy_in_the_sandbox(kit, rules):
    folder = SAMPLE_BOTS / "java"
    bots = ("greedy", folder / "greedy.toml", folder / "bot.toml")
    for chips in kit.chips_of_a_tournament(*bots, rules=rules):
        assert chips["greedy"] == chips["greedy-java"]


def test_the_messages_are_those_of_the_protocol():
    made = re.split(
        r"^  public  static final class (\w+) extends", MESSAGES.read_text(), flags=re.MULTILINE
    )
    bodies = dict(zip(made[1::2], made[2::2], strict=True))
    assert {name: fields_in(body) for name, body in bodies.items()} == {
        name: {(field.name.upper(), field.number) for field in message.fields}
        for name, message in pb2.DESCRIPTOR.message_types_by_name.items()
    }


def fields_in(body):
    """Name and number of each field of one message's class."""
    found = re.findall(r"public static final int (\w+)_FIELD_NUMBER = (\d+);", body)
    return {(name, int(number)) for name, number in found}


def test_the_words_of_the_messages_are_those_of_the_protocol():
    found = re.findall(
        r"^    ([A-Z][A-Z_]*_[A-Z_]+)\((\d+)\),$", MESSAGES.read_text(), re.MULTILINE
    )
    enums = pb2.DESCRIPTOR.enum_types_by_name.values()
    expected = sorted((value.name, value.number) for enum in enums for value in enum.values)
    assert sorted((name, int(number)) for name, number in found) == expected
