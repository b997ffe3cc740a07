"""The sequential test on a few differences by hand."""

import math

import pytest
from tongits_harness.statistics.anytime import interval
from tongits_harness.statistics.sprt import (
    FEWEST_DIFFERENT,
    IDENTICAL_AFTER,
    Evidence,
    Hypotheses,
    Verdict,
    log_likelihood_ratio,
    verdict_of,
)

SIDES = Hypotheses(0.0, 0.5)


def taken(differences):
    evidence = Evidence()
    for difference in differences:
        evidence = evidence.add(difference)
    return evidence


def test_the_ratio_is_that_of_two_normal_fits():
    evidence = taken([1.0, -0.5, 0.25, 0.75])

    def likelihood(mean):
        spread = sum((x - mean) ** 2 for x in (1.0, -0.5, 0.25, 0.75)) / 4
        return -2 * math.log(2 * math.pi * spread) - 2

    expected = likelihood(0.5) - likelihood(0.0)
    assert log_likelihood_ratio(evidence, SIDES) == pytest.approx(expected)


def test_halfway_between_the_hypotheses_nothing_speaks_for_either():
    assert log_likelihood_ratio(taken([1.25, -0.75]), SIDES) == pytest.approx(0)


def test_differences_of_the_other_sign_with_the_hypotheses_mirrored_give_the_other_verdict():
    differences = [1.0, -0.2, 0.8, 0.1] * 40
    mirrored = [-x for x in differences]

    better = verdict_of(taken(differences), Hypotheses(0.0, 0.4), 10_000)
    not_better = verdict_of(taken(mirrored), Hypotheses(-0.4, 0.0), 10_000)

    assert (better, not_better) == (Verdict.BETTER, Verdict.NOT_BETTER)


def test_there_is_no_verdict_while_hardly_any_pair_differs():
    few = taken([3.0, 2.0] * (FEWEST_DIFFERENT // 2 - 1) + [0.0] * 5)

    assert log_likelihood_ratio(few, SIDES) > 0
    assert verdict_of(few, SIDES, 10_000) is None


def test_pairs_that_are_all_level_are_called_identical_and_one_that_is_not_prevents_it():
    level = taken([0.0] * IDENTICAL_AFTER)

    assert verdict_of(taken([0.0] * (IDENTICAL_AFTER - 1)), SIDES, 10_000) is None
    assert verdict_of(level, SIDES, 10_000) is Verdict.IDENTICAL
    assert verdict_of(level.add(0.5), SIDES, 10_000) is None
    assert interval(level) is None


def test_the_bound_ends_every_test_without_an_answer():
    open_still = taken([1.0, -1.0, 0.75, 0.25] * 3)

    assert verdict_of(open_still, SIDES, 13) is None
    ended = verdict_of(open_still, SIDES, 12)
    assert ended is Verdict.UNDECIDED
    assert not ended.is_answer


@pytest.mark.parametrize(
    ("d0", "d1", "alpha", "said"),
    [(0.2, 0.2, 0.01, "above d0"), (0.0, 0.2, 0.5, "alpha"), (0.0, 0.2, 0.0, "alpha")],
)
def test_hypotheses_that_cannot_be_told_apart_are_refused(d0, d1, alpha, said):
    with pytest.raises(ValueError, match=said):
        Hypotheses(d0, d1, alpha)
