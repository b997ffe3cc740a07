"""What each action of a turn does to a state. Trusts that it is legal, but for ``apply``.

What a call of Draw leads to is in ``showdown``, the end of a game in ``ending``.
"""

from collections.abc import Callable
from typing import Final

from tongits_engine.actions import ACTIONS, Action, ActionKind
from tongits_engine.blocks import after_layoff, after_long_meld, after_taken_discard
from tongits_engine.cards import SEATS
from tongits_engine.ending import end, end_at_stock, is_out
from tongits_engine.errors import IllegalActionError
from tongits_engine.events import DISCARDED, DREW, Event, EventKind
from tongits_engine.hand_tables import hand_cards
from tongits_engine.meld_shapes import MeldKind
from tongits_engine.reasons import why_illegal
from tongits_engine.rules import Rules
from tongits_engine.showdown import answer, call
from tongits_engine.state import (
    LaidOff,
    Meld,
    Phase,
    State,
    Step,
    Termination,
    copied,
    with_number,
)

_new: Final = tuple.__new__
_NEXT: Final = (1, 2, 0)
_START: Final = Phase.START
_ACTION: Final = Phase.ACTION
_TONGITS: Final = Termination.TONGITS
_TOOK: Final = EventKind.TOOK
_EXPOSED: Final = EventKind.EXPOSED
_CONCEALED: Final = EventKind.CONCEALED
_LAID_OFF: Final = EventKind.LAID_OFF


def apply(state: State, action: Action) -> Step:
    """The next state and what happened.

    Raises:
        IllegalActionError: the action is not legal; the message names the rule.
    """
    illegal = why_illegal(state, action)
    if illegal is not None:
        raise IllegalActionError(f"{action.text}: {illegal.reason} ({illegal.rule})")
    return _PLAY[action.code](state, action)


def apply_legal(state: State, action: Action) -> Step:
    """``apply`` for an action taken from ``legal_actions(state)``: nothing is checked."""
    return _PLAY[action.code](state, action)


def _draw(state: State, _action: Action) -> Step:
    """Rule: R-TURN-3, R-END-3."""
    deck, drawn = state.deck, state.drawn
    if drawn == len(deck):
        return end_at_stock(copied(state), ())
    card = deck[drawn]
    seat = state.to_act
    hand = state.hands[seat] | 1 << card
    after = copied(state)
    after.phase = _ACTION
    after.hands = with_number(state.hands, seat, hand)
    after.drawn = drawn + 1
    after.last_drawer = seat
    events = DREW[seat][card]
    if state.rules.tongits_trigger == "all_grouped" and is_out(state.rules, hand):
        return end(after, _TONGITS, events)
    return _new(Step, (after, events))


def _discard(state: State, action: Action) -> Step:
    """Rule: R-DISC-1, R-TURN-1."""
    seat = state.to_act
    cards = action.cards
    hand = state.hands[seat] ^ action.mask
    after = copied(state)
    after.hands = with_number(state.hands, seat, hand)
    after.discards = state.discards + cards
    return _end_turn(after, hand, DISCARDED[seat][cards[0]])


def _end_turn(after: State, hand: int, events: tuple[Event, ...]) -> Step:
    """The next seat's turn, unless the one that ends was the last.

    Where it was, the seat and the turn index stay those of that turn.

    Rule: R-TURN-1, R-END-1, R-END-2, R-END-3.
    """
    rules = after.rules
    after.melds_this_turn = 0
    if not hand or (rules.tongits_trigger == "all_grouped" and is_out(rules, hand)):
        return end(after, _TONGITS, events)
    if after.drawn == len(after.deck) and rules.end_stock_moment == "after_discard":
        return end_at_stock(after, events)
    after.phase = _START
    after.to_act = _NEXT[after.to_act]
    after.turn += 1
    return _new(Step, (after, events))


def _take(state: State, action: Action) -> Step:
    """Rule: R-TAKE-1, R-TAKE-2, R-TAKE-5, R-CALL-6."""
    rules, seat = state.rules, state.to_act
    hand = state.hands[seat] & ~action.mask
    after = _with_meld(state, action, hand, concealed=False, taken=True)
    after.discards = state.discards[:-1]
    if rules.draw_block_discard_taken:
        after.blocks = after_taken_discard(after.blocks, (seat - 1) % SEATS, state.turn)
    events = (_new(Event, (_TOOK, seat, action.cards, len(state.melds), -1)),)
    if rules.pickup_discard_after:
        return _go_on(after, hand, events)
    return _end_turn(after, hand, events)


