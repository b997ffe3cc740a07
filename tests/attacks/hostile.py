"""Messages that no honest bot sends, as hypothesis strategies."""

from hypothesis import strategies as st
from tongits.v1 import table_pb2 as pb

_EDGES_32 = st.sampled_from([0, 1, 2, 3, 51, 52, 255, 2**31 - 1, 2**31, 2**32 - 1])
_EDGES_64 = st.sampled_from([0, 1, 2, 3, 4, 5, 2**31, 2**32, 2**63, 2**64 - 1])
NUMBERS = _EDGES_32 | st.integers(0, 2**32 - 1)
IDS = st.integers(0, 8) | _EDGES_64 | st.integers(0, 2**64 - 1)
KINDS = st.integers(-1, 11) | st.sampled_from([-(2**31), 99, 2**31 - 1])
CARDS = (
    st.binary(max_size=14)
    | st.sampled_from([b"\xff", b"\x00\x00", bytes(range(52)), bytes(255), b"\x34" * 3])
    | st.lists(st.integers(0, 51), max_size=5).map(bytes)
)
NOTES = st.sampled_from(
    ["", "why", "\x00", "\x1b[2J\n", "\u202e\u2028\ufeff", "=1+1", "x" * 16_384, "\u20ac" * 16_000]
)

ACTIONS = st.builds(pb.Action, kind=KINDS, cards=CARDS, meld=NUMBERS)


@st.composite
def decisions(draw) -> pb.Decision:
    """An answer with any choice, with both set in turn (the last one counts), or with none."""
    decision = pb.Decision(decision_id=draw(IDS), note=draw(NOTES))
    for choice in draw(st.lists(st.sampled_from(["index", "action"]), max_size=2)):
        if choice == "index":
            decision.index = draw(NUMBERS)
        else:
            decision.action.CopyFrom(draw(ACTIONS))
    return decision


HELLOS = st.builds(
    pb.Hello,
    protocol_version=NUMBERS,
    token=st.sampled_from(["word-of-the-test", "", "x" * 60_000]) | NOTES,
    concurrent_games=NUMBERS,
    sdk=NOTES,
)
MESSAGES = st.one_of(
    st.builds(pb.BotMessage),
    HELLOS.map(lambda hello: pb.BotMessage(hello=hello)),
    st.lists(decisions(), max_size=6).map(
        lambda some: pb.BotMessage(decisions=pb.Decisions(decisions=some))
    ),
)


@st.composite
def damaged(draw) -> bytes:
    """A message in which some bytes were changed, doubled or cut off."""
    raw = bytearray(draw(MESSAGES).SerializeToString()[:2000])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(raw)))
        match draw(st.sampled_from(["change", "insert", "cut"])):
            case "change" if at < len(raw):
                raw[at] = draw(st.integers(0, 255))
            case "insert":
                raw[at:at] = draw(st.binary(min_size=1, max_size=6))
            case _:
                del raw[at : at + draw(st.integers(1, 5))]
    return bytes(raw)


BYTES = st.binary(max_size=200) | damaged()
