"""Resamples are reproducible, and their ranges mean what they say."""

import random
import time

from tongits_harness.results.bootstrap import mean_chips, resample


def blocks(count, lead=0, seed=1):
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        a, b = chance.randint(-9, 9) + lead, chance.randint(-9, 9)
        made.append({"ana": (a, 2), "ben": (b, 2), "cy": (-a - b, 2)})
    return made


def test_the_same_seed_gives_the_same_spread_and_another_seed_another():
    names = ("ana", "ben", "cy")
    assert resample(blocks(50), names, "cup") == resample(blocks(50), reversed(names), "cup")
    assert resample(blocks(50), names, "cup") != resample(blocks(50), names, "pot")


def test_a_clear_leader_has_a_narrow_range():
    spread = resample(blocks(200, lead=8), ("ana", "ben", "cy"), "cup")
    assert (spread["ana"].rank_low, spread["ana"].rank_high) == (1, 1)
    assert spread["ana"].chips_low > 3 > spread["ben"].chips_high


def test_entrants_that_are_level_to_the_chip_share_their_ranks():
    level = [{"ana": (0, 2), "ben": (0, 2), "cy": (0, 2)}] * 5
    for spread in resample(level, ("ana", "ben", "cy"), "cup").values():
        assert (spread.rank_low, spread.rank_high) == (1, 3)
        assert (spread.chips_low, spread.chips_high) == (0.0, 0.0)


def test_an_entrant_without_a_game_ranks_behind_the_others():
    spread = resample(blocks(5), ("ana", "ben", "cy", "dee"), "cup")["dee"]
    assert (spread.rank_low, spread.rank_high) == (4, 4)
    assert spread.chips_low is None
    assert mean_chips(blocks(5), "dee") is None


def test_without_a_match_every_rank_is_possible():
    spread = resample([], ("ana", "ben", "cy"), "cup")["ben"]
    assert (spread.rank_low, spread.rank_high, spread.chips_low) == (1, 3, None)


def test_three_thousand_matches_take_a_moment():
    many = blocks(3000)
    start = time.process_time()
    resample(many, ("ana", "ben", "cy"), "cup")
    assert time.process_time() - start < 2  # about half a second on one quiet core
