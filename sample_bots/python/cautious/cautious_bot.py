"""Keeps its melds in hand, counts the cards that are left, and does not feed the next player.

It opens with one meld, to be able to contest a call and not to be burned, and holds the others: a
meld in hand costs nothing at the end and nobody can lay off on it. It never calls Draw itself.
"""

from tongits_bot import (
    POINTS,
    Action,
    Kind,
    Phase,
    View,
    best_melds,
    deadwood,
    loose_cards,
    points,
    serve,
    unseen,
)

HOPE = 2.0
"""Weight of the points that a pair may still save, against points held now."""
FEAR = 15.0
"""Points that it costs to feed the next player a meld."""
IN_A_MELD = -20
"""Points that it costs to break a meld."""
CONTEST_PER_CARD = 4.0
"""Contests a call with at most so many points for each card in the caller's hand."""


def decide(view: View) -> Action:
    """One decision, by the phase it falls in."""
    if view.phase is Phase.START:
        return start(view)
    if view.phase is Phase.RESPOND:
        return respond(view)
    return put_down(view) or lay_off(view) or discard(view)


def start(view: View) -> Action:
    """Take the discard if that leaves fewer points than the hand has now, else draw."""
    best, least = view.legal[0], deadwood(view.hand, runs=view.game.runs)
    for action in view.legal:
        if action.kind is Kind.TAKE:
            rest = without(view.hand, action.cards)
            loose = loose_cards(rest, runs=view.game.runs)
            left = points(loose) - max([POINTS[card] for card in loose], default=0)
            if left < least:
                best, least = action, left
    return best


def put_down(view: View) -> Action | None:
    """Open with one meld; put down everything when that ends the game."""
    choices = [a for a in view.legal if a.kind is Kind.EXPOSE or a.kind is Kind.CONCEAL]
    if not choices or (view.opened[view.seat] and may_hold(view) and not goes_out(view)):
        return None
    wanted = best_melds(view.hand, runs=view.game.runs)
    choices = [action for action in choices if action.cards in wanted]
    return min(choices, key=lambda a: (a.kind is Kind.EXPOSE, room(view, a.cards)), default=None)


def may_hold(view: View) -> bool:
    """Whether melds in hand are free of points at the end."""
    return view.game.parameters.get("deadwood.held_melds_free", True) is not False


def goes_out(view: View) -> bool:
    """Whether all cards but one can leave the hand in this turn."""
    loose = loose_cards(view.hand, runs=view.game.runs)
    can_lay_off = {action.cards[0] for action in view.legal if action.kind is Kind.LAYOFF}
    return len(can_lay_off.union(loose)) - len(can_lay_off) <= 1


def room(view: View, meld: bytes) -> int:
    """How many cards others could lay off on this meld."""
    hidden = unseen(view.hand, view.discards, *[m.cards for m in view.melds])
    if meld[0] >> 2 == meld[-1] >> 2:
        return sum([card >> 2 == meld[0] >> 2 for card in hidden])
    return sum([card in (meld[0] - 4, meld[-1] + 4) for card in hidden])


def lay_off(view: View) -> Action | None:
    """Get rid of a loose card on somebody's meld, the highest first."""
    loose = loose_cards(view.hand, runs=view.game.runs)
    choices = [a for a in view.legal if a.kind is Kind.LAYOFF and a.cards[0] in loose]
    return max(choices, key=lambda action: POINTS[action.cards[0]], default=None)


def discard(view: View) -> Action:
    """The card that costs most to hold, promises least and feeds nobody."""
    hidden = set(unseen(view.hand, view.discards, *[meld.cards for meld in view.melds]))
    loose = loose_cards(view.hand, runs=view.game.runs)
    per_card = HOPE * view.stock_size / 3 / max(1, len(hidden))
    share = view.hand_sizes[(view.seat + 1) % 3] / max(1, len(hidden))
    best, least = view.legal[-1], 1e9
    for action in view.legal:
        if action.kind is Kind.DISCARD:
            card = action.cards[0]
            held = POINTS[card] if card in loose else IN_A_MELD
            hope = sum([saved(card, other, hidden, view) for other in loose])
            fear = feeds(card, hidden, view) * share * share
            cost = per_card * hope + FEAR * fear - held
            if cost < least:
                best, least = action, cost
    return best


def saved(card: int, other: int, hidden: set[int], view: View) -> int:
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


def feeds(card: int, hidden: set[int], view: View) -> int:
    """Number of pairs of unseen cards that would make a meld with this one."""
    first = card & ~3
    same = sum([other in hidden for other in range(first, first + 4)])
    pairs = same * (same - 1) // 2
    if view.game.runs:
        below, above = card - 4 in hidden, card + 4 in hidden
        pairs += (below and card - 8 in hidden) + (below and above)
        pairs += above and card + 8 in hidden
    return pairs


def respond(view: View) -> Action:
    """Contest the call if the hand is light beside the caller's."""
    cards = view.hand_sizes[view.caller or 0]
    is_light = deadwood(view.hand, runs=view.game.runs) <= CONTEST_PER_CARD * cards
    return Action(Kind.CHALLENGE if is_light else Kind.FOLD)


def without(hand: bytes, cards: bytes) -> bytes:
    """The hand without these cards."""
    return bytes([card for card in hand if card not in cards])


if __name__ == "__main__":
    serve(decide)