def _expose(state: State, action: Action) -> Step:
    """Rule: R-EXP-1, R-EXP-5."""
    hand = state.hands[state.to_act] ^ action.mask
    after = _with_meld(state, action, hand, concealed=False, taken=False)
    after.melds_this_turn = state.melds_this_turn + 1
    events = (_new(Event, (_EXPOSED, state.to_act, action.cards, len(state.melds), -1)),)
    return _go_on(after, hand, events)


def _conceal(state: State, action: Action) -> Step:
    """Rule: R-EXP-3, R-EXP-5."""
    hand = state.hands[state.to_act] ^ action.mask
    after = _with_meld(state, action, hand, concealed=True, taken=False)
    after.melds_this_turn = state.melds_this_turn + 1
    events = (_new(Event, (_CONCEALED, state.to_act, action.cards, len(state.melds), -1)),)
    return _go_on(after, hand, events)


def _with_meld(state: State, action: Action, hand: int, *, concealed: bool, taken: bool) -> State:
    """The state with a new meld on the table and what is left of the hand."""
    seat = state.to_act
    after = copied(state)
    after.phase = _ACTION
    after.hands = with_number(state.hands, seat, hand)
    after.melds = (*state.melds, _meld(state, action, concealed=concealed, taken=taken))
    after.opened = state.opened | 1 << seat
    after.blocks = after_long_meld(state, action)
    return after


def _meld(state: State, action: Action, *, concealed: bool, taken: bool) -> Meld:
    rules = state.rules
    mask = action.mask
    cards = action.cards
    return _new(
        Meld,
        (
            len(state.melds),
            state.to_act,
            MeldKind.SET if cards[0] >> 2 == cards[1] >> 2 else MeldKind.RUN,
            cards,
            len(cards),
            concealed,
            taken,
            (),
            mask,
            rules.tables.fits[mask] if rules.layoff_enabled and not concealed else 0,
        ),
    )


def _layoff(state: State, action: Action) -> Step:
    """Rule: R-LAY-1, R-LAY-3."""
    rules, seat = state.rules, state.to_act
    hand = state.hands[seat] ^ action.mask
    melds = list(state.melds)
    melds[action.meld] = grown = grown_meld(rules, melds[action.meld], seat, action.cards[0])
    after = copied(state)
    after.hands = with_number(state.hands, seat, hand)
    after.melds = tuple(melds)
    after.blocks = after_layoff(rules, state.blocks, by=seat, owner=grown.owner, turn=state.turn)
    return _go_on(after, hand, (_new(Event, (_LAID_OFF, seat, action.cards, action.meld, -1)),))


def grown_meld(rules: Rules, meld: Meld, seat: int, card: int) -> Meld:
    """A meld with a card laid off on it. Rule: R-LAY-1."""
    number, owner, kind, _, size, concealed, taken, laid_off, mask, _ = meld
    mask |= 1 << card
    cards = hand_cards(mask)
    laid_off = (*laid_off, LaidOff(seat, card))
    fits = rules.tables.fits[mask]
    return _new(
        Meld, (number, owner, kind, cards, size + 1, concealed, taken, laid_off, mask, fits)
    )


def _go_on(state: State, hand: int, events: tuple[Event, ...]) -> Step:
    """The same seat's next decision, unless it is out. Rule: R-END-1, R-END-2."""
    if not hand or (state.rules.tongits_trigger == "all_grouped" and is_out(state.rules, hand)):
        return end(state, _TONGITS, events)
    return _new(Step, (state, events))


_PLAY_OF_KIND: Final[dict[ActionKind, Callable[[State, Action], Step]]] = {
    ActionKind.DRAW: _draw,
    ActionKind.TAKE: _take,
    ActionKind.EXPOSE: _expose,
    ActionKind.CONCEAL: _conceal,
    ActionKind.LAYOFF: _layoff,
    ActionKind.DISCARD: _discard,
    ActionKind.CALL: call,
    ActionKind.CHALLENGE: answer,
    ActionKind.FOLD: answer,
}
_PLAY: Final = tuple(_PLAY_OF_KIND[action.kind] for action in ACTIONS)
"""By action code."""
