"""Ratings: a pure fold of matches in schedule order. The only module that calls trueskill."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import trueskill

DRAW_PROBABILITY = 0.001
"""Small but not 0: with 0 every tie is computed wrongly or not at all (trueskill 0.4.5)."""
START_MU = 25.0
START_SIGMA = 25.0 / 3.0


@dataclass(frozen=True, slots=True)
class Rating:
    """Belief about an entrant's strength."""

    mu: float = START_MU
    sigma: float = START_SIGMA

    @property
    def score(self) -> float:
        """What standings go by: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match as the rating sees it."""

    index: int
    """Position in schedule order."""
    entrants: tuple[str, str, str]
    places: tuple[int, int, int]
    """1..3 in the order of `entrants`; equal numbers are ties."""


class RatingFold:
    """Ratings after the matches taken so far; fed in schedule order it gives what `rate` gives."""

    def __init__(self, entrants: Iterable[str]) -> None:
        self._ratings = {name: Rating() for name in sorted(entrants)}
        self._last = -1

    @classmethod
    def from_ratings(cls, ratings: Mapping[str, Rating], last: int) -> "RatingFold":
        """Goes on from these ratings, after the match of that index."""
        made = cls(())
        made._ratings = dict(sorted(ratings.items()))
        made._last = last
        return made

    @property
    def ratings(self) -> Mapping[str, Rating]:
        """A copy, by name."""
        return dict(self._ratings)

    def add(self, match: RatedMatch) -> None:
        """Take the next match.

        Raises:
            ValueError: Not later in the schedule than the one before, an unknown or doubled
                entrant, or places that are none.
        """
        self._check(match)
        self._last = match.index
        order = sorted(zip(match.entrants, match.places, strict=True))
        before = [self._ratings[name] for name, _ in order]
        after = _rate_three(before, [place for _, place in order])
        for (name, _), rating in zip(order, after, strict=True):
            self._ratings[name] = rating

    def _check(self, match: RatedMatch) -> None:
        if match.index <= self._last:
            raise ValueError(f"match {match.index} after match {self._last}: not schedule order")
        if len(set(match.entrants)) != 3 or not self._ratings.keys() >= set(match.entrants):
            raise ValueError(f"match {match.index}: not three known entrants: {match.entrants}")
        if any(type(place) is not int or not 1 <= place <= 3 for place in match.places):
            raise ValueError(f"match {match.index}: places are 1..3, not {match.places}")


def rate(matches: Iterable[RatedMatch], entrants: Iterable[str]) -> dict[str, Rating]:
    """The rating of every entrant after all matches, which may come in any order.

    Raises:
        ValueError: As `RatingFold.add`; also if an index occurs twice.
    """
    fold = RatingFold(entrants)
    for match in sorted(matches, key=lambda match: match.index):
        fold.add(match)
    return dict(fold.ratings)


def _rate_three(before: list[Rating], ranks: list[int]) -> list[Rating]:
    try:
        return _rate_with(_environment(None), before, ranks)
    except (FloatingPointError, ZeroDivisionError, ValueError):
        return _rate_with(_environment("mpmath"), before, ranks)


def _rate_with(
    environment: trueskill.TrueSkill, before: list[Rating], ranks: list[int]
) -> list[Rating]:
    groups = [(environment.create_rating(rating.mu, rating.sigma),) for rating in before]
    return [
        Rating(float(rating.mu), float(rating.sigma))
        for (rating,) in environment.rate(groups, ranks=ranks)
    ]


@cache
def _environment(backend: str | None) -> trueskill.TrueSkill:
    """An instance of our own: `trueskill.setup` would change one shared by the whole process."""
    return trueskill.TrueSkill(tau=0, draw_probability=DRAW_PROBABILITY, backend=backend)
