"""Whether two samples of a figure differ by more than noise.

The test is Mann and Whitney's U, two-sided and exact, over rounds that were measured in turn: it
asks nothing of the shape of the noise. A difference is called only if chance alone would show one
as large in fewer than 1 of 100 comparisons, and if the medians are further apart than a floor that
says what still counts as the same speed.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from tests.bench.figures import Better

ALPHA = 0.01
FLOOR = 0.03
"""Medians closer than this are one speed, however sure the difference is."""
FLOOR_BETWEEN_FILES = 0.15
"""The same where the two were measured at two times: processes of one program differ by 11 %."""
FEWEST = 5
"""Rounds of each: with four and four no outcome is rarer than 1 of 100."""
_MOST_SPLITS = 200_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said of B against A."""

    word: str
    """better, worse, more, less, same, or unsure (too few rounds)."""
    ratio: float
    """Median of B by median of A."""
    p: float


def judge(a: Sequence[float], b: Sequence[float], better: Better, floor: float = FLOOR) -> Verdict:
    """B against A."""
    before, after = statistics.median(a), statistics.median(b)
    ratio = after / before if before else math.nan
    if min(len(a), len(b)) < FEWEST:
        return Verdict("unsure", ratio, math.nan)
    p = p_value(a, b)
    if p > ALPHA or math.isnan(ratio) or abs(math.log(max(ratio, 1e-9))) < math.log1p(floor):
        return Verdict("same", ratio, p)
    return Verdict(_word(better, has_grown=ratio > 1), ratio, p)


def _word(better: Better, *, has_grown: bool) -> str:
    if better == "neither":
        return "more" if has_grown else "less"
    return "better" if has_grown == (better == "higher") else "worse"


def p_value(a: Sequence[float], b: Sequence[float]) -> float:
    """Two-sided: how often a split of all values by chance lies as far from the middle."""
    middle = len(a) * len(b) / 2
    distance = abs(_u(a, b) - middle)
    if len(set(a) | set(b)) == len(a) + len(b):
        counts = _counts(len(a), len(b))
        far = sum(n for u, n in enumerate(counts) if abs(u - middle) >= distance)
        return far / sum(counts)
    if math.comb(len(a) + len(b), len(a)) <= _MOST_SPLITS:
        return _p_by_splits((*a, *b), len(a), distance)
    deviation = math.sqrt(len(a) * len(b) * (len(a) + len(b) + 1) / 12)
    return math.erfc((distance - 0.5) / deviation / math.sqrt(2))


def _u(a: Sequence[float], b: Sequence[float]) -> float:
    """Pairs in which b's is the larger, ties counting half."""
    return sum((y > x) + (y == x) / 2 for x in a for y in b)


def _p_by_splits(values: Sequence[float], size: int, distance: float) -> float:
    """With ties: every split is looked at."""
    middle = size * (len(values) - size) / 2
    order = sorted(values)
    rank = {v: order.index(v) + (order.count(v) + 1) / 2 for v in order}
    ranks = [rank[value] for value in values]
    least = size * (size + 1) / 2
    far = total = 0
    for chosen in combinations(ranks, size):
        total += 1
        far += abs(sum(chosen) - least - middle) >= distance - 1e-9
    return far / total


@cache
def _counts(m: int, n: int) -> tuple[int, ...]:
    """In how many orders of m and n different values U is 0, 1, ..., m * n."""
    if not m or not n:
        return (1,)
    with_b_last, with_a_last = _counts(m, n - 1), _counts(m - 1, n)
    return tuple(
        (with_b_last[u - m] if 0 <= u - m < len(with_b_last) else 0)
        + (with_a_last[u] if u < len(with_a_last) else 0)
        for u in range(m * n + 1)
    )
