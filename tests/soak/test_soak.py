"""`make soak`: minutes of tournaments in which everything goes wrong, SOAK_MINUTES of them."""

import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest

from tests.e2e.arena import Arena
from tests.e2e.disk import open_small_disk
from tests.e2e.test_bad_bots import CHARGED, PLAYED
from tests.soak.soak import Soak

MINUTES = float(os.environ.get("SOAK_MINUTES", "10"))
SEED = int(os.environ.get("SOAK_SEED", "1"))
BAD = sorted({**CHARGED, **PLAYED})
"""Bad bots that come up; others end a run before it begins, which is tested elsewhere."""


@pytest.fixture
def soak(tmp_path):
    # Sockets need short paths, and the bots' own uid has to reach them.
    tmp = Path(tempfile.mkdtemp(prefix="soak-"))
    tmp.chmod(0o755)
    arena = Arena(tmp_path, tmp)
    with open_small_disk(tmp_path / "disk", megabytes=200) as disk:
        try:
            yield Soak(arena, disk, SEED)
        finally:
            arena.stop_all()
            shutil.rmtree(tmp, ignore_errors=True)


@pytest.mark.soak
def test_whatever_goes_wrong_nothing_is_lost_doubled_or_blamed_on_the_innocent(soak, capsys):
    end = time.monotonic() + 60 * MINUTES
    started = time.monotonic()
    try:
        soak.play_control()
        while time.monotonic() < end:
            soak.play_good()
            soak.play_bad(tuple(sorted(soak.chance.sample(BAD, 2))))
    finally:
        with capsys.disabled():
            print(f"\nsoak: seed {SEED}, {(time.monotonic() - started) / 60:.1f} minutes")  # noqa: T201
            for what, count in sorted(soak.counts.items()):
                print(f"  {count:6} {what}")  # noqa: T201
