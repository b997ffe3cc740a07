"""Copies of one bot: the statistics of a tournament must not tell them apart more than chance does.

A tournament calls two bots different at 99 % where P(A above B) is beyond 0.99 either way: by
chance 2 % of the pairs. `test_real_copies` does it with real tournaments.
"""

from random import Random

import pytest
from tongits_engine import rules_named
from tongits_harness.results.fold import Resampling

from tests.bots.games import VARIANTS, load_decide
from tests.statistics.tables import Tables, chips_by_entrant

NAMES = tuple(f"copy{number}" for number in range(10))
PLAYED, TOURNAMENTS, MATCHES = 240, 15, 700
SAID = 0.99


@pytest.fixture(scope="module")
def results():
    """Chips of three copies of a bot that plays by chance, in so many matches of one game."""
    tables, random = Tables(rules_named("tongits-lite"), games=1), load_decide("random")
    return [
        chips_by_entrant(tables.play_match(f"copies{number}", (random,) * 3, 1)[0])
        for number in range(PLAYED)
    ]


def tournament(results, number):
    """P(A above B) of all pairs of ten copies; who got which of the chips is left to chance."""
    chance, made = Random(number), Resampling(NAMES, f"copies{number}")
    for index in range(MATCHES):
        chips = chance.sample(chance.choice(results), 3)
        seated = zip(chance.sample(NAMES, 3), chips, strict=True)
        made.add(index, {name: (value, 1) for name, value in seated})
    matrix = made.matrix()
    return [matrix[a][b] for a in NAMES for b in NAMES if a < b]


def test_copies_are_told_apart_no_more_often_than_chance_allows(results):
    tournaments = [tournament(results, number) for number in range(TOURNAMENTS)]
    told = [sum(max(p, 1 - p) > SAID for p in shares) for shares in tournaments]

    # 2 % of 45 pairs each. Pairs with a bot in common go together: over many tournaments their
    # numbers vary by 1.6, so that the mean of fifteen stays below this but once in a thousand.
    assert sum(told) / len(told) <= 0.9 + 3.1 * 1.6 / TOURNAMENTS**0.5
    assert min(min(shares) for shares in tournaments) < 0.05  # and it is no constant


@pytest.mark.parametrize("variant", VARIANTS)
def test_copies_of_a_bot_without_chance_tie_every_match_to_the_chip(variant):
    greedy = load_decide("greedy")
    for number in range(5):
        sessions = Tables(rules_named(variant)).play_match(f"k{number}", (greedy,) * 3, 6)
        totals = [sum(chips) for chips in zip(*map(chips_by_entrant, sessions), strict=True)]
        assert totals == [0, 0, 0]
