"""The sections still work, at tiny sizes; what they find is not looked at."""

import pytest

from tests.bench.figures import Figure
from tests.bench.machine import calibrate
from tests.bench.run import SECTIONS, measure
from tests.bench.sizes import TINY

QUICK = "link"
"""The one that uses most of the harness's inside, in some seconds."""


@pytest.mark.process
def test_the_link_can_be_measured(capsys):
    found = {figure.name for figure in measure(QUICK, TINY).figures}
    assert {"link/4/ours", "link/4/bare gRPC", "link/4/bare socket"} <= found
    assert "calibration" in capsys.readouterr().out


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in SECTIONS if name != QUICK])
def test_every_section_can_be_measured(name):
    section = measure(name, TINY)
    assert section.figures or section.skipped
    assert all(isinstance(figure, Figure) and figure.values for figure in section.figures)
    assert {figure.section for figure in section.figures} <= {name}


def test_the_calibration_loop_gives_speed_and_crowding():
    speed, crowding = calibrate()
    assert speed > 0.1
    assert crowding > 0.5
