"""Opponents are taken out of the chips; how many matches a gap still needs."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_harness.results.fold.edges import edges, met_of
from tongits_harness.results.fold.resampling import Gap, Resampling

NAMES = ("a", "b", "c", "d", "e")
SCALE = 1000
"""Games of a match: so many that chips are whole numbers nearly without rounding."""


def sums_of(strengths, counts):
    """Chips, games and meetings where every match goes as the strengths have it."""
    chips, games = dict.fromkeys(NAMES, 0.0), dict.fromkeys(NAMES, 0)
    pairs = {}
    for three, count in zip(combinations(NAMES, 3), counts, strict=True):
        for name in three:
            others = [strengths[other] for other in three if other != name]
            chips[name] += count * SCALE * (strengths[name] - sum(others) / 2)
            games[name] += count * SCALE
        for pair in combinations(three, 2):
            met = pairs.get(pair, 0) + count * SCALE
            pairs[pair] = met
    sums = {name: (round(chips[name]), games[name]) for name in NAMES}
    return sums, met_of({pair: (met, met) for pair, met in pairs.items()})


@given(
    st.lists(st.floats(-3, 3), min_size=5, max_size=5),
    st.lists(st.integers(1, 20), min_size=10, max_size=10),
)
def test_the_strengths_behind_any_schedule_are_found(strengths, counts):
    planted = dict(zip(NAMES, strengths, strict=True))
    middle = sum(strengths) / len(strengths)

    found = edges(*sums_of(planted, counts))

    for name in NAMES:
        assert found[name] == pytest.approx(planted[name] - middle, abs=0.01)


def test_who_met_weak_ones_only_gains_nothing_by_it():
    """Chips a game of `b` are higher than those of `a`, who met the strong ones."""
    planted = {"a": 1.0, "b": 0.5, "c": 2.0, "d": -2.0, "e": -2.0}
    counts = [1 if "c" not in three or "b" not in three else 0 for three in combinations(NAMES, 3)]
    counts = [
        9 * n if "a" in three and "c" in three else n
        for n, three in zip(counts, combinations(NAMES, 3), strict=True)
    ]
    sums, met = sums_of(planted, counts)

    found = edges(sums, met)

    assert sums["b"][0] / sums["b"][1] > sums["a"][0] / sums["a"][1]
    assert found["a"] > found["b"]


def test_without_a_game_there_is_no_edge():
    assert edges({"a": (0, 0), "b": (0, 0)}, {}) == {"a": None, "b": None}


@pytest.mark.parametrize(
    ("chips", "error", "matches", "needed"),
    [(2.0, 1.0, 100, 0), (1.0, 1.0, 100, 285), (-1.0, 1.0, 100, 285), (0.0, 1.0, 100, None)],
)
def test_a_gap_needs_as_many_matches_as_make_it_two_errors_wide(chips, error, matches, needed):
    assert Gap(chips, error).matches_needed(matches) == needed


def test_the_error_of_a_gap_shrinks_with_the_root_of_the_matches():
    errors = []
    for matches in (100, 400):
        resampling = Resampling(("a", "b", "c"), "seed")
        for index in range(matches):
            chips = 5 if index % 2 else -3
            resampling.add(index, {"a": (chips, 2), "b": (-chips, 2), "c": (0, 2)})
        gap = resampling.gap("a", "b")
        assert gap.chips == pytest.approx(1.0)
        errors.append(gap.error)
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.2)


def test_nothing_is_said_of_who_has_not_played():
    resampling = Resampling(("a", "b", "c", "d"), "seed")
    resampling.add(0, {"a": (1, 2), "b": (-1, 2), "c": (0, 2)})
    assert resampling.gap("a", "d") is None
