"""Sandboxes: the levels, how each is made, and the choice between them by trying."""

from tongits_harness.bots.sandbox.choice import open_sandbox
from tongits_harness.bots.sandbox.levels import Level, Sandbox

__all__ = ["Level", "Sandbox", "open_sandbox"]
