"""Simulated tournaments: chips are normal around an additive model, over whole matches."""

import random
from itertools import combinations

from tongits_harness.fairplay.shifts import ShiftFold
from tongits_harness.results.match_result import EntrantOutcome, MatchResult

GAMES = 10
SPREAD = 7.0
"""Standard deviation of a match's chips: about that of ten games."""


def names_of(entrants):
    return [f"b{number}" for number in range(entrants)]


def simulated(entrants, rounds, seed, *, feeds=None, chips=0.5):
    """(triple, chips of a match): `feeds` = (giver, taker), who sit together."""
    chance = random.Random(seed)
    names = names_of(entrants)
    strength = {name: GAMES * 0.1 * (number - 2) for number, name in enumerate(names)}
    for _ in range(rounds):
        for triple in combinations(names, 3):
            luck = [chance.gauss(0, SPREAD) for _ in triple]
            total = sum(strength[name] for name in triple)
            won = dict.fromkeys(triple, 0.0)
            for name, own in zip(triple, luck, strict=True):
                won[name] = 1.5 * strength[name] - total / 2 + own - sum(luck) / 3
            if feeds and set(feeds) <= set(triple):
                giver, taker = feeds
                won[giver] -= chips * GAMES
                won[taker] += chips * GAMES
            a, b, _ = (round(value) for value in won.values())
            yield triple, (a, b, -a - b)


def folded(*args, **options):
    fold = ShiftFold()
    for index, (triple, chips) in enumerate(simulated(*args, **options)):
        a, b, c = (
            EntrantOutcome(name, 1, won, GAMES, forfeited=False, process_lost=False)
            for name, won in zip(triple, chips, strict=True)
        )
        fold.add(MatchResult(index, f"{index:08x}", 0, (a, b, c)))
    return fold
