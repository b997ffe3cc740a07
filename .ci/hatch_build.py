"""Puts the sample bots and kits, which are folders of programs and no packages, into the wheel.

An editable install leaves them out: there the harness finds the checkout's own.

With TONGITS_COMPILE=1 in the environment the wheel holds the modules named in COMPILED compiled as
well, by mypyc and the machine's C compiler; the sources are the same and stay beside them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LANGUAGES = ("node", "go", "rust", "java", "cpp", "stdio")
"""Folders of `sample_bots` that are a kit each; `python` holds one folder for each bot."""
ALWAYS_LEFT_OUT = ("__pycache__", ".git", "corpus.jsonl")


COMPILE_VARIABLE = "TONGITS_COMPILE"
COMPILED = (
    "engine/tongits_engine",
    "harness/tongits_harness/protocol/wire.py",
    "harness/tongits_harness/protocol/codec.py",
    "harness/tongits_harness/protocol/clock.py",
    "harness/tongits_harness/protocol/decisions.py",
    "harness/tongits_harness/protocol/deadlines.py",
    "harness/tongits_harness/protocol/conversation.py",
    "harness/tongits_harness/results/latency.py",
    "harness/tongits_harness/play/fallback.py",
    "harness/tongits_harness/play/game_log.py",
    "harness/tongits_harness/play/session.py",
    "harness/tongits_harness/play/table.py",
    "harness/tongits_harness/play/slots.py",
)
"""What is run for every decision. Of a folder, all modules but those in LEFT_INTERPRETED."""
LEFT_INTERPRETED = (
    "__init__.py", "parameters.py", "position.py", "presets.py", "referee.py", "rules_text.py",
)  # fmt: skip
"""Run once, or written in a way that mypyc does not take."""


class SampleBots(BuildHookInterface):  # type: ignore[type-arg]
    """Adds every sample bot of every language, without what was built of them; bad ones stay."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects files."""
        if version == "editable":
            return
        root = Path(self.root)
        if os.environ.get(COMPILE_VARIABLE) == "1":
            self._compile(root, build_data)
        for file in shipped_files(root / "sample_bots"):
            build_data["force_include"][str(file)] = f"tongits_harness/{file.relative_to(root)}"

    def dependencies(self) -> list[str]:
        """What a build needs besides hatchling."""
        return ["mypy>=2.1", "setuptools"] if os.environ.get(COMPILE_VARIABLE) == "1" else []

    def finalize(self, _version: str, build_data: dict[str, Any], _artifact: str) -> None:
        """Called by hatchling when the wheel is there."""
        if folder := build_data.get("compiled_in"):
            shutil.rmtree(folder, ignore_errors=True)

    def _compile(self, root: Path, build_data: dict[str, Any]) -> None:
        folder = Path(tempfile.mkdtemp(prefix="tongits-compile-"))
        for library in compiled_modules(root, folder):
            build_data["force_include"][str(library)] = str(library.relative_to(folder))
        build_data |= {"pure_python": False, "infer_tag": True, "compiled_in": str(folder)}


def compiled_modules(root: Path, folder: Path) -> list[Path]:
    """Compiles COMPILED in an empty folder; the libraries, at their place below it.

    Raises:
        RuntimeError: It failed; holds what the compiler said last.
    """
    for source in ("engine/tongits_engine", "harness/tongits_harness", "protos/tongits"):
        shutil.copytree(root / source, folder / Path(source).name)
    settings = folder / "mypy.ini"
    settings.write_text(_MYPY)
    modules = [str(Path(*file.relative_to(root).parts[1:])) for file in _sources(root)]
    done = subprocess.run(
        [sys.executable, "-m", "mypyc", "--config-file", str(settings), *modules],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"mypyc: {(done.stdout + done.stderr)[-2000:]}")
    shutil.rmtree(folder / "build", ignore_errors=True)
    return sorted(folder.rglob("*.so"))


_MYPY = """[mypy]
python_version = 3.11
plugins = pydantic.mypy
follow_imports = silent
ignore_missing_imports = True
[mypy-tongits.v1.*]
ignore_errors = True
follow_imports = skip
"""


def _sources(root: Path) -> Iterator[Path]:
    for name in COMPILED:
        path = root / name
        found = sorted(path.glob("*.py")) if path.is_dir() else [path]
        yield from (file for file in found if file.name not in LEFT_INTERPRETED)


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
