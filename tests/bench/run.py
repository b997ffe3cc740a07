"""`make bench`: the figures of one run on this machine, as a table and in a file.

Ratios within one run are what counts: machines are noisy, and two figures of one run share the
noise. `python -m tests.bench.run [SECTION]... [--quick] [--out FILE]`; without words every section
but memory, which takes hours. Sections of the same commit are gathered in one file.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from tests.bench import required
from tests.bench.figures import BenchError, Figure, Section, Skipped, load, save
from tests.bench.machine import RESULTS, Look, new_report
from tests.bench.sizes import FULL, TINY, Sizes

SECTIONS = (
    "engine", "link", "tournament", "slow", "ratings", "store", "startup", "pages", "languages",
    "scaling", "memory",
)  # fmt: skip
_LONG = ("memory",)


def measure(name: str, sizes: Sizes) -> Section:
    """Measures one section, printing every figure as it is known."""
    section = import_module(f"tests.bench.sections.{name}")
    print(f"== {name}: {(section.__doc__ or '').splitlines()[0]}")
    figures: list[Figure] = []
    skipped: list[Skipped] = []
    look = Look()
    for found in section.measure(sizes):
        (figures if isinstance(found, Figure) else skipped).append(found)  # type: ignore[arg-type]
        print(found, flush=True)
    crowding = look.crowding()
    print(f"  {crowding}", flush=True)
    return Section(name, crowding, tuple(figures), tuple(skipped))


def main(words: Sequence[str]) -> None:
    asked = _arguments(words)
    report = new_report(asked.commit)
    path = asked.out or RESULTS / f"{report.commit}{'-changed' if report.is_changed else ''}.json"
    if path.exists() and asked.out is None:
        report = replace(report, sections=load(path).sections)
    sizes = replace(TINY if asked.quick else FULL, peers=not asked.ours)
    if asked.matches:
        sizes = replace(sizes, memory_matches=asked.matches)
    if asked.rounds:
        sizes = replace(sizes, rounds=asked.rounds, long_rounds=asked.rounds)
    print(f"{report.commit}, {report.processor}, {report.cores} cores, {report.python}")
    for name in asked.sections or [name for name in SECTIONS if name not in _LONG]:
        report = report.with_sections([measure(name, sizes)])
        save(report, path)
    print(required.table(report))
    print(f"kept in {os.path.relpath(path)}")


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it still work?")
    parser.add_argument("--ours", action="store_true", help="measure nothing beside it")
    parser.add_argument("--rounds", type=int, help="values of every figure")
    parser.add_argument("--matches", type=int, help="matches of the section memory")
    parser.add_argument("--out", type=Path, help="file of results, written anew")
    parser.add_argument("--commit", help="what to call the code that is measured")
    asked = parser.parse_args(words)
    for name in asked.sections:
        if name not in SECTIONS:
            parser.error(f"no section {name}; there are: {', '.join(SECTIONS)}")
    return asked


def _end(*_words: object) -> None:
    sys.exit(130)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)  # temporary folders and bots end with it
    try:
        main(sys.argv[1:])
    except BenchError as error:
        sys.exit(f"bench: {error}")
