"""How a game ends and what the end shows. Who pays what is in ``scoring``."""

from typing import Final

from tongits_engine.events import ENDED, Event, EventKind
from tongits_engine.hand_tables import hand_cards
from tongits_engine.melds import ungrouped_points
from tongits_engine.rules import Rules
from tongits_engine.scoring import is_stock_end_void, points_left, shown_seats, winner_of
from tongits_engine.state import Phase, State, Step, Termination

_new: Final = tuple.__new__
_OVER: Final = Phase.OVER
_REVEALED: Final = EventKind.REVEALED


def is_out(rules: Rules, hand: int) -> bool:
    """Whether a hand is Tongits after its owner's own action. Rule: R-END-1, R-END-2."""
    if not hand:
        return True
    return rules.tongits_trigger == "all_grouped" and ungrouped_points(rules.tables, hand) == 0


def end(state: State, termination: Termination, events: tuple[Event, ...]) -> Step:
    """The game over, and what the end shows; the state is one that nobody else has seen yet.

    Rule: R-TURN-6, R-INFO-4.
    """
    over = state
    over.phase = _OVER
    over.termination = termination
    return _new(Step, (over, (*events, ENDED[termination], *_revelations(over))))


def end_at_stock(state: State, events: tuple[Event, ...]) -> Step:
    """The game over because the stock is. Rule: R-END-3, R-END-6."""
    void = is_stock_end_void(state)
    return end(state, Termination.VOID if void else Termination.STOCK_OUT, events)


def _revelations(over: State) -> list[Event]:
    hands = over.hands
    shown = [
        _new(Event, (_REVEALED, seat, hand_cards(hands[seat]), -1, -1))
        for seat in shown_seats(over)
        if hands[seat]
    ]
    concealed = [meld for meld in over.melds if meld.concealed]
    if concealed:
        winner = winner_of(over, points_left(over))
        shown += [
            Event(_REVEALED, meld.owner, meld.cards, meld.number)
            for meld in concealed
            if meld.owner == winner
        ]
    return shown
