"""The stated action that stands in for an illegal or late decision: policy, not a rule."""

from tongits_engine import Action, ActionKind, Phase, State, cards_of, legal_actions, loose_cards


def fallback_action(state: State) -> Action:
    """START: draw from the stock. ACTION: discard. RESPOND: fold.

    The discard is the highest-rank card outside the canonical least-deadwood grouping, if there is
    none the highest-rank card in the hand, equal ranks by C, D, H, S (design section 11). Where the
    rules refuse that choice (an empty stock, a forbidden discard) the next card in that order, else
    the first legal action, is taken.
    """
    legal = legal_actions(state)
    if state.phase is Phase.ACTION:
        by_card = {a.cards[0]: a for a in legal if a.kind is ActionKind.DISCARD}
        for card in _discard_order(state):
            if card in by_card:
                return by_card[card]
    wanted = ActionKind.FOLD if state.phase is Phase.RESPOND else ActionKind.DRAW
    return next((a for a in legal if a.kind is wanted), legal[0])


def _discard_order(state: State) -> list[int]:
    hand = state.hands[state.to_act]
    loose = loose_cards(state.rules, hand)
    return sorted(cards_of(hand), key=lambda card: (card not in loose, -(card >> 2), card & 3))
