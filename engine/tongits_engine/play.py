"""What each action does to a state. Trusts that the action is legal, but for ``apply``.

States are built field by field (``_new(State, ...)``) because that is several times faster
than ``_replace``, and this is the inner loop of a tournament.
"""

from collections.abc import Callable
from typing import Final

from tongits_engine.actions import Action, ActionKind
from tongits_engine.cards import SEATS
from tongits_engine.ending import end, end_at_stock, is_out
from tongits_engine.errors import IllegalActionError
from tongits_engine.events import DISCARDED, DREW, Event, EventKind
from tongits_engine.hand_tables import hand_cards
from tongits_engine.legality import may_challenge
from tongits_engine.melds import deadwood, meld_kind
from tongits_engine.reasons import why_illegal
from tongits_engine.rules import Rules
from tongits_engine.state import (
    FOR_GOOD,
    NEVER,
    NO_ANSWERS,
    Answer,
    LaidOff,
    Meld,
    Phase,
    State,
    Step,
    Termination,
)

_new: Final = tuple.__new__
_NEXT: Final = (1, 2, 0)
_LONG_MELD: Final = 4
_START: Final = Phase.START
_ACTION: Final = Phase.ACTION
_GOES_ON: Final = Termination.NONE

Triple = tuple[int, int, int]


def apply(state: State, action: Action) -> Step:
    """The next state and what happened.

    Raises:
        IllegalActionError: the action is not legal; the message names the rule.
    """
    illegal = why_illegal(state, action)
    if illegal is not None:
        raise IllegalActionError(f"{action.text}: {illegal.reason} ({illegal.rule})")
    return _PLAY[action.kind](state, action)


def apply_legal(state: State, action: Action) -> Step:
    """``apply`` for an action taken from ``legal_actions(state)``: nothing is checked."""
    return _PLAY[action.kind](state, action)


def _with(values: Triple, seat: int, value: int) -> Triple:
    if seat == 0:
        return value, values[1], values[2]
    if seat == 1:
        return values[0], value, values[2]
    return values[0], values[1], value


def _draw(state: State, _action: Action) -> Step:
    """Rule: R-TURN-3, R-END-3."""
    rules, _, seat, dealer, turn, hands, deck, drawn, discards, melds, opened, blocks, *_ = state
    if drawn == len(deck):
        return end_at_stock(state, ())
    card = deck[drawn]
    hand = hands[seat] | 1 << card
    after = _new(
        State,
        (
            rules, _ACTION, seat, dealer, turn, _with(hands, seat, hand), deck, drawn + 1,
            discards, melds, opened, blocks, 0, seat, -1, NO_ANSWERS, _GOES_ON,
        ),
    )  # fmt: skip
    if rules.tongits_trigger == "all_grouped" and is_out(rules, hand):
        return end(after, Termination.TONGITS, DREW[seat][card])
    return _new(Step, (after, DREW[seat][card]))


def _discard(state: State, action: Action) -> Step:
    """Rule: R-DISC-1, R-END-1, R-END-3."""
    card = action.cards[0]
    seat = state.to_act
    events = DISCARDED[seat][card]
    hand = state.hands[seat] ^ action.mask
    return _pass_turn(state, hand, state.discards + action.cards, events)


def _pass_turn(state: State, hand: int, pile: bytes, events: tuple[Event, ...]) -> Step:
    """Rule: R-TURN-1, R-END-1, R-END-3."""
    rules, _, seat, dealer, turn, hands, deck, drawn, _, melds, opened, blocks, _, last, *_ = state
    hands = _with(hands, seat, hand)
    if not hand or (rules.tongits_trigger == "all_grouped" and is_out(rules, hand)):
        return end(state._replace(hands=hands, discards=pile), Termination.TONGITS, events)
    if drawn == len(deck) and rules.end_stock_moment == "after_discard":
        return end_at_stock(state._replace(hands=hands, discards=pile), events)
    after = _new(
        State,
        (
            rules, _START, _NEXT[seat], dealer, turn + 1, hands, deck, drawn,
            pile, melds, opened, blocks, 0, last, -1, NO_ANSWERS, _GOES_ON,
        ),
    )  # fmt: skip
    return _new(Step, (after, events))


