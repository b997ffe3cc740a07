"""A difference is called if it is beyond noise, and hardly ever if there is none."""

import math
import random

import pytest

from tests.bench.verdicts import ALPHA, FLOOR_BETWEEN_FILES, judge, p_value

# From the published table of the exact distribution of U: its two-sided 1 % bounds.
TABLE = [(5, 5, 0), (6, 6, 2), (7, 7, 4), (8, 8, 7), (7, 5, 1), (10, 10, 16)]


def samples_with(u, m, n):
    """a and b, all different, with U = u: so many pairs in which b's is the larger."""
    b_at = [0] * n
    for place in range(n):
        b_at[place] = min(m, u)
        u -= b_at[place]
    a = [float(k) for k in range(m)]
    return a, [below - 0.5 + 0.001 * place for place, below in enumerate(b_at)]


@pytest.mark.parametrize(("m", "n", "u"), TABLE)
def test_the_exact_test_agrees_with_the_published_bounds(m, n, u):
    assert p_value(*samples_with(u, m, n)) <= ALPHA < p_value(*samples_with(u + 1, m, n))


def test_the_distribution_of_two_and_two():
    assert p_value([1, 2], [3, 4]) == pytest.approx(2 / 6)
    assert p_value([1, 3], [2, 4]) == pytest.approx(4 / 6)
    assert p_value([1, 4], [2, 3]) == 1.0


def test_with_ties_every_split_counts():
    assert p_value([1, 1, 1], [1, 1, 1]) == 1.0
    assert p_value([1, 1], [2, 2]) == pytest.approx(2 / 6)
    assert p_value([1, 2, 2, 3], [2, 3, 3, 4]) == p_value([2, 3, 3, 4], [1, 2, 2, 3])


def test_many_values_with_ties_are_judged_by_the_normal_law():
    a, b = [1.0] * 10 + [2.0] * 10, [2.0] * 10 + [3.0] * 10
    assert p_value(a, b) < 0.001


@pytest.mark.parametrize(
    ("factor", "kind", "word"),
    [
        (1.20, "higher", "better"),
        (0.80, "higher", "worse"),
        (1.20, "lower", "worse"),
        (0.80, "lower", "better"),
        (1.20, "neither", "more"),
        (0.80, "neither", "less"),
    ],
)
def test_what_moved_beyond_noise_is_called_by_its_direction(factor, kind, word):
    a = [100.0, 101, 99, 102, 98, 100.5, 99.5]
    verdict = judge(a, [factor * value for value in a], kind)
    assert verdict.word == word
    assert verdict.ratio == pytest.approx(factor)


def test_a_sure_but_tiny_difference_is_the_same():
    a = [100.0, 100.1, 100.2, 100.3, 100.4, 100.5, 100.6]
    assert judge(a, [value * 1.02 for value in a], "higher").word == "same"
    assert judge(a, [value * 1.14 for value in a], "higher", FLOOR_BETWEEN_FILES).word == "same"


def test_a_large_difference_within_the_noise_is_the_same():
    a = [100.0, 60, 140, 80, 120, 90, 110]
    assert judge(a, [value * 1.2 for value in a], "higher").word == "same"


def test_four_rounds_are_too_few_to_say_anything():
    verdict = judge([1.0] * 4, [9.0] * 4, "higher")
    assert verdict.word == "unsure"
    assert math.isnan(verdict.p)


def test_figures_that_are_nought_are_no_difference():
    assert judge([0.0] * 5, [0.0] * 5, "lower").word == "same"
    assert judge([0.0] * 5, [1.0, 1.1, 1.2, 1.3, 1.4], "lower").word == "same"


def test_without_a_change_fewer_than_one_in_a_hundred_is_called():
    chance = random.Random(7)

    def rounds():
        return [100 * math.exp(chance.gauss(0, 0.1)) for _ in range(7)]

    called = sum(judge(rounds(), rounds(), "higher").word != "same" for _ in range(2000))
    assert called <= 2000 * ALPHA * 1.5


def test_a_change_of_a_third_in_noise_of_a_tenth_is_nearly_always_seen():
    chance = random.Random(7)

    def rounds(middle):
        return [middle * math.exp(chance.gauss(0, 0.1)) for _ in range(7)]

    seen = sum(judge(rounds(100), rounds(133), "higher").word == "better" for _ in range(500))
    assert seen > 450
