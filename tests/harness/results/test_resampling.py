"""Resamples are reproducible, and their ranges mean what they say."""

import json
import random

import pytest
from tongits_harness.results.fold import Resampling

NAMES = ("ana", "ben", "cy")


def taken(count, lead=0, seed=1, names=NAMES, of="cup"):
    chance = random.Random(seed)
    made = Resampling(names, of)
    for index in range(count):
        a, b = chance.randint(-9, 9) + lead, chance.randint(-9, 9)
        made.add(index, {"ana": (a, 2), "ben": (b, 2), "cy": (-a - b, 2)})
    return made


def test_the_same_seed_gives_the_same_spread_and_another_seed_another():
    assert taken(50).spreads() == taken(50, names=NAMES[::-1]).spreads()
    assert taken(50).spreads() != taken(50, of="pot").spreads()


def test_a_clear_leader_has_a_narrow_range_and_is_above_the_others_for_sure():
    made = taken(200, lead=8)
    spread = made.spreads()
    assert (spread["ana"].rank_low, spread["ana"].rank_high) == (1, 1)
    assert spread["ana"].chips_low > 3 > spread["ben"].chips_high
    assert made.p_above("ana", "ben") == 1.0
    assert made.matrix()["ben"]["ana"] == 0.0


def test_entrants_that_are_level_to_the_chip_share_their_ranks():
    made = Resampling(NAMES, "cup")
    for index in range(5):
        made.add(index, dict.fromkeys(NAMES, (0, 2)))
    for spread in made.spreads().values():
        assert (spread.rank_low, spread.rank_high) == (1, 3)
        assert (spread.chips_low, spread.chips_high) == (0.0, 0.0)
    assert made.p_above("ana", "ben") == 0.5


def test_an_entrant_without_a_game_ranks_behind_the_others():
    made = taken(5, names=(*NAMES, "dee"))
    spread = made.spreads()["dee"]
    assert (spread.rank_low, spread.rank_high) == (4, 4)
    assert spread.chips_low is None
    assert made.mean("dee") is None
    assert made.p_above("dee", "ana") is None


def test_without_a_match_every_rank_is_possible():
    spread = Resampling(NAMES, "cup").spreads()["ben"]
    assert (spread.rank_low, spread.rank_high, spread.chips_low) == (1, 3, None)


def test_going_on_from_a_state_gives_what_going_on_without_a_break_gives():
    whole, half = taken(60), taken(30)
    again = Resampling.from_state(json.loads(json.dumps(half.as_state())), "cup")
    chance = random.Random(1)
    for index in range(60):
        a, b = chance.randint(-9, 9), chance.randint(-9, 9)
        if index >= 30:
            again.add(index, {"ana": (a, 2), "ben": (b, 2), "cy": (-a - b, 2)})
    assert again.as_state() == whole.as_state()


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    held = 0
    for seed in range(200):
        spread = taken(40, seed=seed, of=str(seed)).spreads()["ben"]
        held += spread.chips_low <= 0 <= spread.chips_high
    assert held / 200 == pytest.approx(0.95, abs=0.05)
