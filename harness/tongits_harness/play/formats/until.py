"""When a tournament may stop before its last match: a small language, read and decided here.

    p(alice>bob) > 0.99                 share of the resamples with alice above bob
    sigma < 0.8                         of every entrant that is not suspended
    p(a>b) > 0.99 and p(a>c) > 0.99     all of them

It is asked at the ends of stages only, over matches that are settled: what was played where and in
which order it finished cannot change the answer. Looking often at a share and stopping at the first
one above the bound finds a difference more often than the share says (a sequential test without
correction); `tongits compare` has true error rates, this is for deciding how long to play.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tongits_harness.results.fold import Standing
from tongits_harness.results.ratings import START_SIGMA

LEAST_MATCHES = 20
"""Matches that both of a pair must have before their share is believed: of two matches, the
resamples know no more than that both were won."""

_NAME = r"([A-Za-z0-9][A-Za-z0-9_.-]*)"
_NUMBER = r"([0-9]*\.?[0-9]+)"
_ABOVE = re.compile(rf"p\s*\(\s*{_NAME}\s*>\s*{_NAME}\s*\)\s*>\s*{_NUMBER}")
_SIGMA = re.compile(rf"sigma\s*<\s*{_NUMBER}")
_EXAMPLES = "write for instance 'p(alice>bob) > 0.99', 'sigma < 0.8', or several joined by 'and'"


@dataclass(frozen=True, slots=True)
class Above:
    """One entrant is above another with more than this probability."""

    first: str
    second: str
    share: float

    @property
    def names(self) -> tuple[str, ...]:
        """Entrants it speaks of."""
        return (self.first, self.second)

    def holds(self, standing: Standing) -> bool:
        """Whether it does now."""
        if any(standing.totals[name].matches < LEAST_MATCHES for name in self.names):
            return False
        share = standing.resampling.p_above(self.first, self.second)
        return share is not None and share > self.share

    def __str__(self) -> str:
        return f"p({self.first}>{self.second}) > {self.share:g}"


@dataclass(frozen=True, slots=True)
class Sigma:
    """Every rating is surer than this."""

    bound: float

    @property
    def names(self) -> tuple[str, ...]:
        """Entrants it speaks of by name: none."""
        return ()

    def holds(self, standing: Standing) -> bool:
        """Whether it does now."""
        return all(
            rating.sigma < self.bound
            for name, rating in standing.ratings.items()
            if name not in standing.suspended
        )

    def __str__(self) -> str:
        return f"sigma < {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Until:
    """All conditions of an early stop."""

    conditions: Sequence[Above | Sigma]

    @property
    def names(self) -> frozenset[str]:
        """Entrants it speaks of by name."""
        return frozenset(name for condition in self.conditions for name in condition.names)

    def verdict(self, standing: Standing) -> str | None:
        """Why to stop now; None to go on."""
        for name in sorted(self.names & standing.suspended.keys()):
            return f"{self} cannot come any more: {name} is suspended"
        if all(condition.holds(standing) for condition in self.conditions):
            return f"{self} holds"
        return None

    def __str__(self) -> str:
        return " and ".join(map(str, self.conditions))


def read_until(text: str) -> Until:
    """The conditions meant by a text.

    Raises:
        ValueError: It is none; says which part, and how to write one.
    """
    return Until(tuple(_condition(part.strip()) for part in re.split(r"\sand\s", text)))


def _condition(text: str) -> Above | Sigma:
    if match := _ABOVE.fullmatch(text):
        first, second, share = match[1], match[2], float(match[3])
        if first == second:
            raise ValueError(f"{text!r} compares {first} with itself: name two entrants")
        if not 0.5 <= share < 1:
            raise ValueError(f"{text!r}: the probability must be at least 0.5 and below 1")
        return Above(first, second, share)
    if match := _SIGMA.fullmatch(text):
        bound = float(match[1])
        if not 0 < bound < START_SIGMA:
            raise ValueError(
                f"{text!r}: sigma begins at {START_SIGMA:.2f} and must be above 0 and below that"
            )
        return Sigma(bound)
    raise ValueError(f"{text!r} is no condition: {_EXAMPLES}")
