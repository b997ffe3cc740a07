"""Planted colluders are found, honest fields are left alone."""

import pytest

from tests.harness.fairplay.builders import folded


@pytest.mark.parametrize("seed", range(3))
def test_who_feeds_another_is_found_and_nobody_else(seed):
    found, tested = folded(10, 8, seed, feeds=("b1", "b4")).shifts()

    assert tested == 90
    (shift,) = found
    gives = {shift.by: -shift.chips_of_by, shift.of: -shift.chips}
    assert gives["b1"] == pytest.approx(0.5, abs=0.25)
    assert gives["b4"] == pytest.approx(-0.5, abs=0.25)
    assert shift.p < 0.01


def test_two_that_gain_together_at_the_thirds_cost_are_found():
    fold = folded(8, 12, 1, feeds=("b2", "b5"), chips=0.0)
    assert fold.shifts()[0] == ()

    both = folded(8, 12, 1, feeds=("b5", "b2"), chips=0.8).shifts()[0]
    assert [{shift.by, shift.of} for shift in both] == [{"b2", "b5"}]


def test_honest_fields_of_ten_are_left_alone():
    fields = [folded(10, 3, seed) for seed in range(100)]

    assert sum(not field.shifts()[0] for field in fields) >= 95
    # The correction is not so careful that nothing could ever be found.
    assert sum(bool(field.shifts(level=0.5)[0]) for field in fields) >= 10


def test_three_entrants_tell_nothing():
    assert folded(3, 200, 1, feeds=("b0", "b1")).shifts() == ((), 0)


def test_all_pairs_found_still_have_figures():
    found, _ = folded(4, 400, 1, feeds=("b0", "b1"), chips=5.0).shifts()

    assert {found[0].by, found[0].of} == {"b0", "b1"}
