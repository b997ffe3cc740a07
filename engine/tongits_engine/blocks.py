"""What stops a seat's next call of Draw. Whether a call is stopped now is in ``legality``.

``State.blocks`` keeps, by seat, the latest turn index at which something happened that stops
its call; the call is stopped while that is not before the seat's last turn.
"""

from typing import Final

from tongits_engine.actions import Action
from tongits_engine.rules import Rules
from tongits_engine.state import FOR_GOOD, State, Triple, with_number

_LONG_MELD: Final = 4


def after_layoff(rules: Rules, blocks: Triple, *, by: int, owner: int, turn: int) -> Triple:
    """The blocks after a lay-off of one seat on a meld of another, or of its own.

    Rule: R-CALL-3, R-CALL-4.
    """
    if by == owner:
        return _blocked(blocks, owner, turn) if rules.draw_block_self else blocks
    if rules.draw_block_opponent_layoff == "none":
        return blocks
    for_good = rules.draw_block_opponent_layoff == "rest_of_hand"
    return _blocked(blocks, owner, FOR_GOOD if for_good else turn)


def after_long_meld(state: State, action: Action) -> Triple:
    """The blocks after a meld was put down in any way. Rule: R-CALL-5."""
    if state.rules.draw_block_own_long_meld and len(action.cards) >= _LONG_MELD:
        return _blocked(state.blocks, state.to_act, state.turn)
    return state.blocks


def after_taken_discard(blocks: Triple, discarder: int, turn: int) -> Triple:
    """The blocks after a seat's discard was taken. Rule: R-CALL-6."""
    return _blocked(blocks, discarder, turn)


def _blocked(blocks: Triple, seat: int, turn: int) -> Triple:
    return with_number(blocks, seat, max(blocks[seat], turn))
