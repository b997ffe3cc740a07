"""Is one bot better than another? A sequential test on paired differences. Pure.

A generalised sequential probability ratio test: of two hypotheses on the mean of the differences,
H0 "at most d0" and H1 "at least d1", one is accepted as soon as the logarithm of the likelihood
ratio leaves Wald's bounds. What else there is to know of the distribution, its spread, takes its
most likely value under each hypothesis, as if differences were normal; their sums soon are.

Wald, Sequential tests of statistical hypotheses, Annals of Mathematical Statistics 16 (1945).
Li, Liu, Ying, Generalized sequential probability ratio test for separate families of hypotheses,
Sequential Analysis 33 (2014). Van den Bergh, A practical introduction to the GSPRT: the testers of
chess engines use it with five possible results of a pair; chips have many more.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

FEWEST_DIFFERENT = 48
"""No verdict before so many pairs with a difference: before, the spread is known too badly."""
_HELD_BACK = 2.0
"""The bounds are those of rates so many times smaller. Where most pairs tie and few differ by much,
sums are not normal for a long time: without this, 1 % would be 4 % in the worst case recorded."""
IDENTICAL_AFTER = 128
"""So many pairs, all of them level to the chip, end the test: fewer than 1 in 28 differ (99 %)."""


class Verdict(StrEnum):
    """What a test can come to."""

    BETTER = "better"
    """H1 was accepted."""
    NOT_BETTER = "not better"
    """H0 was accepted: by less than d1, if at all."""
    IDENTICAL = "identical"
    """Every pair was the same to the chip."""
    UNDECIDED = "undecided"
    """The bound on pairs was reached."""

    @property
    def is_answer(self) -> bool:
        """The question has been answered."""
        return self is not Verdict.UNDECIDED


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is to be told apart, and how surely; differences are in chips per game.

    Raises:
        ValueError: d1 is not above d0, or a rate is not between 0 and 0.5.
    """

    d0: float
    d1: float
    alpha: float = 0.01
    """Probability of "better" where the difference is d0, at most."""
    beta: float = 0.01
    """Probability of "not better" where the difference is d1, at most."""

    def __post_init__(self) -> None:
        if not self.d0 < self.d1:
            raise ValueError(f"d1 ({self.d1:g}) must be above d0 ({self.d0:g})")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} ({rate:g}) must be above 0 and below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds on the log likelihood ratio: H0 is accepted below, H1 above them.

        The ratio does not stop on a bound but somewhat beyond it: that makes the rates lower still.
        """
        alpha, beta = self.alpha / _HELD_BACK, self.beta / _HELD_BACK
        return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pairs taken so far."""

    pairs: int = 0
    different: int = 0
    """Pairs with a difference."""
    total: float = 0.0
    squares: float = 0.0

    def add(self, difference: float) -> "Evidence":
        """One more pair: chips per game of the new bot less those of the old one."""
        return Evidence(
            self.pairs + 1,
            self.different + (difference != 0),
            self.total + difference,
            self.squares + difference * difference,
        )

    @property
    def mean(self) -> float:
        """0 without a pair."""
        return self.total / self.pairs if self.pairs else 0.0

    @property
    def variance(self) -> float:
        """Most likely variance of a pair's difference."""
        return max(0.0, self.squares / self.pairs - self.mean**2) if self.pairs else 0.0

    @property
    def deviation(self) -> float:
        """Standard deviation of a pair's difference."""
        return math.sqrt(self.variance)


def log_likelihood_ratio(evidence: Evidence, hypotheses: Hypotheses) -> float:
    """How much better H1 explains the differences than H0; 0 while nothing varies.

    n/2 * ln((v + (m - d0)^2) / (v + (m - d1)^2)) for mean m and variance v of n normal differences.
    """
    if evidence.variance <= 0:
        return 0.0
    off0 = evidence.variance + (evidence.mean - hypotheses.d0) ** 2
    off1 = evidence.variance + (evidence.mean - hypotheses.d1) ** 2
    return evidence.pairs / 2 * math.log(off0 / off1)


def verdict_of(evidence: Evidence, hypotheses: Hypotheses, most_pairs: int) -> Verdict | None:
    """The verdict once there is one; the first one ends the test.

    Args:
        evidence: The pairs, taken in an order that was settled before they were played.
        hypotheses: What is told apart.
        most_pairs: The bound.
    """
    if evidence.different >= FEWEST_DIFFERENT:
        lower, upper = hypotheses.bounds
        ratio = log_likelihood_ratio(evidence, hypotheses)
        if ratio >= upper:
            return Verdict.BETTER
        if ratio <= lower:
            return Verdict.NOT_BETTER
    if evidence.pairs >= IDENTICAL_AFTER and not evidence.different:
        return Verdict.IDENTICAL
    return Verdict.UNDECIDED if evidence.pairs >= most_pairs else None
