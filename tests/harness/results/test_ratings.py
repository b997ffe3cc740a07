"""Ratings are what trueskill gives, in schedule order, whatever order the matches come in."""

import math

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st
from tongits_harness.results.ratings import RatedMatch, Rating, RatingFold, _rate_three, rate

NAMES = ("ana", "ben", "cy", "dee")
PLACES = [(1, 2, 3), (1, 1, 3), (1, 2, 2), (1, 1, 1), (3, 1, 2), (3, 1, 3), (2, 3, 1)]


@st.composite
def seasons(draw):
    trios = st.permutations(NAMES).map(lambda names: tuple(sorted(names[:3])))
    pairs = draw(st.lists(st.tuples(trios, st.sampled_from(PLACES)), max_size=5))
    return [RatedMatch(index * 3, names, places) for index, (names, places) in enumerate(pairs)]


def test_ratings_equal_the_package_called_directly():
    environment = trueskill.TrueSkill(tau=0, draw_probability=0.001)
    expected = {name: environment.create_rating() for name in NAMES}
    matches = [
        RatedMatch(0, ("ana", "ben", "cy"), (1, 2, 3)),
        RatedMatch(1, ("ana", "ben", "dee"), (1, 1, 3)),
        RatedMatch(4, ("ben", "cy", "dee"), (3, 1, 3)),
    ]
    for match in matches:
        groups = environment.rate([(expected[n],) for n in match.entrants], ranks=match.places)
        for name, (rating,) in zip(match.entrants, groups, strict=True):
            expected[name] = rating
    rated = rate(matches, NAMES)
    assert {n: (r.mu, r.sigma) for n, r in rated.items()} == {
        n: (float(r.mu), float(r.sigma)) for n, r in expected.items()
    }
    assert rated["ana"].score == rated["ana"].mu - 3 * rated["ana"].sigma


@settings(max_examples=15, deadline=None)
@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_of_matches_and_of_entrants_in_them_changes_nothing(matches, chance):
    shuffled = []
    for match in matches:
        pairs = list(zip(match.entrants, match.places, strict=True))
        chance.shuffle(pairs)
        entrants, places = zip(*pairs, strict=True)
        shuffled.append(RatedMatch(match.index, entrants, places))
    chance.shuffle(shuffled)
    assert rate(shuffled, reversed(NAMES)) == rate(matches, NAMES)


@settings(max_examples=15, deadline=None)
@given(seasons())
def test_feeding_matches_one_by_one_gives_the_same_numbers(matches):
    fold = RatingFold(NAMES)
    for number, match in enumerate(matches):
        fold.add(match)
        assert fold.ratings == rate(matches[: number + 1], NAMES)


def test_an_entrant_without_a_match_has_the_starting_rating():
    assert rate([], NAMES) == dict.fromkeys(NAMES, Rating(25.0, 25.0 / 3.0))


def test_an_upset_too_large_for_the_default_backend_is_rated_by_the_exact_one():
    before = [Rating(160.0, 1.0), Rating(25.0, 1.0), Rating(-110.0, 1.0)]
    after = _rate_three(before, [3, 2, 1])
    assert all(math.isfinite(r.mu) and math.isfinite(r.sigma) for r in after)
    assert after[0].mu < 160.0 < 25.0 + after[0].mu


@pytest.mark.parametrize(
    "match",
    [
        RatedMatch(1, ("ana", "ben", "cy"), (1, 2, 4)),
        RatedMatch(1, ("ana", "ben", "cy"), (1, 2, math.nan)),
        RatedMatch(1, ("ana", "ben", "cy"), (1, 2)),
        RatedMatch(1, ("ana", "ben", "zoe"), (1, 2, 3)),
        RatedMatch(1, ("ana", "ana", "ben"), (1, 2, 3)),
        RatedMatch(0, ("ana", "ben", "cy"), (1, 2, 3)),
    ],
    ids=["place 4", "not a number", "two places", "unknown", "twice the same", "not later"],
)
def test_what_cannot_be_rated_is_refused(match):
    fold = RatingFold(NAMES)
    fold.add(RatedMatch(0, ("ana", "ben", "cy"), (1, 2, 3)))
    with pytest.raises(ValueError, match=r"match|zip|places"):
        fold.add(match)
