"""The limits ladder: what keeps a bot as a whole within its limits, best rung first."""

from tongits_harness.bots.rungs.base import Group, Join, Rung, Usage
from tongits_harness.bots.rungs.choice import Choice, choose_rung

__all__ = ["Choice", "Group", "Join", "Rung", "Usage", "choose_rung"]
