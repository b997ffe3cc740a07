"""A table as a value: named columns and plain cells, with its CSV and JSON forms."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tongits_harness.text import safe_text

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    key: str
    """Its name in CSV and JSON."""
    meaning: str
    """One line for the column dictionary."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return [column.key for column in self.columns]

    def as_csv(self) -> str:
        """RFC 4180 but for line ends; no cell starts a formula in a spreadsheet."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows([csv_cell(value) for value in row] for row in self.rows)
        return buffer.getvalue()

    def as_json(self) -> list[Mapping[str, Cell]]:
        """One object a row."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


def csv_cell(value: Cell) -> Cell:
    """A value for a CSV file: text made safe, also for spreadsheets, which run formulas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return value
    text = safe_text(value)
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text
