"""Writes the tables of harness/CAPACITY.md: `python -m tests.bench.page RESULTS.json`.

The page's text is written by hand; what stands between `<!-- bench:NAME -->` and
`<!-- /bench -->` is made here and never by hand.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tests.bench.figures import BenchError, Figure, Report, load
from tests.bench.machine import ROOT
from tests.bench.model import TOURNAMENT, Costs, cluster, costs_of
from tests.bench.required import judge_all
from tests.bench.sections.tournament import CREW

PAGE = ROOT / "harness" / "CAPACITY.md"
_MACHINES = (1, 2, 4, 8, 16, 32, 64)
_BLOCK = re.compile(r"(<!-- bench:(\w+) -->\n).*?(<!-- /bench -->)", re.DOTALL)
_GAMES_A_MATCH = 12
_NOT_YET = "*not measured yet*\n"


def written(page: str, report: Report) -> str:
    """The page with its tables made anew."""

    def fill(found: re.Match[str]) -> str:
        make = _TABLES.get(found[2])
        if make is None:
            raise BenchError(f"{PAGE.name}: no table {found[2]}; there are: {', '.join(_TABLES)}")
        return f"{found[1]}\n{make(report) or _NOT_YET}\n{found[3]}"

    return _BLOCK.sub(fill, page)


def _machine(report: Report) -> str:
    changed = " with changes" if report.is_changed else ""
    rows = [
        [section.name, str(section.machine).replace("calibration ", "")]
        for section in report.sections
    ]
    head = (
        f"Commit {report.commit}{changed}, {report.made_at[:10]}, {report.processor},"
        f" {report.cores} cores, {report.python}.\n\n"
    )
    return head + _table(["section", "calibration loop, wall/CPU, load"], rows)


def _figures(prefixes: Sequence[str]) -> Callable[[Report], str]:
    """All figures whose names begin so."""

    def make(report: Report) -> str:
        found = [f for f in report.figures if f.name.startswith(tuple(prefixes))]
        rows = [[f.name, _value(f), f.unit, f"{f.spread:.0%}", f.note] for f in found]
        return _table(["figure", "median", "unit", "spread", ""], rows)

    return make


def _required(report: Report) -> str:
    words = {True: "yes", False: "**no**", None: "not measured"}
    rows = [
        [
            one.requirement.title,
            "" if one.figure is None else _value(one.figure),
            "" if one.peer is None else _value(one.peer),
            "" if one.value is None else f"{one.value:.2f}",
            f"{'≤' if one.requirement.at_most else '≥'} {one.requirement.bound:g}",
            words[one.is_reached],
        ]
        for one in judge_all(report)
    ]
    return _table(["figure", "ours", "peer", "value", "required", "reached"], rows)


def _growth(report: Report) -> str:
    """Measured points beside the formula with the costs of that point."""
    base = costs_of(report)
    points = dict.fromkeys(
        name.rsplit("/", 1)[0]
        for name in (figure.name for figure in report.figures)
        if name.startswith(("scaling/", TOURNAMENT, "tournament/4 x", "tournament/by"))
        and name.endswith("/steady")
    )
    rows = [row for point in points if (row := _point(report, point, base))]
    head = [
        "tournament", "decisions/s", "harness us", "bots us", "harness MiB", "formula", "limit",
    ]  # fmt: skip
    return _table(head, rows)


def _point(report: Report, name: str, base: Costs | None) -> list[str]:
    steady, harness, bots, memory = (
        report.find(f"{name}/{what}")
        for what in ("steady", "CPU harness", "CPU bots", "memory of the harness")
    )
    if not (base and steady and harness and bots and memory):
        return []
    here = replace(
        base,
        harness_us=harness.median,
        bot_us=bots.median,
        workers=_workers(name, report.cores),
    )
    return [
        name.split("/", 1)[1], _value(steady), _value(harness), _value(bots), _value(memory),
        f"{here.rate:,.0f}", here.limit,
    ]  # fmt: skip


def _workers(name: str, cores: int) -> int:
    """How many played, by the name of a figure."""
    counted = re.search(r"(\d+) workers", name)
    return cores if CREW in name else int(counted[1]) if counted else 1


def _cluster(report: Report) -> str:
    """Computed, from the measured gain of a second worker."""
    base = costs_of(report)
    one, two = (report.find(f"scaling/{count} workers/steady") for count in (1, 2))
    if not (base and one and two):
        return ""
    efficiency = min(1.0, max(0.0, two.median / one.median - 1))
    rows = []
    for machines in _MACHINES:
        costs = cluster(base, machines, efficiency)
        matches = costs.rate / costs.decisions_per_session * 2 / _GAMES_A_MATCH
        rows.append(
            [str(machines), f"{costs.rate:,.0f}", f"{matches * 3600:,.0f}",
             f"{1e6 / matches / 3600:,.1f} h", costs.limit]
        )  # fmt: skip
    said = f"A second worker added {two.median / one.median - 1:.0%} of the first one's rate.\n\n"
    head = ["machines", "decisions/s", "matches an hour", "a million matches", "limit"]
    return said + _table(head, rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rows = list(rows)
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _value(figure: Figure) -> str:
    return f"{figure.median:,.0f}" if figure.median >= 100 else f"{figure.median:,.2f}"


_TABLES: dict[str, Callable[[Report], str]] = {
    "machine": _machine,
    "required": _required,
    "tournament": _figures([f"{TOURNAMENT}/", "tournament/RLCard", "tournament/PettingZoo"]),
    "link": _figures(["link/"]),
    "parts": _figures(["engine/", "ratings/", "store/", "startup/"]),
    "growth": _growth,
    "slow": _figures(["slow/"]),
    "languages": _figures(["languages/"]),
    "memory": _figures(["memory/"]),
    "pages": _figures(["pages/"]),
    "cluster": _cluster,
}


def main(words: Sequence[str]) -> None:
    if len(words) != 1:
        raise BenchError("name one file of results: make bench-page FROM=results/bench/X.json")
    report = load(Path(words[0]))
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), report), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} holds the figures of {report.commit}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BenchError as error:
        sys.exit(f"page: {error}")
