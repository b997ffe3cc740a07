"""How probable a figure is by chance, and the correction for many of them. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

LEVEL = 0.01
"""Of a family of tests: how often an honest tournament has a finding of that kind."""
LEAST = 20
"""Matches below which nothing is tested."""

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something beyond chance."""

    kind: str
    """shift, seat, timing, limit or voids."""
    text: str
    """One line."""
    figures: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """Keys may be added, only at the end."""
        return {"kind": self.kind, "text": self.text, "figures": dict(self.figures)}


@dataclass(slots=True)
class Sums:
    """Numbers added up: enough for their mean and variance."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Take a number."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def without(self, others: "Sums") -> "Sums":
        """The numbers that are not among the others."""
        return Sums(
            self.count - others.count, self.total - others.total, self.squares - others.squares
        )

    @property
    def mean(self) -> float:
        """0 without a number."""
        return self.total / self.count if self.count else 0.0

    @property
    def error2(self) -> float:
        """The square of the mean's standard error; 0 with fewer than two numbers."""
        if self.count < 2:
            return 0.0
        spread = max(self.squares - self.total * self.total / self.count, 0.0)
        return spread / (self.count - 1) / self.count


def p_of(mean: float, error2: float, count: int) -> float:
    """Two-sided probability of Student's t, for a mean with its squared error over `count` numbers.

    By Wallace's normal approximation (Bounds on normal approximations to Student's and the
    chi-square distributions, Annals of Mathematical Statistics 30, 1959).
    """
    if error2 <= 1e-18 or count < 2:
        return 1.0 if abs(mean) < 1e-9 else 0.0
    free = count - 1
    t2 = mean * mean / error2
    z = math.sqrt(free * math.log1p(t2 / free)) * (8 * free + 1) / (8 * free + 3)
    return math.erfc(z / math.sqrt(2))


def holm(found: Mapping[Key, float], level: float = LEVEL) -> dict[Key, float]:
    """What stays significant of a family of probabilities, each corrected (Holm, 1979)."""
    kept: dict[Key, float] = {}
    worst = 0.0
    for place, (key, p) in enumerate(sorted(found.items(), key=lambda item: item[1])):
        worst = max(worst, min(1.0, p * (len(found) - place)))
        if worst > level:
            break
        kept[key] = worst
    return kept


def p_share(seen: int, among: int, share: float) -> float:
    """Probability of that many or more among so many, each with that probability."""
    if seen <= 0 or share >= 1:
        return 1.0
    if share <= 0:
        return 0.0
    logs = math.log(share), math.log1p(-share)
    top = math.lgamma(among + 1)
    return min(
        1.0,
        math.fsum(
            math.exp(
                top
                - math.lgamma(k + 1)
                - math.lgamma(among - k + 1)
                + k * logs[0]
                + (among - k) * logs[1]
            )
            for k in range(seen, among + 1)
        ),
    )
