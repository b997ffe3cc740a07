"""What each action of a turn does to a state. Trusts that it is legal, but for ``apply``.

States are built field by field (``_new(State, ...)``) because that is several times faster
than ``_replace``, and this is the inner loop of a tournament. What a call of Draw leads to is in
``showdown``, the end of a game in ``ending``.
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
    NO_ANSWERS,
    LaidOff,
    Meld,
    Phase,
    State,
    Step,
    Termination,
    with_value,
)

_new: Final = tuple.__new__
_NEXT: Final = (1, 2, 0)
_START: Final = Phase.START
_ACTION: Final = Phase.ACTION
_GOES_ON: Final = Termination.NONE
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
    (
        rules, _, seat, dealer, turn, hands, deck, drawn, discards, melds, opened, blocks,
        put_down, _, _, _, _,
    ) = state  # fmt: skip
    if drawn == len(deck):
        return end_at_stock(state, ())
    card = deck[drawn]
    hand = hands[seat] | 1 << card
    after = _new(
        State,
        (
            rules, _ACTION, seat, dealer, turn, with_value(hands, seat, hand), deck, drawn + 1,
            discards, melds, opened, blocks, put_down, seat, -1, NO_ANSWERS, _GOES_ON,
        ),
    )  # fmt: skip
    if rules.tongits_trigger == "all_grouped" and is_out(rules, hand):
        return end(after, _TONGITS, DREW[seat][card])
    return _new(Step, (after, DREW[seat][card]))


def _discard(state: State, action: Action) -> Step:
    """Rule: R-DISC-1, R-TURN-1."""
    (
        rules, _, seat, dealer, turn, hands, deck, drawn, discards, melds, opened, blocks,
        _, last_drawer, _, _, _,
    ) = state  # fmt: skip
    cards = action.cards
    hand = hands[seat] ^ action.mask
    after = _new(
        State,
        (
            rules, _START, _NEXT[seat], dealer, turn + 1, with_value(hands, seat, hand), deck,
            drawn, discards + cards, melds, opened, blocks, 0, last_drawer, -1, NO_ANSWERS,
            _GOES_ON,
        ),
    )  # fmt: skip
    events = DISCARDED[seat][cards[0]]
    if hand and drawn < len(deck) and rules.tongits_trigger == "hand_empty":
        return _new(Step, (after, events))
    return _unless_over(after, seat, events)


def _unless_over(after: State, seat: int, events: tuple[Event, ...]) -> Step:
    """The next turn, unless the one that has just ended was the last.

    Rule: R-END-1, R-END-2, R-END-3.
    """
    rules = after.rules
    if is_out(rules, after.hands[seat]):
        return end(_before_passing(after, seat), _TONGITS, events)
    if after.drawn == len(after.deck) and rules.end_stock_moment == "after_discard":
        return end_at_stock(_before_passing(after, seat), events)
    return _new(Step, (after, events))


def _before_passing(after: State, seat: int) -> State:
    """The turn index and the seat stay those of the last turn."""
    return after._replace(phase=_ACTION, to_act=seat, turn=after.turn - 1)


def _take(state: State, action: Action) -> Step:
    """Rule: R-TAKE-1, R-TAKE-2, R-TAKE-5, R-CALL-6."""
    rules = state.rules
    seat = state.to_act
    hand = state.hands[seat] & ~action.mask
    pile = state.discards[:-1]
    blocks = after_long_meld(state, action)
    if rules.draw_block_discard_taken:
        blocks = after_taken_discard(blocks, (seat - 1) % SEATS, state.turn)
    meld = _meld(state, action, concealed=False, taken=True)
    after = _with_meld(state, hand, pile, meld, blocks, state.melds_this_turn)
    events = (_new(Event, (_TOOK, seat, action.cards, meld.number, -1)),)
    if rules.pickup_discard_after:
        return _go_on(after, hand, events)
    passed = after._replace(
        phase=_START, to_act=_NEXT[seat], turn=state.turn + 1, melds_this_turn=0
    )
    return _unless_over(passed, seat, events)


def _expose(state: State, action: Action) -> Step:
    """Rule: R-EXP-1, R-EXP-5."""
    seat = state.to_act
    hand = state.hands[seat] ^ action.mask
    meld = _meld(state, action, concealed=False, taken=False)
    blocks = after_long_meld(state, action)
    after = _with_meld(state, hand, state.discards, meld, blocks, state.melds_this_turn + 1)
    return _go_on(after, hand, (_new(Event, (_EXPOSED, seat, action.cards, meld.number, -1)),))


def _conceal(state: State, action: Action) -> Step:
    """Rule: R-EXP-3, R-EXP-5."""
    seat = state.to_act
    hand = state.hands[seat] ^ action.mask
    meld = _meld(state, action, concealed=True, taken=False)
    put_down = state.melds_this_turn + 1
    blocks = after_long_meld(state, action)
    after = _with_meld(state, hand, state.discards, meld, blocks, put_down)
    return _go_on(after, hand, (_new(Event, (_CONCEALED, seat, action.cards, meld.number, -1)),))


def _with_meld(
    state: State,
    hand: int,
    pile: bytes,
    meld: Meld,
    blocks: tuple[int, int, int],
    put_down: int,
) -> State:
    (
        rules, _, seat, dealer, turn, hands, deck, drawn, _, melds, opened, _,
        _, last_drawer, _, _, _,
    ) = state  # fmt: skip
    return _new(
        State,
        (
            rules, _ACTION, seat, dealer, turn, with_value(hands, seat, hand), deck, drawn, pile,
            (*melds, meld), opened | 1 << seat, blocks, put_down, last_drawer,
            -1, NO_ANSWERS, _GOES_ON,
        ),
    )  # fmt: skip


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
    (
        rules, phase, seat, dealer, turn, hands, deck, drawn, discards, old_melds, opened, blocks,
        put_down, last_drawer, _, _, _,
    ) = state  # fmt: skip
    hand = hands[seat] ^ action.mask
    melds = list(old_melds)
    melds[action.meld] = grown = grown_meld(rules, melds[action.meld], seat, action.cards[0])
    blocks = after_layoff(rules, blocks, by=seat, owner=grown.owner, turn=turn)
    after = _new(
        State,
        (
            rules, phase, seat, dealer, turn, with_value(hands, seat, hand), deck, drawn, discards,
            tuple(melds), opened, blocks, put_down, last_drawer, -1, NO_ANSWERS, _GOES_ON,
        ),
    )  # fmt: skip
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
