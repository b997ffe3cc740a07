"""The kit for Go: its own tests and style, the corpus, a tournament."""

import base64

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from tongits.v1 import table_pb2 as pb2

from tests.kits import kit as kits
from tests.kits.kit import SAMPLE_BOTS

LANGUAGE = "go"
pytestmark = pytest.mark.kits

FAILS_AT_THE_THIRD = """\
package main

import "tongits-bot/tongits"

func main() {
	asked := 0
	tongits.Serve(func(view *tongits.View) tongits.Action {
		if asked++; asked == 3 {
			panic("no idea")
		}
		return view.Legal[0]
	})
}
"""
SLOW = """\
package main

import (
	"time"

	"tongits-bot/tongits"
)

func main() {
	tongits.Serve(func(view *tongits.View) tongits.Action {
		time.Sleep(50 * time.Millisecond)
		return view.Legal[0]
	})
}
"""
DESCRIBES = """\
package main

import (
	"encoding/base64"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"

	"tongits-bot/tongits/tablev1"
)

func main() {
	told, _ := proto.Marshal(protodesc.ToFileDescriptorProto(tablev1.File_tongits_v1_table_proto))
	fmt.Println(base64.StdEncoding.EncodeToString(told))
}
"""


@pytest.fixture(scope="module")
def go(kit):
    """The kit with its modules, and three more programs in it."""
    programs = {"fails": FAILS_AT_THE_THIRD, "slow": SLOW, "describes": DESCRIBES}
    for name, source in programs.items():
        (kit.folder / name).mkdir()
        (kit.folder / name / "main.go").write_text(source)
    kit.run(*kit.manifest["fetch"])
    return kit


@pytest.fixture(scope="module")
def built(go):
    """The folder of the programs."""
    go.run("go", "build", "-buildvcs=false", "-o", "bin/", "./...")
    return go.folder / "bin"


def test_the_kit_passes_its_own_tests(go):
    printed = go.run("go", "test", "-v", "./...")
    assert "--- PASS: TestAnswersAsGreedyDoesInEveryLanguage" in printed


def test_habits_and_format_are_clean(go):
    assert go.run("gofmt", "-l", ".") == ""
    go.run("go", "vet", "./...")
    go.run("go", "mod", "verify")
    go.run("go", "mod", "tidy", "-diff")


def test_greedy_answers_the_corpus_over_the_wire(go, built):
    kits.assert_plays_the_corpus([str(built / "greedy")], go.folder)


def test_a_bot_started_by_hand_says_how_to_run_it(go, built):
    kits.assert_says_how_to_run([str(built / "starter")], go.folder)


def test_a_refused_bot_says_why(go, built):
    kits.assert_explains_a_refusal([str(built / "starter")], go.folder)


def test_what_was_decided_before_a_panic_is_sent(go, built):
    argv = [str(built / "fails")]
    kits.assert_answers_before_a_crash_count(argv, go.folder, word="no idea")


def test_answers_leave_while_the_bot_thinks_on(go, built):
    kits.assert_answers_do_not_wait_for_slow_ones([str(built / "slow")], go.folder)


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
def test_greedy_ties_with_the_python_greedy_in_the_sandbox(kit, rules):
    folder = SAMPLE_BOTS / "go"
    bots = ("greedy", folder / "greedy.toml", folder / "bot.toml")
    for chips in kit.chips_of_a_tournament(*bots, rules=rules):
        assert chips["greedy"] == chips["greedy-go"]


def test_the_messages_are_those_of_the_protocol(go, built):
    told = FileDescriptorProto.FromString(base64.b64decode(go.run(str(built / "describes"))))
    expected = FileDescriptorProto()
    pb2.DESCRIPTOR.CopyToProto(expected)
    for file in (told, expected):
        file.ClearField("options")
        for message in file.message_type:
            for field in (*message.field, *(f for n in message.nested_type for f in n.field)):
                field.ClearField("json_name")
    assert told == expected
