"""The deal that starts a game. Not the shuffle."""

from collections.abc import Sequence
from typing import Final

from tongits_engine.cards import PACK, SEATS, is_pack, mask_of
from tongits_engine.errors import DeckError
from tongits_engine.rules import Rules
from tongits_engine.state import NEVER, NO_ANSWERS, Phase, State, Termination

_NO_BLOCKS: Final = (NEVER, NEVER, NEVER)


def deal(rules: Rules, deck: Sequence[int], dealer: int) -> State:
    """The first state of a game.

    Args:
        rules: What is played.
        deck: The 52 cards, top first.
        dealer: The seat that deals and plays first.

    Raises:
        DeckError: the deck is not the 52 cards, or the dealer no seat.

    Rule: R-DEAL-1, R-TURN-2.
    """
    if not is_pack(deck):
        raise DeckError("a deck is the 52 cards, each once")
    if dealer not in range(SEATS):
        raise DeckError(f"the dealer is seat 0, 1 or 2, not {dealer!r}")
    for_dealer, for_others = rules.deal_cards
    dealt_round = for_others * SEATS
    hands = [0, 0, 0]
    for place in range(SEATS):
        hands[(dealer + place) % SEATS] = mask_of(deck[place:dealt_round:SEATS])
    stock_start = dealt_round + for_dealer - for_others
    hands[dealer] |= mask_of(deck[dealt_round:stock_start])
    state = State()
    state.rules = rules
    state.phase = Phase.START if rules.turn_dealer_draws_first else Phase.ACTION
    state.to_act = state.dealer = dealer
    state.turn = 0
    state.hands = (hands[0], hands[1], hands[2])
    state.deck = bytes(deck[stock_start:PACK])
    state.drawn = 0
    state.discards = b""
    state.melds = ()
    state.opened = 0
    state.blocks = _NO_BLOCKS
    state.melds_this_turn = 0
    state.last_drawer = state.caller = -1
    state.answers = NO_ANSWERS
    state.termination = Termination.NONE
    state.known_legal = None
    return state
