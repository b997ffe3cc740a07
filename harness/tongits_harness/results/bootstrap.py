"""How sure a ranking is: matches drawn again with replacement. Pure and reproducible.

A match is one block (its sessions share their shuffles, so they are not independent). Entrants of a
resample are ranked by mean chips per game.
"""

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter, mul

RESAMPLES = 200
_TAIL = RESAMPLES * 25 // 1000
"""Values cut off at each end so that 95 % remain."""

Block = Mapping[str, tuple[int, int]]
"""One match: entrant -> (chips, games); an entrant that forfeited it is left out."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Where 95 % of the resamples put an entrant."""

    rank_low: int
    """Best rank, from 1."""
    rank_high: int
    """Worst rank; entrants that are exactly level share the whole span of their ranks."""
    chips_low: float | None
    """Chips per game; None without a game."""
    chips_high: float | None


def resample(blocks: Sequence[Block], entrants: Iterable[str], seed: str) -> dict[str, Spread]:
    """The spread of every entrant over 200 resamples drawn from `seed`."""
    series = {name: _Series(name, blocks) for name in sorted(entrants)}
    chance = random.Random(int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big"))
    means: dict[str, list[float | None]] = {name: [] for name in series}
    ranks: dict[str, list[tuple[int, int]]] = {name: [] for name in series}
    for _ in range(RESAMPLES):
        counts = _draw(chance, len(blocks))
        sample = {name: one.mean(counts) for name, one in series.items()}
        for name, rank in _ranks(sample).items():
            means[name].append(sample[name])
            ranks[name].append(rank)
    return {name: _spread(ranks[name], means[name]) for name in series}


def mean_chips(blocks: Iterable[Block], entrant: str) -> float | None:
    """Chips per game of an entrant over all blocks; None without a game."""
    pairs = [block[entrant] for block in blocks if entrant in block]
    games = sum(games for _, games in pairs)
    return sum(chips for chips, _ in pairs) / games if games else None


class _Series:
    """One entrant's blocks as columns, so that a resample is two weighted sums."""

    def __init__(self, name: str, blocks: Sequence[Block]) -> None:
        places = [number for number, block in enumerate(blocks) if name in block]
        self._chips = [blocks[number][name][0] for number in places]
        self._games = [blocks[number][name][1] for number in places]
        self._overall = mean_chips(blocks, name)
        # Two places more, for itemgetter gives a tuple only of several; their weight is not used.
        self._pick = itemgetter(*places, 0, 0) if places else None

    def mean(self, counts: Sequence[int]) -> float | None:
        """Chips per game with each block taken that often; the overall mean if none was drawn."""
        if self._pick is None:
            return None
        weights = self._pick(counts)
        games = sum(map(mul, weights, self._games))
        return sum(map(mul, weights, self._chips)) / games if games else self._overall


def _draw(chance: random.Random, size: int) -> list[int]:
    counts = [0] * size
    for number in chance.choices(range(size), k=size):
        counts[number] += 1
    return counts


def _ranks(means: Mapping[str, float | None]) -> dict[str, tuple[int, int]]:
    known = sorted((mean for mean in means.values() if mean is not None), reverse=True)
    first: dict[float, int] = {}
    last: dict[float, int] = {}
    for rank, mean in enumerate(known, start=1):
        first.setdefault(mean, rank)
        last[mean] = rank
    nowhere = (len(known) + 1, len(means))
    return {
        name: nowhere if mean is None else (first[mean], last[mean]) for name, mean in means.items()
    }


def _spread(ranks: Sequence[tuple[int, int]], means: Sequence[float | None]) -> Spread:
    known = sorted(mean for mean in means if mean is not None)
    return Spread(
        rank_low=sorted(low for low, _ in ranks)[_TAIL],
        rank_high=sorted(high for _, high in ranks)[-1 - _TAIL],
        chips_low=known[_TAIL] if known else None,
        chips_high=known[-1 - _TAIL] if known else None,
    )
