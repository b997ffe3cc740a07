"""Decision times that depend on who else sits there or on the seat, or lie at the limit. Pure.

The time of an entrant in a match is the mean of the logarithms of its decisions' times, and a match
is one observation. By opponent: its matches with the other against those without (Welch). By seat:
in each match, what it needed at the seat against its other seats there, so that the load of the
machine at that moment cancels. A difference counts from a factor of 1.5, for games of other lengths
and other loads move times a little without meaning.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

from tongits_harness.fairplay.chance import LEAST, Finding, Sums, holm, p_of
from tongits_harness.results.fair_play_rows import SeatTime
from tongits_harness.results.latency import BUCKETS_PER_DOUBLING

STRONG = 1.5
"""Factor from which a difference of times is told."""
_NEAR_SHARE, _NEAR_COUNT = 0.01, 20
"""Share and number of decisions just under the limit from which they are told."""


class OpponentTimes:
    """The times of each entrant by opponent."""

    def __init__(self) -> None:
        self._all: dict[str, Sums] = defaultdict(Sums)
        self._beside: dict[tuple[str, str], Sums] = defaultdict(Sums)

    def add(self, times: Mapping[str, Mapping[int, int]]) -> None:
        """Take a match: the histogram of each of its entrants."""
        for name, histogram in times.items():
            if (value := mean_log2(histogram)) is not None:
                self._all[name].add(value)
                for other in times:
                    if other != name:
                        self._beside[name, other].add(value)

    def findings(self) -> list[Finding]:
        """Entrants that are slower or quicker beside another."""
        tests, moved = {}, {}
        for (name, other), beside in sorted(self._beside.items()):
            without = self._all[name].without(beside)
            if min(beside.count, without.count) >= LEAST:
                difference = beside.mean - without.mean
                error2 = beside.error2 + without.error2
                tests[name, other] = p_of(difference, error2, min(beside.count, without.count))
                moved[name, other] = difference
        return [
            _finding(f"{name} beside {other}", {"entrant": name, "beside": other}, moved[key], p)
            for key, p in holm(tests).items()
            for name, other in [key]
            if abs(moved[key]) >= math.log2(STRONG)
        ]


def seat_findings(times: Iterable[SeatTime]) -> list[Finding]:
    """Entrants that are slower or quicker at a seat."""
    apart: dict[tuple[str, int], Sums] = defaultdict(Sums)
    match: dict[tuple[str, int], Sums] = defaultdict(Sums)
    index = -1
    for time in times:
        if time.index != index:
            _close(match, apart)
            match.clear()
            index = time.index
        if (value := mean_log2(time.latency)) is not None:
            match[time.entrant, time.seat].add(value)
    _close(match, apart)
    tests = {
        key: p_of(sums.mean, sums.error2, sums.count)
        for key, sums in sorted(apart.items())
        if sums.count >= LEAST
    }
    return [
        _finding(f"{name} at seat {seat}", {"entrant": name, "seat": seat}, apart[key].mean, p)
        for key, p in holm(tests).items()
        for name, seat in [key]
        if abs(apart[key].mean) >= math.log2(STRONG)
    ]


def near_limit(name: str, latency: Mapping[int, int], limit_s: float) -> Finding | None:
    """Many decisions in the last 30 % before the limit; None if there are few."""
    last = math.floor(BUCKETS_PER_DOUBLING * math.log2(limit_s * 1e6))
    near = sum(latency.get(bucket, 0) for bucket in (last - 2, last - 1))
    total = sum(latency.values())
    if near < _NEAR_COUNT or near < _NEAR_SHARE * total:
        return None
    return Finding(
        "limit",
        f"{name}: {near / total:.1%} of its {total} decisions end just under the limit of"
        f" {limit_s:g} s",
        {"entrant": name, "near": near, "decisions": total, "limit_s": limit_s},
    )


def mean_log2(histogram: Mapping[int, int]) -> float | None:
    """Mean of the binary logarithms of the times; None without any."""
    count = sum(histogram.values())
    total = sum(bucket * number for bucket, number in histogram.items())
    return total / count / BUCKETS_PER_DOUBLING if count else None


def _close(match: Mapping[tuple[str, int], Sums], apart: dict[tuple[str, int], Sums]) -> None:
    for (name, seat), here in match.items():
        others = [s.mean for (who, where), s in match.items() if who == name and where != seat]
        if others:
            apart[name, seat].add(here.mean - math.fsum(others) / len(others))


def _finding(who: str, figures: Mapping[str, object], log2: float, p: float) -> Finding:
    factor = 2.0**log2
    word = f"{factor:.2g} times as long" if factor > 1 else f"1/{1 / factor:.2g} of the time"
    return Finding(
        "timing",
        f"{who} takes {word} as elsewhere (p = {p:.1g})",
        {**figures, "factor": round(factor, 6), "p": float(f"{p:.6g}")},
    )
