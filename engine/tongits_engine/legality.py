"""What a seat may do: the one source of legality. Reasons for the rest are in ``reasons``."""

from typing import Final

from tongits_engine.actions import CALL, CHALLENGE, DRAW, FOLD, LAYOFF_OF_CARD, Action
from tongits_engine.cards import cards_of
from tongits_engine.hand_tables import fours_of, hand_conceals, hand_discards
from tongits_engine.state import Meld, Phase, State

_ANSWERS: Final = (CHALLENGE, FOLD)
_ONLY_DRAW: Final = (DRAW,)
_TURNS_BACK: Final = 3
"""A seat's last turn was so many turns ago when it is to start the next."""


def legal_actions(state: State) -> tuple[Action, ...]:
    """Everything the seat to act may do, in canonical order; nothing once the game is over.

    Rule: R-TURN-1, R-TURN-3, R-TURN-4, R-TURN-6.
    """
    phase = state.phase
    if phase is Phase.ACTION:
        return _in_action(state)
    if phase is Phase.START:
        return _at_start(state)
    return _ANSWERS if phase is Phase.RESPOND else ()


def _at_start(state: State) -> tuple[Action, ...]:
    """Rule: R-TURN-3, R-TAKE-1."""
    rules = state.rules
    hand = state.hands[state.to_act]
    found: tuple[Action, ...] = _ONLY_DRAW
    discards = state.discards
    if discards:
        found += rules.tables.takes(discards[-1], hand)
    if rules.layoff_before_draw:
        found += layoffs(state, hand)
    return (*found, CALL) if may_call(state) else found


def _in_action(state: State) -> tuple[Action, ...]:
    """Rule: R-TURN-4, R-TURN-5, R-EXP-1, R-EXP-2, R-EXP-3, R-DISC-1."""
    rules = state.rules
    hand = state.hands[state.to_act]
    found: tuple[Action, ...] = ()
    if state.melds_this_turn < rules.meld_limit and (state.turn or rules.first_turn_may_expose):
        found = rules.tables.exposes(hand)
        if found and rules.meld_face_down == "hand_four" and fours_of(hand):
            found += hand_conceals(hand)
    laid_off = layoffs(state, hand)
    if not laid_off:
        return found + hand_discards(hand)
    if rules.discard_forbid_layoffable:
        for action in laid_off:
            hand &= ~action.mask
    return found + laid_off + hand_discards(hand)


def layoffs(state: State, hand: int) -> tuple[Action, ...]:
    """The lay-offs of a hand, by card, then by meld. Rule: R-LAY-1, R-LAY-2, R-LAY-3."""
    fitting = [meld for meld in state.melds if meld.fits & hand]
    if not fitting or (state.rules.layoff_requires_open and not has_opened(state, state.to_act)):
        return ()
    if len(fitting) == 1:
        return _layoffs_on(fitting[0], hand)
    found = [action for meld in fitting for action in _layoffs_on(meld, hand)]
    found.sort(key=_code)
    return tuple(found)


def _layoffs_on(meld: Meld, hand: int) -> tuple[Action, ...]:
    return tuple([LAYOFF_OF_CARD[card][meld.number] for card in cards_of(meld.fits & hand)])


def _code(action: Action) -> int:
    return action.code


def may_call(state: State) -> bool:
    """Whether the seat at START may call Draw.

    Rule: R-CALL-1, R-CALL-2, R-CALL-3, R-CALL-4.
    """
    seat = state.to_act
    if not state.opened >> seat & 1 and not _may_call_unopened(state):
        return False
    return state.turn > 0 and state.blocks[seat] < state.turn - _TURNS_BACK


def _may_call_unopened(state: State) -> bool:
    return not state.rules.draw_requires_open or has_opened(state, state.to_act)


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
    turns_ago = (on_turn - seat) % 3
    if turns_ago == 0 and state.phase in (Phase.START, Phase.RESPOND):
        turns_ago = _TURNS_BACK
    return state.blocks[seat] >= state.turn - turns_ago
