"""Messages put together from serialised parts are the messages protobuf would have made."""

from hypothesis import given
from hypothesis import strategies as st
from tongits.v1 import table_pb2 as pb
from tongits_harness.protocol import wire

from tests.harness.protocol.random_play import bounded

U32 = st.integers(0, 2**32 - 1)
U64 = st.integers(0, 2**64 - 1)
GAME_IDS = st.text("0123456789abcdef", min_size=1, max_size=200)
VIEWS = st.builds(
    pb.Observation,
    seat=st.integers(0, 2),
    turn=U32,
    hand=st.binary(max_size=13),
    discards=st.binary(max_size=40),
    events=st.lists(st.builds(pb.Event, number=U32, cards=st.binary(max_size=5)), max_size=30),
)
STARTED = st.builds(
    pb.GameStarted,
    rules=st.text(max_size=40),
    parameters=st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=4),
    bot_seed=st.binary(max_size=8),
    streaks=st.lists(U32, max_size=3),
)
OVER = st.builds(
    pb.GameOver,
    winner=st.none() | st.integers(0, 2),
    payments=st.lists(st.integers(-(2**31), 2**31 - 1), max_size=3),
)
REQUESTS = st.tuples(st.integers(1, 2**64 - 1), GAME_IDS, st.integers(1, 2**64 - 1), VIEWS)


def serialised(message):
    return message.SerializeToString(deterministic=True)


@bounded(60)
@given(U64)
def test_a_number_is_written_as_protobuf_writes_it(number):
    field = pb.DecisionRequest(decision_id=number).SerializeToString()
    assert field == (b"\x08" + wire.varint(number) if number else b"")


@bounded(60)
@given(st.binary(max_size=300))
def test_a_delimited_field_is_written_as_protobuf_writes_it(body):
    written = wire.delimited(wire.tag(pb.Action, "cards"), body)
    assert pb.Action.FromString(written).cards == body


def test_a_tag_is_one_or_two_bytes_as_its_number_asks():
    assert wire.tag(pb.Observation, "legal") == b"\x7a"
    assert wire.tag(pb.Observation, "events") == b"\x82\x01"


@bounded(25)
@given(REQUESTS)
def test_a_request_is_the_message_it_stands_for(request_parts):
    number, game_id, time_left, view = request_parts
    written = wire.decision_request(number, game_id.encode(), time_left, serialised(view))
    expected = pb.DecisionRequest(
        decision_id=number, game_id=game_id, time_left_us=time_left, observation=view
    )
    assert pb.DecisionRequest.FromString(written) == expected
    assert written == serialised(expected)


@bounded(20)
@given(
    st.lists(st.tuples(GAME_IDS, STARTED), max_size=4),
    st.lists(REQUESTS, max_size=4),
    st.lists(st.tuples(GAME_IDS, OVER), max_size=4),
)
def test_a_batch_of_fields_in_any_mixture_is_one_table_message(started, requests, over):
    fields = [wire.game_started(i.encode(), serialised(body)) for i, body in started]
    fields += [wire.game_over(i.encode(), serialised(body)) for i, body in over]
    fields += [
        wire.request_field(wire.decision_request(n, i.encode(), t, serialised(view)))
        for n, i, t, view in requests
    ]
    expected = pb.TableMessage()
    for game_id, body in started:
        expected.started.add().CopyFrom(body)
        expected.started[-1].game_id = game_id
    for game_id, body in over:
        expected.over.add().CopyFrom(body)
        expected.over[-1].game_id = game_id
    for number, game_id, time_left, view in requests:
        expected.requests.add(
            decision_id=number, game_id=game_id, time_left_us=time_left, observation=view
        )
    assert pb.TableMessage.FromString(b"".join(fields)) == expected
