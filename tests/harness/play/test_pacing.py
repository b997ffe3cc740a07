"""How much at once: as many as fit, never so many that bots wait for a core."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_harness.play.pacing import (
    FEWEST_TABLES,
    MOST_TABLES,
    Look,
    Pacer,
    fitting_tables,
    next_slots,
)
from tongits_harness.play.slots import ComputeSlots

SLEEPERS = Look(thinking=1.0, cores=0.02, waiting=0.0)
COMPUTERS = Look(thinking=1.0, cores=0.9, waiting=0.02)


@pytest.mark.parametrize(
    ("entrants", "matches", "tables"),
    [(4, 100_000, 320), (4, 100, 100), (3, 4, FEWEST_TABLES), (100, 10**6, MOST_TABLES)],
)
def test_tables_grow_with_entrants_up_to_the_matches(entrants, matches, tables):
    assert fitting_tables(entrants, matches) == tables


def test_every_worker_has_as_many_tables_as_one_alone():
    assert fitting_tables(4, 100_000, workers=2) == 2 * fitting_tables(4, 100_000)
    assert fitting_tables(4, 300, workers=2) == 300


@pytest.mark.parametrize(
    ("now", "look", "then"),
    [
        (1, COMPUTERS, 1),
        (1, SLEEPERS, 2),
        (2, Look(1.9, 0.04, 0.0), 4),
        (8, Look(7.9, 7.0, 3.0), 6),
        (2, Look(1.9, 1.9, 0.9), 1),
        (1, Look(1.0, 1.0, 0.9), 1),
        (4, Look(2.0, 0.1, 0.0), 4),
        (4, Look(4.0, 0.1, 0.5), 4),
        (4, Look(0.0, 0.0, 0.0), 4),
        (16, Look(16.0, 0.1, 0.0), 20),
    ],
)
def test_what_is_seen_decides_how_many_may_think(now, look, then):
    assert next_slots(now, look, cores=1, least=1, most=20) == then


@given(
    now=st.integers(1, 64),
    look=st.builds(Look, *[st.floats(0, 64, allow_nan=False) for _ in range(3)]),
    cores=st.integers(1, 64),
)
def test_it_never_leaves_its_bounds_and_never_more_than_doubles(now, look, cores):
    then = next_slots(now, look, cores=cores, least=1, most=64)
    assert 1 <= then <= 64
    assert then <= 2 * now


async def test_sleepers_are_given_more_and_more_until_they_fit():
    pacer = Pacer(ComputeSlots(1), lambda: (), most=16, cores=1)
    seen = []
    for _ in range(6):
        count = pacer.slots.count
        pacer.step(Look(count, 0.02 * count, 0.0))
        seen.append(pacer.slots.count)
    assert seen == [2, 4, 8, 16, 16, 16]


async def test_after_a_step_back_nothing_more_is_tried_for_a_while():
    pacer = Pacer(ComputeSlots(4), lambda: (), most=16, cores=1)
    pacer.step(Look(4.0, 1.0, 3.0))
    seen = []
    for _ in range(12):
        pacer.step(Look(pacer.slots.count, 0.02, 0.0))
        seen.append(pacer.slots.count)
    assert seen[:9] == [3] * 9
    assert seen[-1] > 3


async def test_slots_in_use_are_counted_and_fewer_are_handed_out_after_a_resize(autojump_clock):
    import trio

    class Bot:
        granted_at = -1.0

        def granted(self):
            self.granted_at = trio.current_time()

    slots, bots = ComputeSlots(2), [Bot() for _ in range(4)]
    for bot in bots:
        slots.request(bot)
    await trio.sleep(3)
    assert slots.take_used_s() == pytest.approx(6)
    assert slots.take_used_s() == 0
    slots.resize(1)
    slots.release()
    assert bots[2].granted_at < 0
    slots.release()
    assert bots[2].granted_at == trio.current_time()
    assert bots[3].granted_at < 0
