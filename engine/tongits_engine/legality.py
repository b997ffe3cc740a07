"""What a seat may do: the one source of legality. Reasons for the rest are in ``reasons``."""

from typing import Final

from tongits_engine.actions import CALL, CHALLENGE, DRAW, FOLD, LAYOFF_OF_CARD, Action
from tongits_engine.cards import SEATS
from tongits_engine.hand_tables import Actions, fours_of, hand_cards
from tongits_engine.state import Meld, Phase, State

_ANSWERS: Final = (CHALLENGE, FOLD)
_ONLY_DRAW: Final = (DRAW,)
_DRAW_OR_CALL: Final = (DRAW, CALL)
_START: Final = Phase.START
_ACTION: Final = Phase.ACTION
_RESPOND: Final = Phase.RESPOND


def legal_actions(state: State) -> Actions:
    """Everything the seat to act may do, in canonical order; nothing once the game is over.

    Rule: R-TURN-1, R-TURN-3, R-TURN-4, R-TURN-6.
    """
    legal = state.known_legal
    if legal is None:
        phase = state.phase
        if phase is _ACTION:
            legal = _in_action(state)
        elif phase is _START:
            legal = _at_start(state)
        else:
            legal = _ANSWERS if phase is _RESPOND else ()
        state.known_legal = legal
    return legal


def _at_start(state: State) -> Actions:
    """Rule: R-TURN-3, R-TAKE-1."""
    rules, seat, discards = state.rules, state.to_act, state.discards
    hand = state.hands[seat]
    takes = rules.tables.takes(discards[-1], hand) if discards else ()
    can_call = (state.opened >> seat & 1 or rules.unopened_may_call) and may_call(state)
    if not takes and not rules.layoff_before_draw:
        return _DRAW_OR_CALL if can_call else _ONLY_DRAW
    found = _ONLY_DRAW + takes
    if rules.layoff_before_draw:
        found += layoffs(state, hand)
    return (*found, CALL) if can_call else found


def _in_action(state: State) -> Actions:
    """Rule: R-TURN-4, R-TURN-5, R-EXP-1, R-EXP-2, R-EXP-3, R-DISC-1."""
    rules = state.rules
    hand = state.hands[state.to_act]
    found, conceals, discards = rules.tables.choices(hand)
    if found:
        first_turn = state.turn == 0 and not rules.first_turn_may_expose
        if first_turn or state.melds_this_turn >= rules.meld_limit:
            found = ()
        elif conceals and rules.meld_face_down == "hand_four":
            found += conceals
    for meld in state.melds:
        if meld[9] & hand:  # fits
            return found + _layoffs_and_discards(state, hand, discards)
    return found + discards


def _layoffs_and_discards(state: State, hand: int, discards: Actions) -> Actions:
    """Rule: R-LAY-1, R-DISC-3."""
    laid_off = layoffs(state, hand)
    if laid_off and state.rules.discard_forbid_layoffable:
        kept = {action.cards for action in laid_off}
        discards = tuple([action for action in discards if action.cards not in kept])
    return laid_off + discards


def layoffs(state: State, hand: int) -> Actions:
    """The lay-offs of a hand, by card, then by meld. Rule: R-LAY-1, R-LAY-2, R-LAY-3."""
    fitting = [meld for meld in state.melds if meld.fits & hand]
    if not fitting or (state.rules.layoff_requires_open and not has_opened(state, state.to_act)):
        return ()
    if len(fitting) == 1:
        return _layoffs_on(fitting[0], hand)
    found = [action for meld in fitting for action in _layoffs_on(meld, hand)]
    found.sort(key=_code)
    return tuple(found)


def _layoffs_on(meld: Meld, hand: int) -> Actions:
    return tuple([LAYOFF_OF_CARD[card][meld.number] for card in hand_cards(meld.fits & hand)])


def _code(action: Action) -> int:
    return action.code


def may_call(state: State) -> bool:
    """Whether the seat at START may call Draw.

    Rule: R-CALL-1, R-CALL-2, R-CALL-3, R-CALL-4.
    """
    seat = state.to_act
    if state.rules.draw_requires_open and not has_opened(state, seat):
        return False
    return state.turn > 0 and not is_call_blocked(state, seat)


def has_opened(state: State, seat: int) -> bool:
    """Whether a seat counts as opened. Rule: R-EXP-5, R-EXP-6."""
    if state.opened >> seat & 1:
        return True
    return state.rules.open_secret_in_hand_counts and fours_of(state.hands[seat]) != 0


def may_challenge(state: State, seat: int) -> bool:
    """Whether a seat is asked when another calls. Rule: R-CALL-8, R-CALL-13."""
    return not state.rules.draw_challenge_requires_open or has_opened(state, seat)


def is_call_blocked(state: State, seat: int) -> bool:
    """Whether what has happened so far stops a seat's call at its next START.

    For the seat at START that is now; all of it is public.

    Rule: R-CALL-3, R-CALL-4, R-CALL-5, R-CALL-6.
    """
    on_turn = state.caller if state.phase is Phase.RESPOND else state.to_act
    turns_ago = (on_turn - seat) % SEATS
    if turns_ago == 0 and state.phase in (Phase.START, Phase.RESPOND):
        turns_ago = SEATS
    return state.blocks[seat] >= state.turn - turns_ago
