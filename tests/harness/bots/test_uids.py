"""Two harnesses of root's on one machine never give their bots the same uid."""

import os
import subprocess
import sys

import pytest
from tongits_harness.bots.spawner import SpawnFailedError
from tongits_harness.bots.uids import UidSlots

TAKES_TWO = """
import sys
from pathlib import Path
from tongits_harness.bots.uids import UidSlots
slots = UidSlots(4, places=[Path(sys.argv[1])], is_root=True)
print(slots.take(), slots.take(), flush=True)
input()
"""


def slots(tmp_path, count=4):
    return UidSlots(count, places=[tmp_path], is_root=True)


def test_a_slot_is_taken_once_until_it_is_given_back(tmp_path):
    one, other = slots(tmp_path), slots(tmp_path)
    taken = [one.take(), other.take(), one.take()]

    assert sorted(taken) == [0, 1, 2]
    with pytest.raises(SpawnFailedError, match="every uid"):
        other.take()
    one.give_back(taken[0])
    assert other.take() == taken[0]


def test_what_a_killed_harness_held_is_free_at_once(tmp_path):
    other = subprocess.Popen(
        [sys.executable, "-c", TAKES_TWO, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with other:
        theirs = set(map(int, other.stdout.readline().split()))
        here = slots(tmp_path)
        ours = here.take()
        with pytest.raises(SpawnFailedError):
            here.take()
        other.kill()
        other.wait(10)

    assert {ours, here.take(), here.take()} == theirs | {ours} == {0, 1, 2}


def test_no_descriptor_stays_open(tmp_path):
    before = len(os.listdir("/proc/self/fd"))
    here = slots(tmp_path)
    for slot in [here.take(), here.take()]:
        here.give_back(slot)

    assert len(os.listdir("/proc/self/fd")) == before
    assert sorted(here.free) == [0, 1, 2]


@pytest.mark.parametrize("place", ["nowhere", "others"])
def test_a_place_that_cannot_be_trusted_is_passed_over(tmp_path, place):
    trusted = tmp_path / "trusted"
    trusted.mkdir()
    if place == "others":
        (tmp_path / "others").mkdir()
        (tmp_path / "others" / "tongits-uids.lock").touch(0o666)
        (tmp_path / "others" / "tongits-uids.lock").chmod(0o666)
    here = UidSlots(4, places=[tmp_path / place, trusted], is_root=True)
    here.give_back(here.take())

    assert (trusted / "tongits-uids.lock").stat().st_mode & 0o777 == 0o600


def test_without_root_nothing_is_locked(tmp_path):
    one, other = (UidSlots(3, places=[tmp_path], is_root=False) for _ in range(2))

    assert {one.take(), one.take()} == {other.take(), other.take()} == {0, 1}
    assert list(tmp_path.iterdir()) == []
