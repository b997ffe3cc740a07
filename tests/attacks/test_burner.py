"""A bot that burns all processors where nothing holds it: it is charged, the late ones are not."""

import dataclasses
from pathlib import Path

import pytest
from tongits_harness.bots.rungs.rlimits import RlimitsRung

from tests.attacks.seats import SAMPLES, Ring
from tests.attacks.table import Attack

pytestmark = pytest.mark.process
THINKER = Path(__file__).parent / "bots" / "thinker"
CROWD = Attack(
    28, "ponderer", "crowd", games=2, seatings=1,
    limits={"decision_s": 1.0, "faults": 0, "start_s": 30.0},
)  # fmt: skip


@pytest.fixture
def unheld(sandbox):
    """The sandbox with no control group, as a plain user has it on many machines."""
    if not dataclasses.is_dataclass(sandbox):
        pytest.skip("this sandbox has no rung of its own")
    return dataclasses.replace(sandbox, rung=RlimitsRung())


def test_whoever_keeps_others_from_a_processor_is_charged(unheld, tmp_path):
    ring = Ring(tmp_path, unheld)
    played = ring.play(CROWD, honest=(THINKER, SAMPLES / "random"), matches=1)

    assert {fault.entrant for fault in played.faults} == {"attacker"}
    known = [fault.fault for fault in played.faults if fault.fault.kind == "RESOURCE_LIMIT"]
    evidence = known[0].evidence
    assert evidence["limit"] == "cpu"
    assert evidence["used_ms"] * 2 >= evidence["waited_ms"] > 100
    assert evidence["kept_waiting"] in {"thinker", "random"}
    assert sum(session.voids for session in played.sessions) >= 3
