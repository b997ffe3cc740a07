"""Who kept a bot from a processor: from counters at two moments."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_harness.protocol.load import CpuUse, Load


@dataclass(frozen=True)
class Lane:
    entrant: str
    number: int = 0


HEAD, BEN, CY = Lane("ana"), Lane("ben"), Lane("cy")


def loads(waited_ms, *, cores=1.0, **used_ms):
    """Before and after: `ana` has waited and was asked; of the others each is (asked, idle)."""
    lanes = {Lane(name.split("_")[0], int(name[-1])): use for name, use in used_ms.items()}
    before = Load({1: 5_000_000}, dict.fromkeys(lanes, CpuUse(9_000_000, 9_000_000)), cores)
    after = {
        lane: CpuUse(9_000_000 + asked * 1000, 9_000_000 + idle * 1000)
        for lane, (asked, idle) in lanes.items()
    }
    return before, Load({1: 5_000_000 + waited_ms * 1000}, after, cores)


def burner(before, after):
    found = after.burner(before, 500_000)
    return found and (found.lane, found.used_us // 1000)


def test_the_longest_wait_of_one_thread_counts_not_the_sum():
    before = Load({1: 100, 2: 5_000})
    after = Load({1: 400, 2: 5_250, 3: 200})
    assert after.waited_us(before) == 300


def test_no_thread_no_wait():
    assert Load().waited_us(Load({1: 7})) == 0


@pytest.mark.parametrize(
    ("used", "found"),
    [
        ({"ben_0": (0, 900), "cy_0": (0, 0)}, (Lane("ben"), 900)),
        ({"ben_0": (0, 0), "cy_0": (0, 0)}, None),
        ({"ben_0": (0, 190), "cy_0": (0, 190)}, None),  # less than half of the wait
        ({"ben_0": (0, 210), "cy_0": (0, 300)}, (Lane("cy"), 300)),
        # Several of its processes, each of which used little.
        ({"ben_0": (0, 90), "ben_1": (0, 110), "ben_2": (0, 100)}, (Lane("ben", 1), 300)),
        # Asked it may use its cores, and no more.
        ({"ben_0": (490, 0), "cy_0": (0, 150)}, None),
        ({"ben_0": (990, 0), "cy_0": (0, 250)}, (Lane("ben"), 490)),
    ],
)
def test_the_bot_that_used_most_of_the_lacking_time_is_named(used, found):
    assert burner(*loads(400, ana_0=(100, 0), **used)) == found


def test_a_bot_that_was_given_more_cores_may_use_them_when_asked():
    assert burner(*loads(400, cores=2.0, ben_0=(990, 0))) is None


def test_the_judged_bot_may_be_the_one_itself():
    assert burner(*loads(400, ana_0=(900, 0), ana_1=(0, 100))) == (Lane("ana"), 500)


def test_a_process_that_came_up_meanwhile_is_not_blamed():
    before, after = loads(400, ben_0=(0, 0))
    late = Load(after.waits_us, {**after.used, CY: CpuUse(0, 480_000)}, after.cores)
    assert burner(before, late) is None


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=6), st.integers(1, 500))
def test_only_who_computed_is_named(idle_ms, waited_ms):
    used = {f"bot{n}_0": (0, ms) for n, ms in enumerate(idle_ms)}
    found = burner(*loads(waited_ms, **used))
    assert (found is None) == (max(idle_ms) * 2 < waited_ms or max(idle_ms) == 0)
    assert found is None or found[1] == max(idle_ms)
