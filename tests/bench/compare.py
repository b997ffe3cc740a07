"""Two files of results side by side: `python -m tests.bench.compare A.json B.json`.

Figures that depend on the machine's speed are first put in proportion to the calibration loop of
their own run. What differs by less than the floor is called the same: two runs are two moments.
`tests.bench.commits` measures two commits in turn and can see smaller differences.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import BenchError, Figure, Report, load
from tests.bench.verdicts import ALPHA, FEWEST, FLOOR_BETWEEN_FILES, Verdict, judge

_WORDS = {"better": "faster", "worse": "slower"}


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of both."""

    a: Figure
    b: Figure
    verdict: Verdict

    @property
    def word(self) -> str:
        word = self.verdict.word
        return word if self.a.clock == "none" else _WORDS.get(word, word)

    def __str__(self) -> str:
        a, b, verdict = self.a, self.b, self.verdict
        called = f"{self.word.upper()}, p {verdict.p:.4f}" if self.is_different else self.word
        return (
            f"  {a.name:52} {a.median:12,.1f} ±{a.spread:4.0%} {b.median:12,.1f} ±{b.spread:4.0%}"
            f" {a.unit:13} x {verdict.ratio:5.2f}  {called}"
        )

    @property
    def is_different(self) -> bool:
        return self.verdict.word not in {"same", "unsure"}


def compare(a: Report, b: Report, *, floor: float, calibrated: bool) -> Iterator[Compared]:
    """Every figure that both have.

    Args:
        a: Before.
        b: After.
        floor: Share by which medians must differ at least.
        calibrated: Whether to allow for the machine's speed at each run.
    """
    for before in a.figures:
        after = b.find(before.name)
        if after is None:
            continue
        speed = b.calibration(after.section) / a.calibration(before.section) if calibrated else 1.0
        verdict = judge(before.values, _as_at(after, speed), before.better, floor)
        yield Compared(before, after, verdict)


def _as_at(figure: Figure, speed: float) -> tuple[float, ...]:
    """Its values as they were on a machine so many times slower."""
    if figure.clock == "none":
        return figure.values
    is_rate = figure.unit.endswith("/s")
    return tuple(value / speed if is_rate else value * speed for value in figure.values)


def table(found: Sequence[Compared]) -> str:
    """All of them, and how many would be called if nothing had changed."""
    judged = sum(one.verdict.word != "unsure" for one in found)
    lines = [*map(str, found)]
    lines.append(
        f"{sum(one.is_different for one in found)} of {judged} differ (Mann-Whitney, p <="
        f" {ALPHA:g}; by chance alone up to {judged * ALPHA:.1f} would be called)"
    )
    if judged < len(found):
        lines.append(f"{len(found) - judged} unsure: fewer than {FEWEST} values of each")
    return "\n".join(lines)


def main(words: Sequence[str]) -> None:
    if len(words) != 2:
        raise BenchError("name two files of results: compare A.json B.json")
    a, b = (load(Path(word)) for word in words)
    print(f"A: {a.commit} of {a.made_at}; B: {b.commit} of {b.made_at}")
    found = list(compare(a, b, floor=FLOOR_BETWEEN_FILES, calibrated=True))
    print(table(found))
    print(f"in proportion to each run's calibration; below {FLOOR_BETWEEN_FILES:.0%} is the same")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BenchError as error:
        sys.exit(f"compare: {error}")
