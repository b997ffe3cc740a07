"""Points that others may hold, by the cards nobody has seen and how many of them they hold."""

from math import erf, sqrt
from typing import NamedTuple

from tongits_bot import POINTS, View, unseen


class Habit(NamedTuple):
    """Points of a hand of `n` cards, as players were seen to hold them: mean and deviation.

    The mean is `start + n * (a_card + per_mean * mean + per_turn * stock)` where `mean` is that of
    the unseen cards and `stock` the cards left in it: hands are lighter than chance, since light
    cards are kept and melds cost nothing, and get lighter by the turn. The deviation is
    `spread + n * a_spread`.
    """

    start: float
    a_card: float
    per_mean: float
    per_turn: float
    spread: float
    a_spread: float


WITH_RUNS = Habit(3.5, -0.6, 0.6, 0.118, 2.5, 1.3)
SETS_ONLY = Habit(-1.0, 0.5, 0.7, 0.058, 3.0, 1.0)
CALLER_HOLDS = 0.8
"""A caller's points as a part of what any other seat would hold."""


def hidden_cards(view: View) -> set[int]:
    """Cards in the stock, in other hands or face down: all that this seat has not seen."""
    return set(unseen(view.hand, view.discards, *[meld.cards for meld in view.melds]))


def chance_of_at_most(view: View, seat: int, mine: int, hidden: set[int]) -> float:
    """How likely it is that this seat holds at most this many points."""
    return _below(view, seat, mine, hidden, 1.0)


def chance_caller_has_less(view: View, seat: int, mine: int, hidden: set[int]) -> float:
    """How likely it is that this seat, having called, holds fewer points than this."""
    return _below(view, seat, mine - 1, hidden, CALLER_HOLDS)


def _below(view: View, seat: int, most: int, hidden: set[int], part: float) -> float:
    habit = WITH_RUNS if view.game.runs else SETS_ONLY
    cards = view.hand_sizes[seat]
    mean = sum([POINTS[card] for card in hidden]) / max(1, len(hidden))
    a_card = habit.a_card + habit.per_mean * mean + habit.per_turn * view.stock_size
    usual = part * (habit.start + cards * max(1.0, a_card))
    spread = part * (habit.spread + habit.a_spread * cards)
    return 0.5 * (1 + erf((most + 0.5 - usual) / (spread * sqrt(2))))
