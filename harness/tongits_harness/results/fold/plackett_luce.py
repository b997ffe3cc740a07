"""Strengths that no order of matches can change: a cross-check of the ratings. Pure.

The model of Plackett and Luce: whoever takes the best place among some entrants is each of them
with a chance in proportion to its strength; then the next place is taken among the rest. A match
therefore is one choice among three and one among two, and all the likelihood needs is how often
who was chosen among whom: whole numbers, added up in any order, so that a million matches cost no
more than the triples of entrants.

* **Ties** are split: a tie stands for every strict order of the tied, each with the same weight.
* **Regularisation**: every entrant is also given one level duel (half won, half lost) against an
  imaginary entrant whose strength is fitted with the others. Whoever always or never wins stays
  finite, and groups that never met are joined; after a hundred matches nothing is seen of it.
* **Fit**: maximum likelihood. The fixed point is that of the MM algorithm (Hunter, MM algorithms
  for generalized Bradley-Terry models, Annals of Statistics 32, 2004); the steps are the faster
  ones of Newman (Efficient computation of rankings from pairwise comparisons, Journal of Machine
  Learning Research 24, 2023), one entrant after the other, by name.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import permutations

_WEIGHT = 6
"""A match counts as six strict orders: a tie of two is three of each, a tie of all one of each."""
_DUEL = 0.5
"""Won, and lost, against the imaginary entrant; in matches."""
_NEAR = 1e-11
"""Log-strengths that move less in a sweep are final."""
_SWEEPS = 2000

_Term = tuple[float, float, tuple[int, ...]]
"""Of one entrant: choices won and lost, and among which others."""


class PlackettLuce:
    """How often who was chosen among whom, over the matches taken so far."""

    def __init__(self) -> None:
        self._choices: dict[tuple[str, ...], list[int]] = {}
        """Two or three entrants by name -> how often each was chosen, in sixths of a match."""

    def add(self, entrants: Sequence[str], places: Sequence[int]) -> None:
        """Take a match: who, and the place of each (equal numbers are ties)."""
        placed = dict(zip(entrants, places, strict=True))
        orders = [
            order
            for order in permutations(entrants)
            if placed[order[0]] <= placed[order[1]] <= placed[order[2]]
        ]
        weight = _WEIGHT // len(orders)
        for order in orders:
            self._count(order, weight)
            self._count(order[1:], weight)

    def strengths(self, entrants: Iterable[str]) -> dict[str, float | None]:
        """Log-strengths, centred on 0 over those who played; None without a match."""
        played = sorted({name for names in self._choices for name in names})
        logs = _fit(self._terms(played)) if played else []
        middle = math.fsum(logs) / len(logs) if logs else 0.0
        found = {name: log - middle for name, log in zip(played, logs, strict=True)}
        return {name: found.get(name) for name in entrants}

    def as_state(self) -> list[list[object]]:
        """Plain lists for JSON, by names."""
        return [[*names, *counts] for names, counts in sorted(self._choices.items())]

    @classmethod
    def from_state(cls, state: Sequence[Sequence[object]]) -> "PlackettLuce":
        """What `as_state` gave."""
        made = cls()
        for row in state:
            half = len(row) // 2
            made._choices[tuple(map(str, row[:half]))] = [int(str(n)) for n in row[half:]]
        return made

    def _count(self, order: Sequence[str], weight: int) -> None:
        names = tuple(sorted(order))
        self._choices.setdefault(names, [0] * len(names))[names.index(order[0])] += weight

    def _terms(self, played: Sequence[str]) -> list[list[_Term]]:
        """The choices of each entrant; the imaginary one comes last."""
        place = {name: number for number, name in enumerate(played)}
        imaginary = len(played)
        terms: list[list[_Term]] = [[(_DUEL, _DUEL, (imaginary,))] for _ in played]
        terms.append([(_DUEL, _DUEL, (number,)) for number in range(imaginary)])
        for names, counts in sorted(self._choices.items()):
            total = sum(counts) / _WEIGHT
            for name, count in zip(names, counts, strict=True):
                others = tuple(place[other] for other in names if other != name)
                won = count / _WEIGHT
                terms[place[name]].append((won, total - won, others))
        return terms


def _fit(terms: Sequence[Sequence[_Term]]) -> list[float]:
    strengths = [1.0] * len(terms)
    for _ in range(_SWEEPS):
        moved = 0.0
        for number, own in enumerate(terms):
            before = strengths[number]
            strengths[number] = after = _step(before, own, strengths)
            moved = max(moved, abs(math.log(after / before)))
        if moved < _NEAR:
            break
    return [math.log(strength) for strength in strengths[:-1]]


def _step(strength: float, terms: Sequence[_Term], strengths: Sequence[float]) -> float:
    """Where the likelihood of the entrant's own choices would have it, the others held fast."""
    gained = lost = 0.0
    for won, missed, others in terms:
        against = sum(map(strengths.__getitem__, others))
        total = strength + against
        gained += won * against / total
        lost += missed / total
    return gained / lost
