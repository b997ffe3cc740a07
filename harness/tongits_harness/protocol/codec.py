"""Engine values to protocol messages and back: the only place that does it.

An Observation is a deterministic function of what its seat can see: it is hashed as sent, and
`verify` makes it again. Whatever differs from process to process (game id, decision id, time left)
is put around it by `bots.wire`.
"""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache

from tongits.v1 import table_pb2 as pb
from tongits_engine import (
    ACTIONS,
    PACK,
    SEATS,
    Action,
    Answer,
    Event,
    EventKind,
    GameResult,
    Observation,
    Rules,
    redact,
    rules_named,
)

from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.protocol.decisions import Chosen, Failed, Reply
from tongits_harness.protocol.wire import SMALL_VARINTS, delimited, number_tag, tag, varint

ENCODING = 1
"""Version of the bytes that `encode_started` and `encode_view` make of a game: stored with every
tournament, since its view digests are over them. Raise it with any change of those bytes."""
_ANSWER_KEPT = 2048
"""Characters of a refused answer kept as evidence."""
ONLOOKER = -1
"""A seat number that owns nothing."""
_LEGAL_TAG = tag(pb.Observation, "legal")
_EVENTS_TAG = tag(pb.Observation, "events")
_OVER_EVENTS_TAG = tag(pb.GameOver, "events")
_MELDS_TAG = tag(pb.Observation, "melds")
_TURN = number_tag(pb.Observation, "turn")
_EVENT_NUMBER = number_tag(pb.Event, "number")
# What stands before so many cards, and the whole field for so many.
_HAND = tuple(tag(pb.Observation, "hand") + varint(count) for count in range(PACK + 1))
_DISCARDS = tuple(tag(pb.Observation, "discards") + varint(count) for count in range(PACK + 1))
_STOCK = tuple(number_tag(pb.Observation, "stock_size") + varint(n) for n in range(PACK + 1))
# Packed fields with one small number for each seat: tag and length.
_HAND_SIZES = tag(pb.Observation, "hand_sizes") + varint(SEATS)
_OPENED = tag(pb.Observation, "opened") + varint(SEATS)
_CALL_BLOCKED = tag(pb.Observation, "call_blocked") + varint(SEATS)
_EVENT_KINDS = {
    EventKind.DREW: pb.EVENT_KIND_DREW,
    EventKind.TOOK: pb.EVENT_KIND_TOOK,
    EventKind.EXPOSED: pb.EVENT_KIND_EXPOSED,
    EventKind.CONCEALED: pb.EVENT_KIND_CONCEALED,
    EventKind.LAID_OFF: pb.EVENT_KIND_LAID_OFF,
    EventKind.DISCARDED: pb.EVENT_KIND_DISCARDED,
    EventKind.CALLED: pb.EVENT_KIND_CALLED,
    EventKind.CHALLENGED: pb.EVENT_KIND_CHALLENGED,
    EventKind.FOLDED: pb.EVENT_KIND_FOLDED,
    EventKind.AUTO_FOLDED: pb.EVENT_KIND_FOLDED,
}
"""What is told while a game lasts; its end is told by GameOver."""


def is_told(event: Event) -> bool:
    """Whether seats are told of the event as it happens."""
    return event.kind in _EVENT_KINDS


def action_message(action: Action) -> pb.Action:
    """The wire form of an action."""
    return pb.Action(kind=int(action.kind), cards=action.cards, meld=max(0, action.meld))  # type: ignore[arg-type]


_LEGAL_FIELDS = tuple(delimited(_LEGAL_TAG, action_message(a).SerializeToString()) for a in ACTIONS)
_ACTION_OF = {(int(a.kind), a.cards, max(0, a.meld)): a for a in ACTIONS}


def read_action(message: pb.Action) -> Action | None:
    """The action a bot spelled out (cards in any order), or None if there is no such action."""
    return _ACTION_OF.get((message.kind, bytes(sorted(message.cards)), message.meld))


@lru_cache(maxsize=4096)
def _event_parts(event: Event) -> tuple[bytes, bytes]:
    """An `events` field up to its number below 128, and after it: few exist, they come again."""
    body = _event_body(event)
    return _EVENTS_TAG + varint(len(_EVENT_NUMBER) + 1 + len(body)) + _EVENT_NUMBER, body


def _event_body(event: Event) -> bytes:
    """A serialised Event without its number."""
    message = pb.Event(kind=_EVENT_KINDS[event.kind], seat=event.seat, cards=event.cards)
    if event.meld > 0:
        message.meld = event.meld
    if event.points >= 0:
        message.points = event.points
    return message.SerializeToString()


def _event_field(number: int, event: Event) -> bytes:
    if number < SMALL_VARINTS:
        before, after = _event_parts(event)
        return before + varint(number) + after
    return delimited(_EVENTS_TAG, _EVENT_NUMBER + varint(number) + _event_body(event))


def encode_event(number: int, event: Event) -> tuple[bytes, bytes, bytes]:
    """An `events` field of Observation for each seat; alike where nothing is hidden."""
    public = redact(event, ONLOOKER)
    field = _event_field(number, public)
    if public is event:
        return field, field, field
    own = _event_field(number, event)
    fields = [own if seat == event.seat else field for seat in range(SEATS)]
    return fields[0], fields[1], fields[2]


@lru_cache(maxsize=256)
def _view_head(seat: int, phase: int, dealer: int) -> bytes:
    message = pb.Observation(seat=seat, phase=pb.Phase.Name(phase), dealer=dealer)
    return message.SerializeToString()


