"""What one seat may know of a game. The only place that hides cards of a state."""

from typing import Final, NamedTuple

from tongits_engine.actions import Action
from tongits_engine.cards import SEATS
from tongits_engine.hand_tables import hand_cards
from tongits_engine.legality import is_call_blocked, legal_actions
from tongits_engine.melds import deadwood
from tongits_engine.state import NEVER, NO_ANSWERS, Answer, Answers, Meld, Phase, State

_FLAGS: Final = tuple((bool(m & 1), bool(m & 2), bool(m & 4)) for m in range(8))
_NOT_BLOCKED: Final = _FLAGS[0]
_NEVER_BLOCKED: Final = (NEVER, NEVER, NEVER)
_RESPOND: Final = Phase.RESPOND
_OVER: Final = Phase.OVER


class Observation(NamedTuple):
    """A game as one seat sees it, complete in itself. Rule: R-INFO-1, R-INFO-2, R-INFO-3."""

    seat: int
    """The seat that looks."""
    phase: Phase
    to_act: int
    dealer: int
    turn: int
    hand: bytes
    """The seat's own cards, in card order."""
    hand_sizes: tuple[int, int, int]
    opened: tuple[bool, bool, bool]
    """By seat: owns a meld on the table."""
    stock_size: int
    discards: bytes
    """The whole pile, the top last."""
    melds: tuple[Meld, ...]
    """By number; another seat's concealed meld shows its owner and size, no cards."""
    blocked: tuple[bool, bool, bool]
    """By seat: its call at its next START is stopped (for the seat at START: now)."""
    caller: int
    """The seat that called Draw, else -1."""
    answers: Answers
    """By seat, as far as this seat may see them."""
    caller_points: int
    """The caller's deadwood where callers announce it, else -1."""
    legal: tuple[Action, ...]
    """What the seat may do now, in canonical order; empty if it is not to act."""


def observe(state: State, seat: int) -> Observation:
    """What a seat sees now."""
    phase = state.phase
    to_act = state.to_act
    hands = state.hands
    melds = state.melds
    for meld in melds:
        if meld.concealed and meld.owner != seat:
            melds = tuple([_as_seen(meld, seat) for meld in melds])
            break
    in_call = phase is _RESPOND or phase is _OVER
    return tuple.__new__(
        Observation,
        (
            seat,
            phase,
            to_act,
            state.dealer,
            state.turn,
            hand_cards(hands[seat]),
            (hands[0].bit_count(), hands[1].bit_count(), hands[2].bit_count()),
            _FLAGS[state.opened],
            len(state.deck) - state.drawn,
            state.discards,
            melds,
            _NOT_BLOCKED if state.blocks == _NEVER_BLOCKED else _blocked(state),
            state.caller,
            _answers(state, seat) if in_call else NO_ANSWERS,
            _caller_points(state) if in_call else -1,
            legal_actions(state) if seat == to_act else (),
        ),
    )


def _as_seen(meld: Meld, seat: int) -> Meld:
    """Melds that were shown before they were turned down stay known. Rule: R-EXP-4, R-INFO-2."""
    if not meld.concealed or meld.owner == seat:
        return meld
    return meld._replace(cards=b"", mask=0)


def _blocked(state: State) -> tuple[bool, bool, bool]:
    mask = 0
    for seat in range(SEATS):
        if is_call_blocked(state, seat):
            mask |= 1 << seat
    return _FLAGS[mask]


def _answers(state: State, seat: int) -> Answers:
    """Rule: R-CALL-7."""
    simultaneous = state.rules.draw_response_order == "simultaneous"
    if not simultaneous or state.phase is Phase.OVER:
        return state.answers
    seen = [
        answer if by == seat or answer is Answer.AUTO_FOLDED else Answer.NONE
        for by, answer in enumerate(state.answers)
    ]
    return seen[0], seen[1], seen[2]


def _caller_points(state: State) -> int:
    """Rule: R-CALL-14."""
    if state.caller < 0 or not state.rules.draw_caller_announces_points:
        return -1
    return deadwood(state.rules, state.hands[state.caller])
