"""Two commits measured in turn: `python -m tests.bench.commits A B [SECTION]... [--rounds N]`.

Both are measured by the benchmark of this checkout, with this environment's interpreter and
libraries, from sources that are put in a temporary folder. Every round of either is a process of
its own, and the two take turns, so that what the machine does meanwhile strikes both alike.
"""

import argparse
import io
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.bench.compare import compare, table
from tests.bench.figures import BenchError, Report, Section, load, save
from tests.bench.machine import RESULTS, ROOT, new_report
from tests.bench.verdicts import FEWEST, FLOOR

_SECTIONS = ("engine", "link", "tournament")
_SOURCES = ("engine", "harness", "protos", "sample_bots/python")
_ROUNDS = 7
_LIMIT_S = 3600


def main(words: Sequence[str]) -> None:
    asked = _arguments(words)
    with tempfile.TemporaryDirectory(prefix="bench-commits-") as name:
        names = [_commit(word) for word in (asked.a, asked.b)]
        folders = [_unpack(commit, Path(name, str(side))) for side, commit in enumerate(names)]
        reports = [new_report(commit) for commit in names]
        for number in range(asked.rounds):
            for side in (0, 1) if number % 2 == 0 else (1, 0):
                print(f"round {number + 1} of {asked.rounds}: {names[side]}", flush=True)
                once = _round(names[side], folders[side], asked)
                reports[side] = joined(reports[side], once)
    for report, side in zip(reports, "ab", strict=True):
        save(report, RESULTS / f"compare-{side}-{report.commit}.json")
    print(f"A: {names[0]}, B: {names[1]}")
    print(table(list(compare(*reports, floor=FLOOR, calibrated=False))))
    print(f"rounds in turn, each a fresh process; medians within {FLOOR:.0%} are the same")


def joined(report: Report, once: Report) -> Report:
    """A report with the medians of one more round as one more value of every figure."""
    return report.with_sections(_joined(report, section) for section in once.sections)


def _joined(report: Report, once: Section) -> Section:
    before = next((section for section in report.sections if section.name == once.name), None)
    known = {figure.name: figure.values for figure in before.figures} if before else {}
    figures = tuple(
        replace(figure, values=(*known.get(figure.name, ()), figure.median))
        for figure in once.figures
    )
    return replace(once, figures=figures)


def _round(commit: str, folder: Path, asked: argparse.Namespace) -> Report:
    out = folder / "round.json"
    words = [*asked.sections, "--rounds", "1", "--ours", "--commit", commit, "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.run", *words, *(["--quick"] * asked.quick)],
        cwd=ROOT, env=_environment(folder), capture_output=True, text=True, check=False,
        timeout=_LIMIT_S,
    )  # fmt: skip
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no words"]
        raise BenchError(f"{commit} cannot be measured by this benchmark: {last[0]}")
    return load(out)


def _environment(folder: Path) -> dict[str, str]:
    """This environment, with the packages of the folder before its own."""
    sources = os.pathsep.join(str(folder / source) for source in _SOURCES)
    return {**os.environ, "PYTHONPATH": sources, "PYTHONDONTWRITEBYTECODE": ""}


def _commit(word: str) -> str:
    return _git("rev-parse", "--short=12", "--verify", f"{word}^{{commit}}").decode().strip()


def _unpack(commit: str, folder: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(_git("archive", "--format=tar", commit))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def _git(*words: str) -> bytes:
    done = subprocess.run(
        ["git", *words],  # noqa: S607  # as the person's path has it
        cwd=ROOT, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    if done.returncode != 0:
        raise BenchError(f"git {words[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-compare", description=__doc__)
    parser.add_argument("a", help="a commit")
    parser.add_argument("b", help="another")
    parser.add_argument("sections", nargs="*", metavar="SECTION", default=list(_SECTIONS))
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help=f"at least {FEWEST}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it still work?")
    return parser.parse_args(words)


def _end(*_words: object) -> None:
    sys.exit(130)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)  # the temporary folder goes with it
    try:
        main(sys.argv[1:])
    except BenchError as error:
        sys.exit(f"bench-compare: {error}")
