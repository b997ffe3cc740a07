"""The most informative next matches: a stage at a time, from the standing. Pure.

A match is worth what it may tell about the order of its three pairs: how open the order of a pair
is (the entropy of who is better, given both ratings) times the share of the doubt about their
difference that one match takes away. So entrants that are close, and entrants that few matches have
placed, meet most. Choosing comparisons by the information expected of them is the idea of Glickman
and Jensen (Adaptive paired comparison design, Journal of Statistical Planning and Inference 127,
2005); within a stage the doubt shrinks as if the matches chosen so far had been played (their
results need not be known for that), which spreads a stage over the entrants.

Whoever could sit is seated at least once in a stage that is long enough for it, and no three
entrants meet more often in a stage than twice their even share.
"""

import math
from collections import Counter
from collections.abc import Mapping
from itertools import combinations

from tongits_harness.play.schedule import matches_in_round
from tongits_harness.results.ratings import START_SIGMA, Rating

Triple = tuple[str, str, str]

_CHANCE = 2 * (START_SIGMA / 2) ** 2
"""Variance that luck adds to the difference of two performances, on the scale of the ratings."""
_SHRINKS = 2 / math.pi
"""Share of the known part of a doubt that a result between equals takes away: TrueSkill's w(0)."""
_DIGITS = 9
"""Values that differ by less are equal: what they depend on must not be the machine's last bit."""


def choose_stage(ratings: Mapping[str, Rating], count: int) -> list[Triple]:
    """The matches that settle most of the order of these entrants, in order of their worth.

    Args:
        ratings: Of all that may sit; at least three.
        count: Matches wanted.

    Raises:
        ValueError: with fewer than three entrants.
    """
    if len(ratings) < 3:
        raise ValueError("a match needs three entrants")
    stage = _Stage(ratings, count)
    return [stage.take() for _ in range(count)]


class _Stage:
    """A stage while it is chosen."""

    def __init__(self, ratings: Mapping[str, Rating], count: int) -> None:
        self._names = sorted(ratings)
        self._mu = [ratings[name].mu for name in self._names]
        self._variance = [ratings[name].sigma ** 2 for name in self._names]
        self._most = 2 * math.ceil(count / matches_in_round(len(self._names)))
        self._taken: Counter[tuple[int, int, int]] = Counter()
        self._unseated = set(range(len(self._names)))
        self._worth: dict[tuple[int, int], float] = {}
        for pair in combinations(range(len(self._names)), 2):
            self._worth[pair] = self._pair(*pair)

    def take(self) -> Triple:
        """The next match."""
        triple = self._best()
        self._taken[triple] += 1
        self._unseated.difference_update(triple)
        self._learn(triple)
        a, b, c = (self._names[number] for number in triple)
        return a, b, c

    def _best(self) -> tuple[int, int, int]:
        """The pair worth most, with the third worth most to both; whoever has no seat comes first.

        Not the best of all triples, which would be looked for among n ** 3.
        """
        closed: set[tuple[int, int]] = set()
        while True:
            pairs = [pair for pair in self._worth if pair not in closed and self._may_lead(pair)]
            pair = max(pairs, key=self._worth.__getitem__)
            third = self._third(pair)
            if third is not None:
                return _ordered(*pair, third)
            closed.add(pair)

    def _may_lead(self, pair: tuple[int, int]) -> bool:
        return not self._unseated or pair[0] in self._unseated or pair[1] in self._unseated

    def _third(self, pair: tuple[int, int]) -> int | None:
        a, b = pair
        free = [
            c
            for c in range(len(self._names))
            if c not in pair and self._taken[_ordered(a, b, c)] < self._most
        ]
        return max(free, key=lambda c: (c in self._unseated, self._between(a, c, b)), default=None)

    def _between(self, a: int, c: int, b: int) -> float:
        return round(self._worth[min(a, c), max(a, c)] + self._worth[min(b, c), max(b, c)], _DIGITS)

    def _learn(self, triple: tuple[int, int, int]) -> None:
        """Lets the doubt about the three shrink as by a match between equals."""
        before = [self._variance[number] for number in triple]
        for number, own in zip(triple, before, strict=True):
            self._variance[number] = own * (1 - _SHRINKS * own / (sum(before) + 1.5 * _CHANCE))
        for number in triple:
            for other in range(len(self._names)):
                if other != number:
                    pair = min(number, other), max(number, other)
                    self._worth[pair] = self._pair(*pair)

    def _pair(self, a: int, b: int) -> float:
        """How open the order of two is, times what a match takes away of the doubt."""
        doubt = self._variance[a] + self._variance[b]
        better = (1 + math.erf((self._mu[a] - self._mu[b]) / math.sqrt(2 * doubt))) / 2
        return round(_entropy(better) * doubt / (doubt + _CHANCE), _DIGITS)


def _entropy(share: float) -> float:
    """In bits; 0 where nothing is open."""
    if not 0 < share < 1:
        return 0.0
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)


def _ordered(a: int, b: int, c: int) -> tuple[int, int, int]:
    first, second, third = sorted((a, b, c))
    return first, second, third
