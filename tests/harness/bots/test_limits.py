import pytest
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.sandbox.levels import Holds, Level, how_limits_hold, tell_weak_limits
from tongits_harness.errors import ConfigError


def test_limits_out_of_range_are_all_named():
    with pytest.raises(ConfigError) as refused:
        Limits(memory_mib=1, processes=2, open_files=0, cpu_s=0)
    text = str(refused.value)
    for name in ("memory_mib: 1", "processes: 2", "open_files: 0", "cpu_s: 0"):
        assert name in text


@pytest.mark.parametrize("level", Level)
def test_every_limit_says_how_it_holds_at_every_level(level):
    assert set(how_limits_hold(level)) == set(Limits.__dataclass_fields__) - {"may_ponder"}


def test_memory_is_only_watched_without_a_control_group():
    assert how_limits_hold(Level.CONTAINED)["memory_mib"] is Holds.WATCHED
    assert how_limits_hold(Level.CONTAINED)["processes"] is Holds.ENFORCED
    assert how_limits_hold(Level.NONE)["tmp_mib"] is Holds.NOT_ENFORCED


def test_what_a_rung_enforces_is_enforced():
    holds = how_limits_hold(Level.FULL, frozenset({"memory_mib", "processes", "cpu_cores"}))
    assert {name for name, how in holds.items() if how is not Holds.ENFORCED} == {"cpu_s"}


def test_what_is_not_enforced_is_told():
    assert tell_weak_limits(Level.CONTAINED, frozenset()) == (
        "memory watched, not enforced; share of CPU not enforced"
    )
    everything = frozenset({"memory_mib", "processes", "cpu_cores"})
    assert tell_weak_limits(Level.FULL, everything) == ""
    assert tell_weak_limits(Level.NONE, everything) == "size of /tmp not enforced"
