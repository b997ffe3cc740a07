"""A results folder, and submitting to it with a gate that lets everything through."""

import os
from pathlib import Path

import pytest
from tongits_harness.errors import CannotContinueError, TongitsError
from tongits_harness.results.submitted import submitted_versions
from tongits_harness.submissions.entries import SubmissionRefusedError
from tongits_harness.submissions.submit import Judgement, Request, submit

from tests.harness.submissions.archives import Item, make_zip


class Desk:
    """Where bots are handed in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results = folder / "results"
        self.judgement = Judgement("accepted", True, {"steps": []})
        self.seen: list[Path] = []

    def gate(self, path: Path) -> Judgement:
        self.seen.append(path)
        return self.judgement

    def submit(self, path: Path, revision: str | None = None, **how):
        limits = {"limits": how.pop("limits")} if "limits" in how else {}
        return submit(Request(path, revision, **how), self.results, self.gate, **limits)

    def zipped(self, *items: Item, **how):
        """Submit an archive of these entries."""
        limits = {"limits": how.pop("limits")} if "limits" in how else {}
        return self.archive(make_zip(*items, **how), **limits)

    def archive(self, data: bytes, **how):
        path = self.folder / "bot.zip"
        path.write_bytes(data)
        return self.submit(path, **how)

    def refuses(self, *words: str, kind: type[TongitsError] = SubmissionRefusedError):
        """A refusal in one line with these words, that leaves nothing behind."""
        return _Refusal(self, words, kind)

    def traces(self) -> list[str]:
        """All that is in the results and does not come from the database or the lock."""
        kept = [path.relative_to(self.results) for path in self.results.glob("bots/*")]
        return sorted(str(path) for path in kept if path.name != "lock")

    def files(self, version) -> dict[str, bytes]:
        """The stored files of a version."""
        top = self.results / "bots" / version.digest
        return {
            str(path.relative_to(top)): path.read_bytes()
            for path in sorted(top.rglob("*"))
            if path.is_file()
        }


class _Refusal:
    def __init__(self, desk: Desk, words: tuple[str, ...], kind: type[TongitsError]) -> None:
        self._desk, self._words, self._kind = desk, words, kind
        self._raises = pytest.raises(kind)

    def __enter__(self):
        self._before = (self._desk.traces(), submitted_versions(self._desk.results))
        self._outside = outside(self._desk.folder)
        return self._raises.__enter__()

    def __exit__(self, *caught):
        passed = self._raises.__exit__(*caught)
        text = str(caught[1])
        assert "\n" not in text
        assert text.isprintable()
        assert self._kind is CannotContinueError or str(self._desk.results) not in text
        for word in self._words:
            assert word in text, text
        assert (self._desk.traces(), submitted_versions(self._desk.results)) == self._before
        assert outside(self._desk.folder) - self._outside <= {"bot.zip", "results"}
        return passed


def outside(folder: Path) -> set[str]:
    """What lies in a folder and beside it."""
    return {*os.listdir(folder), *(f"../{name}" for name in os.listdir(folder.parent))}


@pytest.fixture
def desk(tmp_path):
    folder = tmp_path / "desk"
    folder.mkdir()
    return Desk(folder)


def write_bot(folder: Path, name: str = "mybot", **lines: str) -> Path:
    """A bot's folder; `lines` go into its manifest as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = {
        "name": f'"{name}"', "version": '"1.0"', "language": '"python"',
        "run": '["python3", "main.py"]', **lines,
    }  # fmt: skip
    manifest = "".join(f"{key} = {value}\n" for key, value in keys.items())
    (folder / "bot.toml").write_text(manifest, encoding="utf-8")
    (folder / "main.py").write_text("print('hello')\n", encoding="utf-8")
    return folder


@pytest.fixture
def bot(desk):
    return write_bot(desk.folder / "mybot")
