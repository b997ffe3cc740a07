"""Formats: which matches a tournament has, and when it stops. Values and pure functions only."""

from tongits_harness.play.formats.schedule import Schedule, Stages
from tongits_harness.play.formats.until import Until, read_until
from tongits_harness.play.formats.value import (
    Format,
    FormatName,
    check_format,
    format_settings,
    stored_format,
)

__all__ = [
    "Format", "FormatName", "Schedule", "Stages", "Until", "check_format",
    "format_settings", "read_until", "stored_format",
]  # fmt: skip
