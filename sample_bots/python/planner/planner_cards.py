"""What a hand will come to: exact chances of drawing what it waits for."""

from itertools import combinations

from tongits_bot import POINTS, Kind, View, best_melds, deadwood, loose_cards

DRAWS = 0.4
"""Draws to come before the game ends, as a part of the turns that the stock would allow."""
FIRST = 20.0
"""Points that the first meld of a hand is worth: it opens the hand, which then may call."""
DANGER = 1.0
"""Points that it costs if the next seat takes the card."""


def best_discard(view: View, hidden: set[int]) -> int:
    """The card to throw away: what is left is then likely to be worth least."""
    runs = view.game.runs
    cards = [action.cards[0] for action in view.legal if action.kind is Kind.DISCARD]
    loose = loose_cards(view.hand, runs=runs)
    choices = [card for card in cards if card in loose] or cards
    helpful = [card for card in hidden if makes_meld(card, view.hand, runs)]
    draws = DRAWS * view.stock_size / 3
    first = 0.0 if view.opened[view.seat] or best_melds(view.hand, runs=runs) else FIRST

    def cost(card: int) -> float:
        rest = view.hand.replace(bytes([card]), b"")
        saved = savings(rest, helpful, runs=runs, extra=first)
        left = deadwood(rest, runs=runs) - expected_saving(saved, len(hidden), draws)
        return left + DANGER * chance_taken(view, card, hidden)

    return min(choices, key=cost)


def savings(hand: bytes, helpful: list[int], *, runs: bool, extra: float) -> list[float]:
    """Points that each card saves if it is drawn, and `extra` for its meld; those that save any."""
    now = deadwood(hand, runs=runs)
    saved = [now - deadwood(hand + bytes([card]), runs=runs) for card in helpful]
    return [points + extra for points in saved if points > 0]


def expected_saving(saved: list[float], hidden: int, draws: float) -> float:
    """What the best of these cards saves on average, in so many draws from the hidden cards.

    A card counts if it is drawn and none that saves more is. Draws are without replacement, and
    may be a fraction: the mean of the numbers of draws that a game may still bring.
    """
    none, total = 1.0, 0.0
    for place, points in enumerate(sorted(saved, reverse=True)):
        still = none * max(0.0, 1 - draws / max(1, hidden - place))
        total += (none - still) * points
        none = still
    return total


def left_after_taking(view: View, meld: bytes) -> int:
    """Points in hand at the end of a turn that begins with taking the discard for this meld."""
    rest = bytes([card for card in view.hand if card not in meld])
    loose = [POINTS[card] for card in loose_cards(rest, runs=view.game.runs)]
    return sum(loose) - max(loose, default=0)


def chance_taken(view: View, card: int, hidden: set[int]) -> float:
    """How likely it is that the next seat holds two cards that make a meld with this one."""
    held = view.hand_sizes[(view.seat + 1) % 3]
    count = len(hidden)
    a_pair = held * (held - 1) / max(1, count * (count - 1))
    return min(1.0, a_pair * len(pairs_with(card, hidden, view.game.runs)))


def pairs_with(card: int, hidden: set[int], runs: bool) -> list[tuple[int, int]]:
    """Pairs of hidden cards that make a meld with this one."""
    first = card & ~3
    same = [other for other in range(first, first + 4) if other in hidden]
    pairs = list(combinations(same, 2))
    if runs:
        ends = ((card - 8, card - 4), (card - 4, card + 4), (card + 4, card + 8))
        pairs += [pair for pair in ends if pair[0] in hidden and pair[1] in hidden]
    return pairs


def makes_meld(card: int, hand: bytes, runs: bool) -> bool:
    """Whether this card would make a meld with two of the hand."""
    first = card & ~3
    if sum([other in hand for other in range(first, first + 4)]) >= 2:
        return True
    if not runs:
        return False
    below, above = card - 4 in hand if card > 3 else False, card + 4 in hand
    return (
        (below and above)
        or (below and card > 7 and card - 8 in hand)
        or (above and card + 8 in hand)
    )
