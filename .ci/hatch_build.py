"""Puts the sample bots, which are folders of programs and no packages, into the wheel as data.

An editable install leaves them out: there the harness finds the checkout's own.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SampleBots(BuildHookInterface):  # type: ignore[type-arg]
    """Adds every sample bot of every language; bad ones stay behind."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects files."""
        if version == "editable":
            return
        for manifest in sorted(Path(self.root, "sample_bots").glob("*/*/bot.toml")):
            folder = manifest.parent
            if folder.parent.name != "bad":
                where = folder.relative_to(self.root)
                build_data["force_include"][str(folder)] = f"tongits_harness/{where}"
