"""Pairs that one method says are clearly in order, and another orders the other way. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from statistics import NormalDist

from tongits_harness.results.ratings import Rating

CLEAR = 0.95
"""Above this probability an order is said to be clear."""
_LEVEL = 1e-6
"""Log-strengths that are nearer than this order nobody."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The one is clearly better by chips or by its rating, and weaker by Plackett-Luce."""

    better: str
    worse: str
    p_chips: float | None
    """Probability that it is better, by resampled chips per game."""
    p_rating: float
    """The same by TrueSkill."""

    def to_json(self) -> dict[str, object]:
        """Keys may be added, only at the end."""
        return {
            "better": self.better,
            "worse": self.worse,
            "p_chips": None if self.p_chips is None else round(self.p_chips, 6),
            "p_rating": round(self.p_rating, 6),
        }


def disagreements(
    strengths: Mapping[str, float | None],
    matrix: Mapping[str, Mapping[str, float | None]],
    ratings: Mapping[str, Rating],
) -> tuple[Disagreement, ...]:
    """All of them, by names.

    Args:
        strengths: Log-strengths by entrant; None without a match.
        matrix: How probably each is above each other by resamples.
        ratings: By entrant.
    """
    found = []
    for better, worse in permutations(sorted(strengths), 2):
        high, low = strengths[better], strengths[worse]
        if high is None or low is None or high >= low - _LEVEL:
            continue
        p_chips, p_rating = matrix[better].get(worse), _p_above(ratings[better], ratings[worse])
        if max(p_chips or 0.0, p_rating) > CLEAR:
            found.append(Disagreement(better, worse, p_chips, p_rating))
    return tuple(found)


def _p_above(first: Rating, second: Rating) -> float:
    return NormalDist().cdf((first.mu - second.mu) / math.hypot(first.sigma, second.sigma))
