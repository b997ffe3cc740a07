"""What a benchmark run found: values, and their form in a file."""

import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

Better = Literal["higher", "lower", "neither"]
Clock = Literal["cpu", "wall", "none"]


class BenchError(Exception):
    """What was asked of the benchmark cannot be done; the text says what and the cure."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One quantity, measured in several rounds."""

    name: str
    """section/what/..., the same in every file."""
    unit: str
    values: tuple[float, ...]
    """One of each round."""
    better: Better = "higher"
    clock: Clock = "wall"
    """What time it is of: CPU time, the clock's, or none (a ratio, a size)."""
    note: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def spread(self) -> float:
        """Half of the distance between the extremes, as a share of the median."""
        middle = self.median
        return (max(self.values) - min(self.values)) / 2 / abs(middle) if middle else 0.0

    @property
    def section(self) -> str:
        return self.name.split("/", 1)[0]

    def __str__(self) -> str:
        shown = f"{self.median:14,.{_decimals(self.median)}f} {self.unit:14}"
        spread = f"±{self.spread:4.0%}" if len(self.values) > 1 else " once"
        return f"  {self.name:44} {shown} {spread}  {self.note}".rstrip()


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was not measured, and how it can be."""

    name: str
    why: str

    def __str__(self) -> str:
        return f"  {self.name:44} skipped: {self.why}"


@dataclass(frozen=True, slots=True)
class Crowding:
    """How the machine was before and after a section."""

    calibration: tuple[float, ...]
    """Turns a second of CPU time of one fixed Python loop, in millions."""
    wall_over_cpu: float
    """The worse of the two moments: 1.0 on a quiet machine."""
    load: tuple[float, float]

    @property
    def is_quiet(self) -> bool:
        return self.wall_over_cpu < 1.1  # performance.md: quiet was 1.00-1.15

    def __str__(self) -> str:
        state = "quiet" if self.is_quiet else "LOADED: figures by the clock are too low"
        return (
            f"calibration {statistics.median(self.calibration):.1f} M/s, wall/CPU"
            f" {self.wall_over_cpu:.2f}, load {self.load[0]:.1f} to {self.load[1]:.1f} ({state})"
        )


@dataclass(frozen=True, slots=True)
class Section:
    """All figures of one section."""

    name: str
    machine: Crowding
    figures: tuple[Figure, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A file of results."""

    commit: str
    is_changed: bool
    """Whether the working tree held changes that the commit has not."""
    made_at: str
    python: str
    processor: str
    cores: int
    sections: tuple[Section, ...] = ()

    @property
    def figures(self) -> Iterator[Figure]:
        for section in self.sections:
            yield from section.figures

    def find(self, name: str) -> Figure | None:
        return next((figure for figure in self.figures if figure.name == name), None)

    def calibration(self, section: str) -> float:
        """Of the moment at which that section was measured."""
        found = next(one for one in self.sections if one.name == section)
        return statistics.median(found.machine.calibration)

    def with_sections(self, fresh: Iterable[Section]) -> "Report":
        """With these in the place of older ones of the same names."""
        kept = {section.name: section for section in (*self.sections, *fresh)}
        return replace(self, sections=tuple(kept.values()))


_REPORT = TypeAdapter(Report)


def save(report: Report, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_REPORT.dump_json(report, indent=1) + b"\n")


def load(path: Path) -> Report:
    try:
        return _REPORT.validate_json(path.read_bytes())
    except OSError as error:
        raise BenchError(f"{path}: {error.strerror}; `make bench` makes such files") from None
    except ValidationError as error:
        raise BenchError(f"{path}: no benchmark results: {error.errors()[0]['msg']}") from None


def _decimals(value: float) -> int:
    """Three digits or so."""
    return next((3 - digits for digits in range(3) if abs(value) < 10**digits), 0)
