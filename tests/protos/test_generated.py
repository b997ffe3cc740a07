"""The protocol's file, the code generated from it and the engine's numbers agree."""

import re
import runpy
import tomllib
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import pytest
import tongits_engine as engine
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FieldDescriptor as Field
from grpc_tools import protoc
from tongits.v1 import table_pb2 as pb
from tongits_harness.protocol import codec

ROOT = Path(__file__).parents[2]
PROTOS = ROOT / "protos"
SOURCE = "tongits/v1/table.proto"
PINNED = next(
    line.removeprefix("grpcio-tools==")
    for line in tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["dev"]
    if isinstance(line, str) and line.startswith("grpcio-tools==")
)
GENERATED = ("table_pb2.py", "table_pb2.pyi", "table_pb2_grpc.py", "table_pb2_grpc.pyi")
MESSAGE, ENUM, SERVICE = 4, 5, 6  # field numbers of FileDescriptorProto, used in paths
INNER_FIELD, INNER_METHOD = 2, 2
PLAIN_FIELDS = {  # the name, read with the message's, leaves nothing to say
    "Decisions.decisions",
    "DecisionRequest.decision_id",
    "Observation.phase",
    "Action.kind",
    "Event.kind",
    "Event.cards",
    "GameOver.game_id",
    "GameOver.termination",
}


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """The file's descriptor with its comments."""
    out = tmp_path_factory.mktemp("described") / "set.pb"
    arguments = ["protoc", f"--proto_path={PROTOS}", "--include_source_info"]
    assert protoc.main([*arguments, f"--descriptor_set_out={out}", SOURCE]) == 0
    (file,) = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    return file


@pytest.fixture(scope="module")
def comments(described):
    """Path within the descriptor -> the comment above or behind it."""
    return {
        tuple(place.path): (place.leading_comments + place.trailing_comments).strip()
        for place in described.source_code_info.location
    }


def test_the_committed_code_is_what_the_generator_makes(tmp_path):
    if version("grpcio-tools") != PINNED:
        pytest.skip(f"grpcio-tools {version('grpcio-tools')} is installed, {PINNED} is pinned")
    runpy.run_path(str(PROTOS / "generate.py"))["generate"](tmp_path)
    made = {path.name for path in (tmp_path / "tongits/v1").iterdir()}
    assert made == set(GENERATED)
    for name in GENERATED:
        fresh, committed = (base / "tongits/v1" / name for base in (tmp_path, PROTOS))
        assert fresh.read_text() == committed.read_text(), f"{name}: run protos/generate.py"


def test_every_message_enum_service_and_method_is_explained(described, comments):
    places = {(SERVICE, 0, INNER_METHOD, 0): "Table.Play"}
    kinds = ((MESSAGE, described.message_type), (ENUM, described.enum_type))
    for kind, items in (*kinds, (SERVICE, described.service)):
        places.update({(kind, number): item.name for number, item in enumerate(items)})
    assert [name for path, name in places.items() if not comments.get(path)] == []


def test_every_field_is_explained_but_those_whose_name_says_it(described, comments):
    bare = {
        f"{message.name}.{field.name}"
        for number, message in enumerate(described.message_type)
        for position, field in enumerate(message.field)
        if not comments.get((MESSAGE, number, INNER_FIELD, position))
        and not message.options.map_entry
    }
    assert bare <= PLAIN_FIELDS, f"no comment on {sorted(bare - PLAIN_FIELDS)}"


@pytest.mark.parametrize("name", ["Phase", "ActionKind", "EventKind", "Termination"])
def test_the_first_value_of_an_enum_means_that_nothing_was_set(described, name):
    (enum,) = (item for item in described.enum_type if item.name == name)
    prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
    assert (enum.value[0].name, enum.value[0].number) == (f"{prefix}_UNSPECIFIED", 0)
    assert all(value.name.startswith(f"{prefix}_") for value in enum.value)


def test_no_field_name_or_number_is_used_twice(described):
    for message in described.message_type:
        for values in ([f.number for f in message.field], [f.name for f in message.field]):
            assert max(Counter(values).values(), default=1) == 1, message.name


@pytest.mark.parametrize(
    ("messages", "ours", "prefix", "left_out"),
    [
        (pb.Phase, engine.Phase, "PHASE_", {"OVER"}),
        (pb.ActionKind, engine.ActionKind, "ACTION_KIND_", set()),
        (pb.Termination, engine.Termination, "TERMINATION_", {"NONE"}),
    ],
)
def test_the_numbers_of_the_protocol_are_the_engines(messages, ours, prefix, left_out):
    theirs = {name.removeprefix(prefix): number for name, number in messages.items() if number}
    assert theirs == {item.name: int(item) for item in ours if item.name not in left_out}


def test_every_event_that_is_told_has_a_kind_of_the_same_name():
    untold = {engine.EventKind.ENDED, engine.EventKind.REVEALED}
    for kind in engine.EventKind:
        event = engine.Event(kind, 0)
        assert codec.is_told(event) == (kind not in untold)
        if kind not in untold:
            field = pb.Observation.FromString(codec.encode_event(0, event)[0]).events[0]
            name = pb.EventKind.Name(field.kind).removeprefix("EVENT_KIND_")
            assert name == kind.name.removeprefix("AUTO_")


def test_an_action_has_the_same_number_and_cards_on_the_wire():
    for action in engine.ACTIONS:
        message = codec.action_message(action)
        assert message.kind == int(action.kind)
        assert message.cards == action.cards
        assert codec.read_action(message) is action


def test_cards_travel_as_bytes_and_chips_with_their_sign():
    fields = pb.DESCRIPTOR.message_types_by_name
    cards = [("Observation", "hand"), ("Observation", "discards"), ("Action", "cards")]
    for message, field in [*cards, ("Meld", "cards"), ("Event", "cards"), ("GameOver", "hands")]:
        assert fields[message].fields_by_name[field].type == Field.TYPE_BYTES
    assert fields["GameOver"].fields_by_name["payments"].type == Field.TYPE_SINT32
