"""Plackett-Luce: the order of matches changes nothing, and known strengths come back."""

import math
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tongits_harness.results.disagreement import disagreements
from tongits_harness.results.fold.plackett_luce import PlackettLuce
from tongits_harness.results.ratings import Rating

NAMES = ("ana", "ben", "cy", "dee", "eve")


def fitted(matches, names=NAMES):
    made = PlackettLuce()
    for entrants, places in matches:
        made.add(entrants, places)
    return made.strengths(names)


def played(strengths, count, seed=1):
    """Matches of these log-strengths: the smallest exponential waiting time comes first."""
    chance = random.Random(seed)
    triples = list(combinations(sorted(strengths), 3))
    for number in range(count):
        names = triples[number % len(triples)]
        times = [chance.expovariate(math.exp(strengths[name])) for name in names]
        yield names, [1 + sum(other < own for other in times) for own in times]


places = st.sampled_from(
    [(1, 2, 3), (3, 1, 2), (2, 3, 1), (1, 1, 3), (3, 1, 1), (1, 2, 2), (1, 1, 1), (3, 3, 3)]
)
matches = st.lists(st.tuples(st.permutations(NAMES).map(lambda p: tuple(p[:3])), places))


@given(matches, st.randoms())
@settings(max_examples=25, deadline=None)
def test_shuffled_matches_give_the_same(played, chance):
    expected = fitted(played)
    chance.shuffle(played)
    shuffled = fitted(played)

    for name in NAMES:
        assert shuffled[name] == (expected[name] and pytest.approx(expected[name], abs=1e-9))


def test_known_strengths_are_found():
    true = {"ana": 0.6, "ben": 0.3, "cy": 0.0, "dee": -0.3, "eve": -0.6}
    found = fitted(played(true, 12_000))

    assert all(found[name] == pytest.approx(true[name], abs=0.06) for name in true)


def test_the_likelihood_is_greatest_where_the_strengths_are():
    true = dict(zip(NAMES, (1, 0.5, 0, -0.5, -1), strict=True))
    games = list(played(true, 400))
    found = fitted(games)
    logs = {name: float(value) for name, value in found.items()}

    def likelihood(logs, imaginary):
        total = 0.0
        for names, standing in games:
            order = [name for _, name in sorted(zip(standing, names, strict=True))]
            for start in (0, 1):
                among = math.log(sum(math.exp(logs[name]) for name in order[start:]))
                total += logs[order[start]] - among
        for log in logs.values():
            total += (log + imaginary) / 2 - math.log(math.exp(log) + math.exp(imaginary))
        return total

    # The imaginary entrant is where its own duels are level.
    low, high = -9.0, 9.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        won = sum(1 / (1 + math.exp(log - middle)) for log in logs.values())
        low, high = (middle, high) if won < len(logs) / 2 else (low, middle)
    best = likelihood(logs, low)
    for name in NAMES:
        for step in (-0.01, 0.01):
            assert likelihood({**logs, name: logs[name] + step}, low) < best


def test_who_always_or_never_wins_stays_finite():
    found = fitted([(("ana", "ben", "cy"), (1, 2, 3))] * 20_000)

    assert found["ana"] == pytest.approx(-found["cy"], abs=1e-6)
    assert 5 < found["ana"] < 20
    assert (found["dee"], found["eve"]) == (None, None)


def test_ties_leave_the_tied_level():
    found = fitted([(("ana", "ben", "cy"), (1, 1, 3))] * 30)

    assert found["ana"] == pytest.approx(found["ben"], abs=1e-9)
    assert found["ana"] > found["cy"]


def test_the_state_comes_back():
    made = PlackettLuce()
    for entrants, standing in played(dict.fromkeys(NAMES, 0.0), 50):
        made.add(entrants, standing)

    back = PlackettLuce.from_state(made.as_state())
    assert back.as_state() == made.as_state()
    assert back.strengths(NAMES) == made.strengths(NAMES)


def test_only_clear_orders_that_differ_are_named():
    strengths = {"ana": -0.2, "ben": 0.2, "cy": 0.0, "dee": None}
    level = {name: dict.fromkeys(strengths, 0.5) for name in strengths}
    ratings = dict.fromkeys(strengths, Rating(25, 1))
    assert disagreements(strengths, level, ratings) == ()

    by_chips = {**level, "ana": {**level["ana"], "ben": 0.96}, "ben": {**level["ben"], "cy": 0.99}}
    by_rating = {**ratings, "cy": Rating(29, 1)}
    named = [(d.better, d.worse) for d in disagreements(strengths, by_chips, by_rating)]
    assert named == [("ana", "ben"), ("cy", "ben")]
