"""Latency histograms."""

import pytest
from tongits_harness.results.latency import add_histograms, bucket_of, percentile_ms


@pytest.mark.parametrize(
    ("microseconds", "bucket"), [(0, 0), (1, 0), (2, 4), (1000, 39), (1024, 40)]
)
def test_a_bucket_is_a_quarter_of_a_doubling(microseconds, bucket):
    assert bucket_of(microseconds) == bucket
    assert microseconds <= 1 or 2 ** (bucket / 4) <= microseconds < 2 ** ((bucket + 1) / 4)


def test_histograms_add_up():
    assert add_histograms([{3: 1, 1: 2}, {}, {3: 4}]) == {1: 2, 3: 5}


def test_percentiles_are_read_in_milliseconds():
    histogram = {bucket_of(1000): 98, bucket_of(64_000): 2}
    assert percentile_ms(histogram, 50) == pytest.approx(1.0, rel=0.1)
    assert percentile_ms(histogram, 99) == pytest.approx(64, rel=0.1)
    assert percentile_ms({}, 50) is None
