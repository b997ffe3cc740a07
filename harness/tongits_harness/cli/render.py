"""Tables and documents for every command: terminal, JSON, CSV, Markdown. Knows no results."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tongits_harness.text import safe_text

if TYPE_CHECKING:
    from rich.console import Console

PIPED_WIDTH = 200
"""Columns to fill where stdout is no terminal and COLUMNS does not say otherwise."""
_GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a terminal table."""

    title: str
    is_number: bool = False
    importance: int = 0
    """The least important columns are dropped first where the terminal is narrow; 0 stays."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of plain texts; they are made safe to show when it is printed."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    styles: Sequence[str] = ()
    """A rich style for each row."""


def print_json(document: object) -> None:
    """One JSON document, in ASCII."""
    click.echo(json.dumps(document, indent=2))


def print_csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """CSV as RFC 4180 has it, but for line ends; no cell starts a formula in a spreadsheet."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    click.echo(buffer.getvalue(), nl=False)


def print_markdown(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A Markdown table; texts are escaped."""
    click.echo("| " + " | ".join(header) + " |")
    click.echo("|" + " --- |" * len(header))
    for row in rows:
        click.echo("| " + " | ".join(_markdown_cell(value) for value in row) + " |")


def print_table(table: Table) -> None:
    """A table for people, as wide as the terminal allows."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    console = make_console()
    shown = _fitting(table, console.width)
    rich_table = RichTable(
        box=None if is_ascii_only() else box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, _GAP, 0, 0),
        header_style="bold",
    )
    for number in shown:
        column = table.columns[number]
        rich_table.add_column(
            printable(column.title), justify="right" if column.is_number else "left", no_wrap=True
        )
    for place, row in enumerate(table.rows):
        style = table.styles[place] if table.styles else ""
        rich_table.add_row(*(Text(printable(row[number])) for number in shown), style=style)
    console.print(rich_table)


def print_lines(*lines: str) -> None:
    """Lines of text, wrapped to the terminal."""
    from rich.text import Text

    console = make_console()
    for line in lines:
        console.print(Text(printable(line)))


def make_console() -> "Console":
    """A console on stdout: no colour with NO_COLOR or a pipe, wide where it is no terminal."""
    import os

    from rich.console import Console

    is_terminal = sys.stdout.isatty()
    width = None if is_terminal or "COLUMNS" in os.environ else PIPED_WIDTH
    return Console(file=sys.stdout, width=width, highlight=False, soft_wrap=False)


def is_ascii_only() -> bool:
    """Whether stdout cannot show more than ASCII."""
    return not (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")


def printable(text: str) -> str:
    """The text made safe, and in ASCII where the terminal has no more."""
    safe = safe_text(text)
    return (
        safe.translate(_ASCII).encode("ascii", "backslashreplace").decode()
        if is_ascii_only()
        else safe
    )


_ASCII = str.maketrans({"·": "-", "±": "~", "…": "~", "→": ">"})


def _fitting(table: Table, width: int) -> list[int]:
    """Indices of the columns to show: those with content, as many as fit, by importance."""
    from rich.cells import cell_len

    shown = [
        n
        for n, column in enumerate(table.columns)
        if column.importance == 0 or any(row[n] not in {"", "-"} for row in table.rows)
    ]
    widths = [
        max(cell_len(printable(text)) for text in [column.title, *(row[n] for row in table.rows)])
        for n, column in enumerate(table.columns)
    ]
    for number in sorted(shown, key=lambda n: -table.columns[n].importance):
        needed = sum(widths[n] + _GAP + 1 for n in shown)
        if needed <= width or table.columns[number].importance == 0:
            break
        shown.remove(number)
    return shown


def _csv_cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text


def _markdown_cell(value: object) -> str:
    text = "" if value is None else printable(str(value))
    return "".join(f"\\{mark}" if mark in "\\|*_`<>[]" else mark for mark in text)
