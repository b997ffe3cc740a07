"""The kit for Rust and the bot montecarlo: their own tests and style, the corpus, tournaments.

All that cargo makes here lies in one target folder; the sandbox's build makes its own.
"""

import re
import shutil
from pathlib import Path

import pytest
from google.protobuf.descriptor import FieldDescriptor
from tongits.v1 import table_pb2 as pb2

from tests.kits import kit as kits
from tests.kits.kit import SAMPLE_BOTS

LANGUAGE = "rust"
pytestmark = pytest.mark.kits

FAILS_AT_THE_THIRD = """
use std::cell::Cell;
thread_local!(static ASKED: Cell<u32> = const { Cell::new(0) });
fn main() -> std::process::ExitCode {
    tongits::serve(|view| {
        ASKED.set(ASKED.get() + 1);
        assert!(ASKED.get() < 3, "no idea");
        view.legal[0].clone()
    })
}
"""
SLOW = """
fn main() -> std::process::ExitCode {
    tongits::serve(|view| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        view.legal[0].clone()
    })
}
"""
TYPES = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_ENUM: "enumeration",
    FieldDescriptor.TYPE_MESSAGE: "message",
    FieldDescriptor.TYPE_SINT32: "sint32",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT32: "uint32",
    FieldDescriptor.TYPE_UINT64: "uint64",
}


QUICK = {"CARGO_INCREMENTAL": "0", "CARGO_PROFILE_DEV_DEBUG": "0"}
"""What is compiled once needs nothing kept for the next time, nor for a debugger."""


@pytest.fixture(scope="module")
def rust(kit):
    """The kit with its crates, in the versions that are pinned, and with montecarlo."""
    below = Path("src", "bin", "montecarlo")
    shutil.copytree(kit.source / below, kit.folder / below)
    kit.run("sh", "pins.sh", "fetch")
    examples = kit.folder / "examples"
    examples.mkdir()
    (examples / "fails.rs").write_text(FAILS_AT_THE_THIRD.lstrip())
    (examples / "slow.rs").write_text(SLOW.lstrip())
    return kit


@pytest.fixture(scope="module")
def built(rust):
    """The folder of the programs, not optimised."""
    rust.run("cargo", "build", "--offline", "--locked", "--bins", "--examples", env=QUICK)
    return rust.folder / "target" / "debug"


def test_the_kit_passes_its_own_tests(rust, built):
    printed = rust.run("cargo", "test", "--offline", "--locked", "--workspace", env=QUICK)
    assert "as_in_all_other_languages ... ok" in printed
    assert "what_is_paid_is_as_in_the_engine ... ok" in printed


def test_habits_and_format_are_clean(rust):
    rust.run("cargo", "fmt", "--check", "--package", "tongits-bot", "--package", "tongits")
    which = ("--workspace", "--bins", "--lib", "--tests")
    rust.run("cargo", "clippy", "--offline", "--locked", *which, "--", "-D", "warnings", env=QUICK)


def test_greedy_answers_the_corpus_over_the_wire(rust, built):
    kits.assert_plays_the_corpus([str(built / "greedy")], rust.folder)


def test_a_bot_started_by_hand_says_how_to_run_it(rust, built):
    kits.assert_says_how_to_run([str(built / "bot")], rust.folder)


def test_a_refused_bot_says_why(rust, built):
    kits.assert_explains_a_refusal([str(built / "bot")], rust.folder)


def test_what_was_decided_before_a_panic_is_sent(rust, built):
    argv = [str(built / "examples" / "fails")]
    kits.assert_answers_before_a_crash_count(argv, rust.folder, word="no idea")


def test_answers_leave_while_the_bot_thinks_on(rust, built):
    argv = [str(built / "examples" / "slow")]
    kits.assert_answers_do_not_wait_for_slow_ones(argv, rust.folder)


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
def test_greedy_ties_with_the_python_greedy_in_the_sandbox(kit, rules):
    greedy_rust = SAMPLE_BOTS / "rust" / "greedy.toml"
    for chips in kit.chips_of_a_tournament("greedy", greedy_rust, "cautious", rules=rules):
        assert chips["greedy"] == chips["greedy-rust"]


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
def test_montecarlo_plays_in_the_sandbox(kit, rules):
    fast = SAMPLE_BOTS / "rust" / "montecarlo-fast.toml"
    bots = ("cautious", fast, "caller")
    assert kit.chips_of_a_tournament(*bots, rules=rules, name="montecarlo")


def test_the_messages_are_those_of_the_protocol():
    made = (SAMPLE_BOTS / "rust" / "tongits" / "src" / "table.rs").read_text()
    messages = pb2.DESCRIPTOR.message_types_by_name
    assert {name: fields_of(body) for name, body in structs_in(made)} == {
        name: fields(message) for name, message in messages.items()
    }


def test_the_words_of_the_messages_are_those_of_the_protocol():
    made = (SAMPLE_BOTS / "rust" / "tongits" / "src" / "table.rs").read_text()
    numbers = re.findall(r"^    (\w+) = (\d+),$", made, re.MULTILINE)
    words = re.findall(r'^            Self::(\w+) => "(\w+)",$', made, re.MULTILINE)
    assert [name for name, _ in numbers] == [name for name, _ in words]
    found = [(word, int(number)) for (_, word), (_, number) in zip(words, numbers, strict=True)]
    enums = pb2.DESCRIPTOR.enum_types_by_name.values()
    assert sorted(found) == sorted((one.name, one.number) for enum in enums for one in enum.values)


def structs_in(made):
    """The Rust messages and what is said of their fields; a oneof's fields are those of an enum."""
    choices = dict(re.findall(r"pub enum (\w+) \{\n(        .*?)\n    \}", made, re.DOTALL))
    for name, body in re.findall(r"^pub struct (\w+) \{\n(.*?)^\}", made, re.DOTALL | re.MULTILINE):
        oneof = re.search(r'oneof = "(?:\w+::)?(\w+)"', body)
        yield name, body + (choices[oneof[1]] if oneof else "")


def fields_of(body):
    """Number, kind of every field."""
    said = re.findall(r"#\[prost\(([a-z0-9]+)[^\]]*?tag = \"(\d+)\"", body)
    return {int(number): kind for kind, number in said}


def fields(message):
    return {field.number: "map" if is_map(field) else TYPES[field.type] for field in message.fields}


def is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def test_the_pins_name_no_place_to_download_from():
    pins = (SAMPLE_BOTS / "rust" / "Cargo.pins").read_text()
    others = pins.count('name = "') - 2  # all but the bot and the SDK
    assert pins.count('checksum = "') == others > 0
    assert "source" not in pins
