"""The error rates of the sequential test, on differences as real pairs have them.

Differences are drawn from recorded pairs of real matches (`record`), tilted exponentially so that
their mean is exactly what a hypothesis says: that keeps ties and long tails, and is the hardest
case at that mean. Seeds are fixed, so the counts below are always the same; the bounds leave room
for three standard errors of the simulation, as they would have to for another seed.
"""

import math
from itertools import accumulate
from random import Random

import pytest
from tongits_harness.statistics.anytime import interval
from tongits_harness.statistics.sprt import Evidence, Hypotheses, Verdict, verdict_of

from tests.statistics.figures import drawn_from

RATE = 0.01
TESTS = 500
"""Of each case."""
RECORDED = drawn_from()


def tilted(counted, mean):
    """Weights with which these differences have that mean."""
    low, high = -20.0, 20.0
    for _ in range(200):
        slope = (low + high) / 2
        weights = {x: n * math.exp(slope * (x - mean)) for x, n in counted.items()}
        if sum(w * (x - mean) for x, w in weights.items()) < 0:
            low = slope
        else:
            high = slope
    return weights


def spread(weights):
    total = sum(weights.values())
    mean = sum(w * x for x, w in weights.items()) / total
    return math.sqrt(sum(w * (x - mean) ** 2 for x, w in weights.items()) / total)


def run_test(weights, hypotheses, chance, most_pairs=100_000):
    """One simulated test to its verdict."""
    values, sums = list(weights), list(accumulate(weights.values()))
    evidence, verdict = Evidence(), None
    while verdict is None:
        for difference in chance.choices(values, cum_weights=sums, k=32):
            evidence = evidence.add(difference)
            verdict = verdict_of(evidence, hypotheses, most_pairs)
            if verdict is not None:
                break
    return verdict, evidence


def room(count):
    """Three standard errors of a rate of 1 % seen in so many tests."""
    return 3 * math.sqrt(RATE * (1 - RATE) / count)


@pytest.fixture(scope="module")
def outcomes():
    """(what, where the truth is) -> verdicts and evidence of all its simulated tests."""
    made = {}
    for what, counted in sorted(RECORDED.items()):
        effect = 0.35 * spread(tilted(counted, 0))
        for truth in (0, 1):
            weights = tilted(counted, truth * effect)
            chance = Random(f"{what} {truth}")
            hypotheses = Hypotheses(0.0, effect, RATE, RATE)
            made[what, truth] = [run_test(weights, hypotheses, chance) for _ in range(TESTS)]
    return made


@pytest.mark.parametrize(("truth", "wrong"), [(0, Verdict.BETTER), (1, Verdict.NOT_BETTER)])
def test_wrong_verdicts_are_no_more_frequent_than_promised(outcomes, truth, wrong):
    rates = {
        what: sum(verdict is wrong for verdict, _ in tests) / TESTS
        for (what, where), tests in outcomes.items()
        if where == truth
    }

    assert max(rates.values()) <= RATE + room(TESTS), rates
    assert sum(rates.values()) / len(rates) <= RATE + room(TESTS * len(rates)), rates


def test_every_test_ends_and_soon(outcomes):
    for tests in outcomes.values():
        verdicts = {verdict for verdict, _ in tests}
        assert verdicts <= {Verdict.BETTER, Verdict.NOT_BETTER}
        pairs = [evidence.pairs for _, evidence in tests]
        assert sum(pairs) / len(pairs) < 25 / 0.35**2  # times (spread / d1)^2


def test_the_interval_holds_at_the_moment_of_stopping(outcomes):
    for (what, truth), tests in outcomes.items():
        mean = truth * 0.35 * spread(tilted(RECORDED[what], 0))
        missed = sum(not low <= mean <= high for low, high in map(found, tests))
        assert missed / len(tests) <= 0.05, (what, truth)


def found(test):
    limits = interval(test[1])
    assert limits is not None
    return limits


def test_what_lies_between_the_hypotheses_is_decided_either_way_and_takes_longest():
    what = "tongits-lite caller-cautious 6"
    effect = 0.35 * spread(tilted(RECORDED[what], 0))
    weights, chance = tilted(RECORDED[what], effect / 2), Random(1)
    tests = [run_test(weights, Hypotheses(0.0, effect), chance) for _ in range(300)]

    better = sum(verdict is Verdict.BETTER for verdict, _ in tests)
    assert 110 < better < 190
    assert 150 < sum(evidence.pairs for _, evidence in tests) / len(tests) < 350
