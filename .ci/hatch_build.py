"""Puts the sample bots and kits, which are folders of programs and no packages, into the wheel.

An editable install leaves them out: there the harness finds the checkout's own.
"""

import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LANGUAGES = ("node", "go", "rust", "java", "cpp", "stdio")
"""Folders of `sample_bots` that are a kit each; `python` holds one folder for each bot."""
ALWAYS_LEFT_OUT = ("__pycache__", ".git", "corpus.jsonl")


class SampleBots(BuildHookInterface):  # type: ignore[type-arg]
    """Adds every sample bot of every language, without what was built of them; bad ones stay."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects files."""
        if version == "editable":
            return
        root = Path(self.root)
        for file in shipped_files(root / "sample_bots"):
            build_data["force_include"][str(file)] = f"tongits_harness/{file.relative_to(root)}"


def shipped_files(samples: Path) -> Iterator[Path]:
    """Every file of the sample bots that belongs into a wheel."""
    yield from sorted(samples.glob("*.md"))
    yield from _files(samples / "corpus", ())
    for manifest in sorted(samples.glob("python/*/bot.toml")):
        yield from _files(manifest.parent, _excluded(manifest.parent))
    for language in LANGUAGES:
        folder = samples / language
        if folder.is_dir():
            yield from _files(folder, _excluded(folder))


def _excluded(folder: Path) -> tuple[str, ...]:
    """Names that are part of none of its bots: builds, fetched packages."""
    tables = [tomllib.loads(file.read_text()) for file in sorted(folder.glob("*.toml"))]
    lists = [set(table.get("exclude", ())) for table in tables if "run" in table]
    return tuple(sorted(set.intersection(*lists)))


def _files(folder: Path, excluded: tuple[str, ...]) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if any(fnmatchcase(entry.name, pattern) for pattern in (*ALWAYS_LEFT_OUT, *excluded)):
            continue
        if entry.is_symlink():
            continue
        if entry.is_dir():
            yield from _files(entry, excluded)
        else:
            yield entry
