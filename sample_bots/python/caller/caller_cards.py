"""What a hand may still become and what a discard would give away, counted over unseen cards."""

from tongits_bot import POINTS, View, loose_cards, unseen

HOPE = 3.0
"""Weight of the points that a pair may still save, against points held now."""
FEAR = 6.0
"""Points that it costs to feed the next player a meld."""
IN_A_MELD = -20
"""Points that it costs to break a meld."""


def hidden_cards(view: View) -> set[int]:
    """Cards in the stock, in other hands or face down: all that this seat has not seen."""
    return set(unseen(view.hand, view.discards, *[meld.cards for meld in view.melds]))


def room_beside(view: View, meld: bytes) -> int:
    """How many cards others could lay off on this meld of one's own."""
    hidden = hidden_cards(view)
    if meld[0] >> 2 == meld[-1] >> 2:
        return sum([card >> 2 == meld[0] >> 2 for card in hidden])
    return (meld[0] - 4 in hidden) + (meld[-1] + 4 in hidden)


def worst_card(view: View, cards: bytes) -> int:
    """The card that costs most to hold, promises least and feeds nobody."""
    hidden = hidden_cards(view)
    loose = loose_cards(view.hand, runs=view.game.runs)
    per_card = HOPE * view.stock_size / 3 / max(1, len(hidden))
    share = view.hand_sizes[(view.seat + 1) % 3] / max(1, len(hidden))

    def cost(card: int) -> float:
        held = POINTS[card] if card in loose else IN_A_MELD
        hope = sum([_saved(card, other, hidden, view) for other in loose])
        fear = _fed_pairs(card, hidden, view) * share * share
        return per_card * hope + FEAR * fear - held

    return min(cards, key=cost)


def _saved(card: int, other: int, hidden: set[int], view: View) -> int:
    """Points that these two may save, times the number of cards that would do it."""
    apart = abs(card - other)
    if apart > 8 or apart == 0:
        return 0
    if card >> 2 == other >> 2:
        first = card & ~3
        outs = sum([same in hidden for same in range(first, first + 4)])
    elif apart == 4 and view.game.runs:
        outs = (min(card, other) - 4 in hidden) + (max(card, other) + 4 in hidden)
    else:
        outs = apart == 8 and view.game.runs and (card + other) // 2 in hidden
    return outs * (POINTS[card] + POINTS[other])


def _fed_pairs(card: int, hidden: set[int], view: View) -> int:
    """Number of pairs of unseen cards that would make a meld with this one."""
    first = card & ~3
    same = sum([other in hidden for other in range(first, first + 4)])
    pairs = same * (same - 1) // 2
    if view.game.runs:
        below, above = card - 4 in hidden, card + 4 in hidden
        pairs += (below and card - 8 in hidden) + (below and above)
        pairs += above and card + 8 in hidden
    return pairs
