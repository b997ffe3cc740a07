"""Why an action is not legal, in words. What is legal is decided in ``legality`` alone."""

from collections.abc import Callable
from typing import Final, NamedTuple

from tongits_engine.actions import Action, ActionKind
from tongits_engine.cards import SEATS, card_text, cards_of, cards_text
from tongits_engine.legality import has_opened, layoffs, legal_actions
from tongits_engine.melds import is_meld
from tongits_engine.state import Phase, State


class Illegal(NamedTuple):
    """Why an action is refused."""

    rule: str
    """Id of the rule, as in RULES.md."""
    reason: str


def why_illegal(state: State, action: Action) -> Illegal | None:
    """The rule an action breaks for the seat to act, None if it is legal."""
    if action in legal_actions(state):
        return None
    return _phase_reason(state, action) or _REASONS[action.kind](state, action)


_ANSWERS: Final = (ActionKind.CHALLENGE, ActionKind.FOLD)
_AT_START: Final = (ActionKind.DRAW, ActionKind.TAKE, ActionKind.CALL)


def _phase_reason(state: State, action: Action) -> Illegal | None:
    if state.phase is Phase.OVER:
        return Illegal("R-TURN-6", "the game is over")
    if state.phase is Phase.RESPOND:
        if action.kind in _ANSWERS:
            return None
        return Illegal("R-CALL-7", "Draw was called: answer challenge or fold")
    if action.kind in _ANSWERS:
        return Illegal("R-CALL-7", "nobody has called Draw")
    if state.phase is Phase.ACTION and action.kind in _AT_START:
        if state.turn == 0 and not state.rules.turn_dealer_draws_first:
            return Illegal("R-TURN-2", "the dealer's first turn has no draw, take or call")
        return Illegal("R-TURN-3", "one call, draw or take opens a turn, and that is done")
    if state.phase is Phase.START and action.kind not in _AT_START:
        return _start_reason(state, action)
    return None


def _start_reason(state: State, action: Action) -> Illegal | None:
    if action.kind is not ActionKind.LAYOFF:
        return Illegal("R-TURN-3", "first call, draw or take")
    if not state.rules.layoff_before_draw and state.rules.layoff_enabled:
        return Illegal("R-LAY-5", "lay-offs come after the draw or take")
    return None


def _draw_reason(_state: State, _action: Action) -> Illegal:
    return Illegal("R-TURN-3", "the stock cannot be drawn from now")


def _take_reason(state: State, action: Action) -> Illegal:
    if not state.discards:
        return Illegal("R-TAKE-1", "the discard pile is empty")
    top = state.discards[-1]
    if not action.mask >> top & 1:
        return Illegal("R-TAKE-1", f"only the top discard {card_text(top)} can be taken")
    if not is_meld(state.rules, action.mask):
        return _no_meld(action)
    return _not_held(state, action.mask & ~(1 << top), "R-TAKE-1")


def _expose_reason(state: State, action: Action) -> Illegal:
    if not is_meld(state.rules, action.mask):
        return _no_meld(action)
    hand = state.hands[state.to_act]
    if action.mask & hand != action.mask:
        return _not_held(state, action.mask, "R-EXP-1")
    if state.turn == 0 and not state.rules.first_turn_may_expose:
        return Illegal("R-TURN-5", "the first turn is only a discard")
    limit = state.rules.meld_limit
    return Illegal("R-EXP-2", f"no more than {limit} melds are put down in a turn")


def _conceal_reason(state: State, action: Action) -> Illegal:
    if state.rules.meld_face_down != "hand_four":
        return Illegal("R-EXP-3", "nothing is concealed in this variant")
    return _expose_reason(state, action)


def _layoff_reason(state: State, action: Action) -> Illegal:
    if not state.rules.layoff_enabled:
        return Illegal("R-LAY-6", "there are no lay-offs in this variant")
    if action.meld >= len(state.melds):
        return Illegal("R-LAY-1", f"there is no meld {action.meld}")
    meld = state.melds[action.meld]
    card = action.cards[0]
    if not state.hands[state.to_act] >> card & 1:
        return _not_held(state, action.mask, "R-LAY-1")
    if meld.concealed:
        return Illegal("R-LAY-4", f"meld {meld.number} is face down")
    if not meld.fits >> card & 1:
        text = f"{card_text(card)} does not extend meld {meld.number} ({cards_text(meld.cards)})"
        return Illegal("R-LAY-1", text)
    return Illegal("R-LAY-3", "only a player who has opened lays off in this variant")


def _discard_reason(state: State, action: Action) -> Illegal:
    hand = state.hands[state.to_act]
    if not action.mask & hand:
        return _not_held(state, action.mask, "R-DISC-1")
    fitting = [a for a in layoffs(state, hand) if a.cards == action.cards]
    where = f"meld {fitting[0].meld}" if fitting else "a meld"
    return Illegal("R-DISC-3", f"{card_text(action.cards[0])} could be laid off on {where}")


def _call_reason(state: State, _action: Action) -> Illegal:
    if state.turn == 0:
        return Illegal("R-CALL-1", "nobody calls on the dealer's first turn")
    if state.rules.draw_requires_open and not has_opened(state, state.to_act):
        return Illegal("R-CALL-2", "only a player who has opened calls Draw")
    return _block_reason(state)


def _block_reason(state: State) -> Illegal:
    """Which event stops the call; its turn index tells whose turn it was."""
    rules = state.rules
    since = state.blocks[state.to_act] - (state.turn - SEATS)
    if since == 0 and rules.draw_block_self:
        text = "this seat laid off on its own meld in its last turn"
        if rules.draw_block_own_long_meld:
            text += ", or put down four cards or more at once"
        return Illegal("R-CALL-4", text)
    if rules.draw_block_discard_taken and since == 1:
        text = "this seat's last discard was taken, or another seat laid off on its meld"
        return Illegal("R-CALL-6", text)
    return Illegal("R-CALL-3", "another seat laid off on a meld of this seat since its last turn")


def _answer_reason(_state: State, _action: Action) -> Illegal:
    return Illegal("R-CALL-7", "answer challenge or fold")


def _no_meld(action: Action) -> Illegal:
    text = f"{cards_text(action.cards)} is no meld in this variant"
    return Illegal("R-MELD-2", text)


def _not_held(state: State, needed: int, rule: str) -> Illegal:
    missing = cards_text(cards_of(needed & ~state.hands[state.to_act]))
    return Illegal(rule, f"{missing} not in hand")


_REASONS: Final[dict[ActionKind, Callable[[State, Action], Illegal]]] = {
    ActionKind.DRAW: _draw_reason,
    ActionKind.TAKE: _take_reason,
    ActionKind.EXPOSE: _expose_reason,
    ActionKind.CONCEAL: _conceal_reason,
    ActionKind.LAYOFF: _layoff_reason,
    ActionKind.DISCARD: _discard_reason,
    ActionKind.CALL: _call_reason,
    ActionKind.CHALLENGE: _answer_reason,
    ActionKind.FOLD: _answer_reason,
}
