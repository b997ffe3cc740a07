"""Built trees as they are kept: `<results>/builds/<key>/` with `tree/` and `report.json`."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tongits_harness.bots.build.values import BuildReport
from tongits_harness.bots.folder import digest_of
from tongits_harness.bots.manifest import BuiltTree
from tongits_harness.bots.staging import locked, remove_folder, sweep
from tongits_harness.errors import CannotContinueError, ConfigError

_NEW = ".new-"
_REPORT = "report.json"
_TREE = "tree"


def find_built(builds: Path, key: str) -> tuple[BuildReport, BuiltTree] | None:
    """A build that was kept; None if there is none, or if it is not what it was."""
    folder = builds / key
    try:
        report = TypeAdapter(BuildReport).validate_json((folder / _REPORT).read_bytes())
        tree = BuiltTree(folder / _TREE, digest_of(folder / _TREE))
    except (OSError, ValidationError, ConfigError):
        return None
    return (report, tree) if report.tree_digest == tree.digest else None


class NewBuild:
    """A build that is being made; `keep` gives it its name."""

    def __init__(self, builds: Path, folder: Path) -> None:
        self._builds = builds
        self._folder = folder
        self.tree = folder / _TREE
        """Empty folder to export to."""
        self.tree.mkdir()

    def keep(self, report: BuildReport) -> tuple[BuildReport, BuiltTree]:
        """Keeps tree and report for good; whatever lay at their place is replaced.

        Raises:
            ConfigError: The tree has names that cannot be used.
        """
        report = replace(report, tree_digest=digest_of(self.tree))
        (self._folder / _REPORT).write_text(json.dumps(report.as_json(), indent=1) + "\n")
        target = self._builds / report.key
        kept = find_built(self._builds, report.key)  # another command may have been quicker
        if kept is None:
            remove_folder(target)
            target.mkdir()
            for name in (_TREE, _REPORT):  # the report last: without it there is no build
                (self._folder / name).rename(target / name)
            kept = report, BuiltTree(target / _TREE, report.tree_digest)
        return kept


@contextmanager
def open_new_build(builds: Path) -> Iterator[NewBuild]:
    """A place for a new build; what of it was not kept is removed, also after a kill.

    Raises:
        CannotContinueError: The folder of builds cannot be written to.
    """
    try:
        builds.mkdir(parents=True, exist_ok=True)
        sweep(builds, _NEW)
        folder = Path(tempfile.mkdtemp(prefix=_NEW, dir=builds))
    except OSError as error:
        raise CannotContinueError(
            f"{builds}: {error.strerror}; make it writable, free some space, "
            "or choose another folder with --results"
        ) from error
    try:
        with locked(folder):
            yield NewBuild(builds, folder)
    finally:
        with suppress(OSError):
            remove_folder(folder)
