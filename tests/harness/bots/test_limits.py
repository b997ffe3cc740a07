import pytest
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.sandbox.levels import Holds, Level, how_limits_hold
from tongits_harness.errors import ConfigError


def test_limits_out_of_range_are_all_named():
    with pytest.raises(ConfigError) as refused:
        Limits(memory_mib=1, processes=2, open_files=0, cpu_s=0)
    text = str(refused.value)
    for name in ("memory_mib: 1", "processes: 2", "open_files: 0", "cpu_s: 0"):
        assert name in text


@pytest.mark.parametrize("level", Level)
def test_every_limit_says_how_it_holds_at_every_level(level):
    holds = how_limits_hold(level)
    assert set(holds) == set(Limits.__dataclass_fields__)
    if level is Level.FULL:
        assert set(holds.values()) == {Holds.ENFORCED}


def test_memory_is_only_watched_without_a_control_group():
    assert how_limits_hold(Level.CONTAINED)["memory_mib"] is Holds.WATCHED
    assert how_limits_hold(Level.CONTAINED)["processes"] is Holds.ENFORCED
    assert how_limits_hold(Level.NONE)["tmp_mib"] is Holds.NOT_ENFORCED
