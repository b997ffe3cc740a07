"""Latency histograms: logarithmic buckets, four to a doubling, that can be added up."""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache

BUCKETS_PER_DOUBLING = 4


@lru_cache(maxsize=16_384)
def bucket_of(microseconds: float) -> int:
    """The bucket of a duration: b covers [2**(b/4), 2**((b+1)/4)); less than 1 us counts as 1."""
    return math.floor(BUCKETS_PER_DOUBLING * math.log2(max(microseconds, 1.0)))


def add_histograms(histograms: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """The sum of histograms, by ascending bucket."""
    total: dict[int, int] = {}
    for histogram in histograms:
        for bucket, count in histogram.items():
            total[bucket] = total.get(bucket, 0) + count
    return dict(sorted(total.items()))


def percentile_ms(histogram: Mapping[int, int], percent: float) -> float | None:
    """Milliseconds below which that part of the durations lies, None if there is none.

    The value is the middle of the bucket (on the logarithmic scale).
    """
    wanted = math.ceil(sum(histogram.values()) * percent / 100)
    seen = 0
    for bucket, count in sorted(histogram.items()):
        seen += count
        if seen >= wanted:
            return round(2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING) / 1000, 3)
    return None
