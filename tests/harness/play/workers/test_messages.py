"""What a crew and its workers say to each other: every value comes back as it went."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_engine import rules_named
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.errors import ConfigError
from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.hall import HallSetup
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import sessions_of
from tongits_harness.play.workers.channel import whole_messages
from tongits_harness.play.workers.messages import (
    LENGTH_BYTES,
    Finished,
    Hold,
    Logged,
    MessageError,
    Open,
    Order,
    Play,
    Ready,
    from_bytes,
    to_bytes,
)
from tongits_harness.results.records import FaultRecord

from tests.e2e.arena import SAMPLES
from tests.harness.results.builders import match_plan, session

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def a_session():
    return session(sessions_of(match_plan(), 3)[0], {"ana": 3, "ben": -1, "cy": -2})


def there_and_back(message):
    return from_bytes(to_bytes(message)[LENGTH_BYTES:])


@given(
    message=st.text(),
    observation=st.binary(),
    evidence=st.dictionaries(st.text(), JSON, max_size=3),
)
def test_a_session_comes_back_as_it_went(message, observation, evidence):
    fault = Fault(FaultKind.CRASH, Blame.BOT, Phase.DECISION, message, evidence)
    record = replace(
        a_session(),
        faults=(FaultRecord(0, "ana", 0, 3, True, True, True, fault, observation),),
    )
    assert there_and_back(Finished(record)) == Finished(record)


def test_what_json_cannot_hold_is_put_as_the_database_would_have_it():
    evidence = {"raw": b"\x00\xff", "half": "\ud800"}
    fault = Fault(FaultKind.BAD_MESSAGE, Blame.BOT, Phase.IDLE, "half \udc80", evidence)
    record = replace(
        a_session(),
        faults=(FaultRecord(0, "ana", 0, 0, True, False, False, fault),),
    )
    back = there_and_back(Finished(record)).record.faults[0].fault
    assert back.message == "half ?"
    assert back.evidence == {"raw": "00ff", "half": "?"}


def test_halves_of_characters_are_lost_wherever_a_bot_can_say_them():
    fault = Fault(FaultKind.CRASH, Blame.BOT, Phase.START, "\udc80", {"stderr": "é\udc80"})
    clean = replace(fault, message="?", evidence={"stderr": "é?"})
    assert there_and_back(Ready({"one": fault}, {})) == Ready({"one": clean}, {})
    assert there_and_back(Logged("info", "x", {"a": "\ud800"})) == Logged("info", "x", {"a": "?"})


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong", "sa-tong-literal"])
def test_a_hall_is_set_up_as_it_was_ordered(rules):
    bots = {"one": load_bot(SAMPLES / "random"), "two": load_bot(SAMPLES / "greedy")}
    setup = HallSetup(
        bots, rules_named(rules), 2, PlayLimits(decision_s=0.5), Limits(memory_mib=64), 8, 12, 1, 4
    )
    back = there_and_back(Open(Order.of(setup, "full"), ("two",)))
    assert back.start == ("two",)
    made = back.order.setup()
    assert made == replace(setup, bots=made.bots)
    assert {name: bot.digest for name, bot in made.bots.items()} == {
        name: bot.digest for name, bot in bots.items()
    }


def test_a_bot_that_has_changed_since_is_refused():
    bot = replace(load_bot(SAMPLES / "random"), digest="0" * 64)
    setup = HallSetup(
        {"one": bot}, rules_named("tongits-lite"), 2, PlayLimits(), Limits(), 8, 12, 1, 4
    )
    with pytest.raises(ConfigError, match="000000000000 was seated"):
        Order.of(setup, "full").setup()


@given(cut=st.integers(1, 40))
def test_messages_come_whole_however_the_bytes_are_cut(cut):
    sent = [Hold(), Play((a_session().plan,)), Hold()]
    stream = b"".join(map(to_bytes, sent))
    buffer, got = bytearray(), []
    for start in range(0, len(stream), cut):
        buffer += stream[start : start + cut]
        got += whole_messages(buffer)
    assert got == sent


@pytest.mark.parametrize("body", [b"", b"[]", b'{"kind": "nothing"}', b"\xff", b'{"kind": "play"}'])
def test_bytes_that_are_no_message_are_refused(body):
    with pytest.raises(MessageError):
        from_bytes(body)


def test_a_length_beyond_reason_is_refused():
    with pytest.raises(MessageError, match="is the most"):
        whole_messages(bytearray(b"\xff\xff\xff\xff"))
