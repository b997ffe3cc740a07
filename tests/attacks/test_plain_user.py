"""The same promises where the harness is a plain user's: a second, smaller pass, by the command."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.attacks.seats import CHECKOUT, LIMITS, SEED, Ring
from tests.attacks.table import ATTACKS
from tests.e2e.arena import SAMPLES, Arena
from tests.e2e.traces import traces_of

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.getuid() != 0, reason="the whole suite runs as a plain user already"),
]
UID = "64998"
CHOSEN = ("net_prober", "file_prober", "call_prober", "lingerer-stop_family")
SOURCES = ("engine", "harness", "protos", "sample_bots/python")


@pytest.fixture(scope="module")
def as_plain_user():
    """The command prefix of a plain user whose Python can be reached by it."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        pytest.skip("no setpriv")
    packages = Path(pytest.__file__).parents[1]
    path = os.pathsep.join([str(packages), *(str(CHECKOUT / source) for source in SOURCES)])
    drop = (setpriv, "--reuid", UID, "--regid", UID, "--clear-groups")
    for python in (sys.executable, "/usr/bin/python3"):
        words = (*drop, "/usr/bin/env", f"PYTHONPATH={path}", "HOME=/tmp", python)
        test = subprocess.run(
            [*words, "-c", "import grpc, trio, tongits_bot"], check=False, capture_output=True
        )
        if test.returncode == 0:
            return words
    pytest.skip("no Python that a plain user can reach has the harness's packages")


@pytest.fixture
def place():
    """A folder of the plain user's."""
    with tempfile.TemporaryDirectory(prefix="plain") as name:
        os.chown(name, int(UID), int(UID))
        yield Path(name)


def test_attacks_are_contained_for_a_plain_user(as_plain_user, place, probe_tree):
    chosen = [attack for attack in ATTACKS if attack.id[3:] in CHOSEN]
    assert len(chosen) == len(CHOSEN)
    targets = {"files": [str(probe_tree)], "pids": [os.getpid()], "sockets": ["/run/docker.sock"]}
    ring = Ring(place, None, targets)
    tmp = place / "tmp"
    tmp.mkdir()
    arena = Arena(place, tmp)
    names = {attack.id: f"a{number}" for number, attack in enumerate(chosen)}
    bots = {names[attack.id]: ring.prepare(attack) for attack in chosen}
    bots |= {name: SAMPLES / name for name in ("greedy", "random")}
    limits = {f"limits__{name}": value for name, value in LIMITS.items()}
    file = arena.file(bots, "cup", seed=SEED, seatings=1, games=1, **limits)
    for path in [place, *place.rglob("*")]:
        os.chown(path, int(UID), int(UID))
        path.chmod(path.stat().st_mode | 0o055)

    try:
        done = arena.run("run", file, "--progress", "none", wrap=as_plain_user, timeout=120)
    finally:
        arena.stop_all()

    assert traces_of(tmp) == []
    assert "sandbox: " in done.err
    charged = {row["entrant"] for row in arena.rows("SELECT DISTINCT entrant FROM faults")}
    may = {names[attack.id] for attack in chosen if attack.charged}
    assert charged <= may
    assert names[next(a.id for a in chosen if a.way == "stop_family")] in charged
    for row in arena.rows("SELECT * FROM match_seats WHERE entrant IN ('greedy', 'random')"):
        assert not row["forfeited"]
    told: dict[str, object] = {}
    for row in arena.rows("SELECT notes FROM games"):
        for note in json.loads(row["notes"]).values():
            told |= json.loads(note)
    assert told["setuid"] in {"EPERM", "EINVAL"}
    assert told["sysctl kernel/core_pattern"] in {"EACCES", "EROFS", "EPERM"}
    assert told[f"kill {os.getpid()}"] == "ESRCH"
    assert told["tcp internet"] == "ENETUNREACH"
    assert not str(told[f"read {probe_tree}"]).startswith("DONE")
