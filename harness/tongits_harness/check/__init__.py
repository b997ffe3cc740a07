"""The check of a bot, for its author and as the gate of a submission: numbered steps as values."""

from tongits_harness.check.checkup import check_bot
from tongits_harness.check.options import CheckOptions
from tongits_harness.check.report import Report, Step, Verdict

__all__ = ["CheckOptions", "Report", "Step", "Verdict", "check_bot"]
