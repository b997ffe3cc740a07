"""Freezing bots between their decisions, and what they compute meanwhile."""

from types import SimpleNamespace

import pytest
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs.rlimits import RlimitsRung
from tongits_harness.errors import ConfigError
from tongits_harness.play.pondering import Pondering, refuse_if_it_cannot_freeze
from tongits_harness.protocol.load import CpuUse


class Process:
    """Counts as told, and notes what it was told to do."""

    def __init__(self, *counted):
        self._counted = list(counted)
        self.acts = []

    def freeze(self):
        self.acts.append("freeze")

    def thaw(self):
        self.acts.append("thaw")

    def known_cpu_us(self, *, anew=False):  # noqa: ARG002
        return self._counted.pop(0)


def test_pondering_is_told_from_thinking():
    process = Process(100, 130, 180, 181)
    pondering = Pondering(process, is_allowed=True)
    for act in (pondering.rest, pondering.think, pondering.rest, pondering.think):
        act()
    assert (pondering.thought_us, pondering.pondered_us) == (150, 31)
    assert process.acts == []


def test_both_are_known_up_to_now():
    pondering = Pondering(Process(100, 130, 150), is_allowed=True)
    assert pondering.so_far() == CpuUse(asked_us=100, idle_us=0)
    pondering.rest()
    assert pondering.so_far() == CpuUse(asked_us=130, idle_us=20)


def test_without_pondering_a_bot_is_frozen_between_its_decisions():
    process = Process(100, 100, 180)
    pondering = Pondering(process, is_allowed=False)
    for act in (pondering.rest, pondering.think, pondering.rest):
        act()
    assert process.acts == ["freeze", "thaw", "freeze"]


def test_where_nothing_is_counted_nothing_is_claimed():
    pondering = Pondering(Process(None, None), is_allowed=True)
    pondering.rest()
    pondering.think()
    assert (pondering.thought_us, pondering.pondered_us) == (0, 0)


def test_a_machine_without_a_freezer_is_refused_before_any_bot_starts():
    sandbox = SimpleNamespace(rung=RlimitsRung())
    refuse_if_it_cannot_freeze(sandbox, Limits())
    with pytest.raises(ConfigError, match='pondering: "off" needs') as refusal:
        refuse_if_it_cannot_freeze(sandbox, Limits(may_ponder=False))
    assert "rlimits only" in str(refusal.value)
