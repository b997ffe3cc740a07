"""How sure a ranking is: matches taken again at random, one match at a time.

A Poisson bootstrap: in each of 200 resamples a match counts 0, 1, 2, ... times, drawn from a
Poisson distribution with mean 1 (Chamandy et al., Estimating uncertainty for massive data streams,
2012). A match is one block, for its sessions share their shuffles. How often it counts is a
function of the seed and of the match's place in the schedule alone, so the figures can be added up
in any number of steps and come out the same. Entrants of a resample are ranked by chips per game.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import eq, gt
from typing import Any

from tongits_harness.results.comparison import Z95

RESAMPLES = 200
_TAIL = RESAMPLES * 25 // 1000
"""Values cut off at each end so that 95 % remain."""
_FIRST_BYTES = (94, 188, 235, 251, 255)
"""256 times the distribution function of Poisson(1) at 0, 1, 2, 3, 4, rounded."""
_COUNTS = bytes(sum(byte >= first for first in _FIRST_BYTES) for byte in range(256))
"""How often a match counts, by one random byte."""

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


@dataclass(frozen=True, slots=True)
class Gap:
    """How far one entrant is above another."""

    chips: float
    """Chips a game, as played."""
    error: float
    """Standard deviation of the same over the resamples."""

    def matches_needed(self, matches: int) -> int | None:
        """How many more until the gap is twice its error (95 %), at this gap and this spread.

        The error shrinks with the square root of the matches. None where both are level.

        Args:
            matches: Played so far.
        """
        if not self.chips:
            return None
        return max(0, math.ceil(matches * (Z95 * self.error / self.chips) ** 2) - matches)


@dataclass(slots=True)
class _Sums:
    """One entrant's sums: as played, and in each resample."""

    chips: int
    games: int
    sampled_chips: list[int]
    sampled_games: list[int]

    @property
    def mean(self) -> float | None:
        return self.chips / self.games if self.games else None

    def means(self) -> list[float] | list[None]:
        """Chips per game in each resample; as played where a resample holds none of its games."""
        return [None] * RESAMPLES if self.mean is None else self.numbers()

    def numbers(self) -> list[float]:
        """The same of an entrant that has a game."""
        overall = self.chips / self.games
        return [
            chips / games if games else overall
            for chips, games in zip(self.sampled_chips, self.sampled_games, strict=True)
        ]


class Resampling:
    """The resamples over the matches taken so far."""

    def __init__(self, entrants: Iterable[str], seed: str) -> None:
        self._seed = seed.encode()
        zeros = [0] * RESAMPLES
        self._sums = {name: _Sums(0, 0, zeros, zeros) for name in sorted(entrants)}

    def add(self, index: int, block: Block) -> None:
        """Take the match at this place of the schedule."""
        counts = self._counts(index)
        for name, (chips, games) in block.items():
            sums = self._sums[name]
            sums.chips += chips
            sums.games += games
            sums.sampled_games = [
                s + n * games for s, n in zip(sums.sampled_games, counts, strict=True)
            ]
            if chips:
                sums.sampled_chips = [
                    s + n * chips for s, n in zip(sums.sampled_chips, counts, strict=True)
                ]

    def mean(self, entrant: str) -> float | None:
        """Chips per game as played; None without a game."""
        return self._sums[entrant].mean

    def spreads(self) -> dict[str, Spread]:
        """The spread of every entrant."""
        means = {name: sums.means() for name, sums in self._sums.items()}
        ranks: dict[str, list[tuple[int, int]]] = {name: [] for name in means}
        for sample in range(RESAMPLES):
            for name, rank in _ranks({n: values[sample] for n, values in means.items()}).items():
                ranks[name].append(rank)
        return {name: _spread(ranks[name], means[name]) for name in means}

    def p_above(self, first: str, second: str) -> float | None:
        """Share of the resamples in which the first has more chips a game; ties count half."""
        return p_above(self._sums[first].means(), self._sums[second].means())

    def gap(self, first: str, second: str) -> Gap | None:
        """How far the first is above the second; None if one of them has no game."""
        one, other = self._sums[first], self._sums[second]
        if one.mean is None or other.mean is None:
            return None
        differences = [a - b for a, b in zip(one.numbers(), other.numbers(), strict=True)]
        middle = math.fsum(differences) / RESAMPLES
        squares = math.fsum((value - middle) ** 2 for value in differences)
        return Gap(one.mean - other.mean, math.sqrt(squares / RESAMPLES))

    def sums(self) -> dict[str, tuple[int, int]]:
        """Chips and games of every entrant, without matches that it forfeited."""
        return {name: (sums.chips, sums.games) for name, sums in self._sums.items()}

    def matrix(self) -> dict[str, dict[str, float | None]]:
        """`p_above` of every entrant over every other."""
        means = {name: sums.means() for name, sums in self._sums.items()}
        made: dict[str, dict[str, float | None]] = {name: {} for name in means}
        for a, b in combinations(means, 2):
            made[a][b] = share = p_above(means[a], means[b])
            made[b][a] = None if share is None else 1 - share
        return made

    def as_state(self) -> dict[str, object]:
        """Plain lists and numbers for JSON."""
        return {
            name: [sums.chips, sums.games, sums.sampled_chips, sums.sampled_games]
            for name, sums in self._sums.items()
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Sequence[Any]], seed: str) -> "Resampling":
        """What `as_state` gave."""
        made = cls(state, seed)
        made._sums = {name: _Sums(*values) for name, values in state.items()}
        return made

    def _counts(self, index: int) -> bytes:
        stream = hashlib.shake_256(b"%s\0%d" % (self._seed, index))
        return stream.digest(RESAMPLES).translate(_COUNTS)


def p_above(first: Sequence[Any], second: Sequence[Any]) -> float | None:
    """Share of the places at which the first number is the greater; equal ones count half.

    None if one of the two has no numbers: it has all of them or only None.
    """
    if first[0] is None or second[0] is None:
        return None
    above, level = sum(map(gt, first, second)), sum(map(eq, first, second))
    return float(above + level / 2) / len(first)


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
