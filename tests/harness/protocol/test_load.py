"""Who kept a bot from a processor: from counters at two moments."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_harness.protocol.load import CpuUse, find_burner, longest_wait_us


@dataclass(frozen=True)
class Lane:
    entrant: str
    number: int = 0


BEN, CY = Lane("ben"), Lane("cy")


def burner(waited_ms=400, *, cores=1.0, **used_ms):
    """Who is named; of each lane what it used: (asked, idle)."""
    lanes = {Lane(name.split("_")[0], int(name[-1])): use for name, use in used_ms.items()}
    before = dict.fromkeys(lanes, CpuUse(9_000_000, 9_000_000))
    after = {
        lane: CpuUse(9_000_000 + asked * 1000, 9_000_000 + idle * 1000)
        for lane, (asked, idle) in lanes.items()
    }
    return found(before, after, waited_ms, cores)


def found(before, after, waited_ms=400, cores=1.0):
    named = find_burner(before, after, window_us=500_000, waited_us=waited_ms * 1000, cores=cores)
    return named and (named.lane, named.used_us // 1000)


def test_the_longest_wait_of_one_thread_counts_not_the_sum():
    assert longest_wait_us({1: 100, 2: 5_000}, {1: 400, 2: 5_250, 3: 200}) == 300


def test_no_thread_no_wait():
    assert longest_wait_us({1: 7}, {}) == 0


@pytest.mark.parametrize(
    ("used", "named"),
    [
        ({"ben_0": (0, 900), "cy_0": (0, 0)}, (Lane("ben"), 900)),
        ({"ben_0": (0, 0), "cy_0": (0, 0)}, None),
        ({"ben_0": (0, 190), "cy_0": (0, 190)}, None),  # less than half of the wait
        ({"ben_0": (0, 124), "cy_0": (0, 124)}, None),
        ({"ben_0": (0, 210), "cy_0": (0, 300)}, (Lane("cy"), 300)),
        # Several of its processes, each of which used little.
        ({"ben_0": (0, 90), "ben_1": (0, 110), "ben_2": (0, 100)}, (Lane("ben", 1), 300)),
        # Asked it may use its cores, and no more.
        ({"ben_0": (490, 0), "cy_0": (0, 150)}, None),
        ({"ben_0": (990, 0), "cy_0": (0, 250)}, (Lane("ben"), 490)),
    ],
)
def test_the_bot_that_used_most_of_the_lacking_time_is_named(used, named):
    assert burner(ana_0=(100, 0), **used) == named


def test_a_bot_that_was_given_more_cores_may_use_them_when_asked():
    assert burner(cores=2.0, ben_0=(990, 0)) is None


def test_the_judged_bot_may_be_the_one_itself():
    assert burner(ana_0=(900, 0), ana_1=(0, 100)) == (Lane("ana"), 500)


def test_a_process_that_came_up_meanwhile_is_not_blamed():
    assert found({BEN: CpuUse(0, 0)}, {BEN: CpuUse(0, 0), CY: CpuUse(0, 480_000)}) is None


@pytest.mark.parametrize(("idle_ms", "named"), [(124, None), (125, (BEN, 125))])
def test_less_than_a_quarter_of_a_core_is_nobodys_reason(idle_ms, named):
    assert burner(60, ben_0=(0, idle_ms)) == named


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=6), st.integers(1, 500))
def test_only_who_computed_is_named(idle_ms, waited_ms):
    named = burner(waited_ms, **{f"bot{n}_0": (0, ms) for n, ms in enumerate(idle_ms)})
    assert (named is None) == (max(idle_ms) < max(waited_ms / 2, 125))
    assert named is None or named[1] == max(idle_ms)