def _put_down(state: State, action: Action, *, concealed: bool) -> Step:
    """Rule: R-EXP-1, R-EXP-3, R-EXP-5, R-END-1."""
    seat = state.to_act
    meld = _meld(state, action, concealed=concealed, taken=False)
    after = state._replace(
        hands=_with(state.hands, seat, state.hands[seat] ^ action.mask),
        melds=(*state.melds, meld),
        opened=state.opened | 1 << seat,
        blocks=state.blocks if concealed else _after_long_meld(state, action),
        melds_this_turn=state.melds_this_turn + 1,
    )
    kind = EventKind.CONCEALED if concealed else EventKind.EXPOSED
    return _go_on(after, (Event(kind, seat, action.cards, meld.number),))


def _expose(state: State, action: Action) -> Step:
    return _put_down(state, action, concealed=False)


def _conceal(state: State, action: Action) -> Step:
    return _put_down(state, action, concealed=True)


def _take(state: State, action: Action) -> Step:
    """Rule: R-TAKE-1, R-TAKE-2, R-TAKE-5, R-CALL-6."""
    seat = state.to_act
    rules = state.rules
    meld = _meld(state, action, concealed=False, taken=True)
    blocks = _after_long_meld(state, action)
    if rules.draw_block_discard_taken:
        blocks = _blocked(blocks, (seat - 1) % SEATS, state.turn)
    after = state._replace(
        phase=_ACTION,
        hands=_with(state.hands, seat, state.hands[seat] & ~action.mask),
        discards=state.discards[:-1],
        melds=(*state.melds, meld),
        opened=state.opened | 1 << seat,
        blocks=blocks,
    )
    events = (Event(EventKind.TOOK, seat, action.cards, meld.number),)
    if rules.pickup_discard_after:
        return _go_on(after, events)
    return _pass_turn(after, after.hands[seat], after.discards, events)


def _meld(state: State, action: Action, *, concealed: bool, taken: bool) -> Meld:
    rules = state.rules
    open_to_layoffs = rules.layoff_enabled and not concealed
    return Meld(
        number=len(state.melds),
        owner=state.to_act,
        kind=meld_kind(action.mask),
        cards=action.cards,
        size=len(action.cards),
        concealed=concealed,
        taken=taken,
        laid_off=(),
        mask=action.mask,
        fits=rules.tables.fits[action.mask] if open_to_layoffs else 0,
    )


def _after_long_meld(state: State, action: Action) -> Triple:
    """Rule: R-CALL-5."""
    if state.rules.draw_block_own_long_meld and len(action.cards) >= _LONG_MELD:
        return _blocked(state.blocks, state.to_act, state.turn)
    return state.blocks


def _layoff(state: State, action: Action) -> Step:
    """Rule: R-LAY-1, R-LAY-3, R-END-1."""
    seat = state.to_act
    melds = list(state.melds)
    melds[action.meld] = grown_meld(state.rules, melds[action.meld], seat, action.cards[0])
    owner = melds[action.meld].owner
    after = state._replace(
        hands=_with(state.hands, seat, state.hands[seat] ^ action.mask),
        melds=tuple(melds),
        blocks=blocks_after_layoff(state.rules, state.blocks, seat, owner, state.turn),
    )
    return _go_on(after, (Event(EventKind.LAID_OFF, seat, action.cards, action.meld),))


def grown_meld(rules: Rules, meld: Meld, seat: int, card: int) -> Meld:
    """A meld with a card laid off on it. Rule: R-LAY-1."""
    mask = meld.mask | 1 << card
    return meld._replace(
        cards=hand_cards(mask),
        size=meld.size + 1,
        laid_off=(*meld.laid_off, LaidOff(seat, card)),
        mask=mask,
        fits=rules.tables.fits[mask],
    )