@lru_cache(maxsize=4096)
def _meld_field(owner: int, cards: bytes, face_down: bool, size: int) -> bytes:
    message = pb.Meld(owner=owner, cards=cards, face_down=face_down, size=size)
    return delimited(_MELDS_TAG, message.SerializeToString())


def _call_fields(view: Observation) -> bytes:
    message = pb.Observation(
        caller=view.caller,
        challengers=[s for s, answer in enumerate(view.answers) if answer is Answer.CHALLENGED],
    )
    if view.caller_points >= 0:
        message.caller_points = view.caller_points
    return message.SerializeToString()


def encode_view(view: Observation, events: Iterable[bytes], *, turned_down: bool) -> bytes:
    """A serialised Observation: what the seat sees, its legal actions, `events` fields as given.

    `turned_down`: every meld lies face down after it was shown (meld.face_down after_show). The
    fields are put together here and not by protobuf, which takes three times as long; a test
    compares the two.
    """
    fields = [
        _view_head(view.seat, view.phase, view.dealer),
        _TURN + varint(view.turn),
        _HAND[len(view.hand)] + view.hand,
        _HAND_SIZES + bytes(view.hand_sizes),
        _OPENED + bytes(view.opened),
        _CALL_BLOCKED + bytes(view.blocked),
        _STOCK[view.stock_size],
        _DISCARDS[len(view.discards)] + view.discards,
    ]
    for meld in view.melds:
        face_down = turned_down or meld.concealed
        fields.append(_meld_field(meld.owner, meld.cards, face_down, meld.size))
    if view.caller >= 0:
        fields.append(_call_fields(view))
    fields += [_LEGAL_FIELDS[action.code] for action in view.legal]
    fields += events
    return b"".join(fields)


@lru_cache(maxsize=64)
def _parameter_entries(rules: Rules) -> bytes:
    """Rule parameters that differ from tongits-lite, with their values as JSON text.

    A map has no order on the wire: entries are written in sorted order, one by one, so that the
    same rules give the same bytes on every machine.
    """
    usual = rules_named("tongits-lite").parameters()
    return b"".join(
        pb.GameStarted(parameters={name: json.dumps(value)}).SerializeToString()
        for name, value in sorted(rules.parameters().items())
        if value != usual[name]
    )


def encode_started(
    rules: Rules, *, seat: int, dealer: int, bot_seed: bytes, pot: int, streaks: Sequence[int]
) -> bytes:
    """A GameStarted without its game_id."""
    message = pb.GameStarted(
        rules=rules.name, seat=seat, dealer=dealer, bot_seed=bot_seed, pot=pot, streaks=streaks
    )
    return message.SerializeToString() + _parameter_entries(rules)


def encode_resumed(started: bytes, events: Sequence[bytes]) -> bytes:
    """The same GameStarted for a new process: marked resumed, with `events` fields as history."""
    history = pb.Observation.FromString(b"".join(events)).events
    return started + pb.GameStarted(resumed=True, history=history).SerializeToString()


def encode_over(result: GameResult) -> bytes:
    """A GameOver without its game_id and the events that a seat has not been told of yet."""
    message = pb.GameOver(
        termination=pb.Termination.Name(result.termination.value),
        payments=result.payments,
        hands=[hand or b"" for hand in result.shown_hands],
    )
    if result.winner is not None:
        message.winner = result.winner
    return message.SerializeToString()


def last_events(events: Iterable[bytes]) -> bytes:
    """`events` fields of an Observation as those of the GameOver: only the tag differs."""
    return b"".join([_OVER_EVENTS_TAG + field[len(_EVENTS_TAG) :] for field in events])


def encode_void() -> bytes:
    """A GameOver without its game_id, of a game that nobody plays on."""
    return pb.GameOver(termination=pb.TERMINATION_VOID, payments=(0, 0, 0)).SerializeToString()


def read_reply(
    decision: pb.Decision, legal: Sequence[Action], elapsed_us: int, request: bytes
) -> Reply:
    """A bot's answer as a legal choice, or as the fault it is."""
    kind = decision.WhichOneof("choice")
    if kind == "index":
        if decision.index < len(legal):
            return Chosen(legal[decision.index], elapsed_us, decision.note)
        return _refused(
            FaultKind.ILLEGAL_ACTION,
            f"index {decision.index} is outside the list of {len(legal)} legal actions",
            decision,
            elapsed_us,
            request,
        )
    if kind is None:
        reason = "the Decision holds neither an index nor an action"
        return _refused(FaultKind.BAD_MESSAGE, reason, decision, elapsed_us, request)
    action = read_action(decision.action)
    if action is not None and action in legal:
        return Chosen(action, elapsed_us, decision.note)
    if action is None:
        reason = f"there is no action of kind {decision.action.kind} with these cards"
    else:
        reason = f"'{action.text}' is not among the {len(legal)} legal actions"
    return _refused(FaultKind.ILLEGAL_ACTION, reason, decision, elapsed_us, request, action)


def _refused(
    kind: FaultKind,
    message: str,
    decision: pb.Decision,
    elapsed_us: int,
    request: bytes,
    action: Action | None = None,
) -> Failed:
    evidence = {"answer": str(decision)[:_ANSWER_KEPT]}
    if action is not None:
        evidence["action"] = action.text
    return Failed(
        Fault(kind, Blame.BOT, Phase.DECISION, message, evidence), elapsed_us, request=request
    )
