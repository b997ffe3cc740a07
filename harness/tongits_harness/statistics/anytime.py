"""An interval for a mean that holds whenever one looks, also where a test has stopped. Pure.

The usual interval is too short where the moment of looking depends on what was seen. This one is
Robbins' mixture boundary with the spread estimated, an asymptotic confidence sequence: Robbins,
Statistical methods related to the law of the iterated logarithm, Annals of Mathematical Statistics
41 (1970); Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, Time-uniform central limit theory and
asymptotic confidence sequences, Annals of Statistics 52 (2024).

It is wider than the usual one, by about half where it is shortest. The mean within it is still
drawn away from d0 or d1 a little where a test has stopped early.
"""

import math

from tongits_harness.statistics.sprt import Evidence

_SHORTEST_AT = 400
"""Pairs at which the interval is shortest for what it holds; it matters little."""


def interval(evidence: Evidence, level: float = 0.95) -> tuple[float, float] | None:
    """Where the true difference is with that probability, at every moment of a test together.

    None while nothing varies.
    """
    if evidence.variance <= 0:
        return None
    alpha = 1 - level
    weight = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / _SHORTEST_AT
    seen = evidence.pairs * weight
    half = math.sqrt((seen + 1) / (seen * evidence.pairs) * math.log((seen + 1) / alpha**2))
    half *= evidence.deviation
    return evidence.mean - half, evidence.mean + half