def blocks_after_layoff(rules: Rules, blocks: Triple, by: int, owner: int, turn: int) -> Triple:
    """``State.blocks`` after a lay-off of one seat on a meld of another, or of its own.

    Rule: R-CALL-3, R-CALL-4.
    """
    if by == owner:
        return _blocked(blocks, owner, turn if rules.draw_block_self else NEVER)
    until = {"none": NEVER, "next_turn": turn, "rest_of_hand": FOR_GOOD}
    return _blocked(blocks, owner, until[rules.draw_block_opponent_layoff])


def _blocked(blocks: Triple, seat: int, turn: int) -> Triple:
    return _with(blocks, seat, max(blocks[seat], turn))


def _go_on(state: State, events: tuple[Event, ...]) -> Step:
    """The same seat's next decision, unless it is out. Rule: R-END-1, R-END-2."""
    if is_out(state.rules, state.hands[state.to_act]):
        return end(state, Termination.TONGITS, events)
    return _new(Step, (state, events))


def _call(state: State, _action: Action) -> Step:
    """Rule: R-CALL-7, R-CALL-8, R-CALL-14."""
    caller = state.to_act
    announced = state.rules.draw_caller_announces_points
    points = deadwood(state.rules, state.hands[caller]) if announced else -1
    answers = list(NO_ANSWERS)
    events = [Event(EventKind.CALLED, caller, points=points)]
    for seat in _responders(caller):
        if not may_challenge(state, seat):
            answers[seat] = Answer.AUTO_FOLDED
            events.append(Event(EventKind.AUTO_FOLDED, seat))
    given = (answers[0], answers[1], answers[2])
    return _ask(state._replace(caller=caller, answers=given), tuple(events))


def _responders(caller: int) -> tuple[int, int]:
    """The opponents in the order they are asked. Rule: R-CALL-7."""
    return _NEXT[caller], _NEXT[_NEXT[caller]]


def _ask(state: State, events: tuple[Event, ...]) -> Step:
    """The next answer that is due, or the end. Rule: R-CALL-7, R-CALL-9."""
    for seat in _responders(state.caller):
        if state.answers[seat] is Answer.NONE:
            return Step(state._replace(phase=Phase.RESPOND, to_act=seat), events)
    contested = Answer.CHALLENGED in state.answers
    ending = Termination.DRAW_CONTESTED if contested else Termination.DRAW_UNCONTESTED
    return end(state, ending, events)


_EVENT_OF_ANSWER: Final = {
    Answer.CHALLENGED: EventKind.CHALLENGED,
    Answer.FOLDED: EventKind.FOLDED,
}


def _answer(state: State, action: Action) -> Step:
    """Rule: R-CALL-7."""
    said = Answer.CHALLENGED if action.kind is ActionKind.CHALLENGE else Answer.FOLDED
    answers = list(state.answers)
    answers[state.to_act] = said
    after = state._replace(answers=(answers[0], answers[1], answers[2]))
    return _ask(after, _answer_events(after))


def _answer_events(state: State) -> tuple[Event, ...]:
    """The answer just given; simultaneous ones together, when the last is in."""
    if state.rules.draw_response_order == "right_of_caller":
        seats: tuple[int, ...] = (state.to_act,)
    elif Answer.NONE in [state.answers[seat] for seat in _responders(state.caller)]:
        seats = ()
    else:
        seats = _responders(state.caller)
    given = [(seat, state.answers[seat]) for seat in seats]
    return tuple([Event(_EVENT_OF_ANSWER[a], s) for s, a in given if a in _EVENT_OF_ANSWER])


_PLAY: Final[tuple[Callable[[State, Action], Step], ...]] = (
    _draw,  # kinds count from 1
    _draw,
    _take,
    _expose,
    _conceal,
    _layoff,
    _discard,
    _call,
    _answer,
    _answer,
)
"""By ``ActionKind``."""
