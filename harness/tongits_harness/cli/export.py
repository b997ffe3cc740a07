"""`tongits export`: the results as files for other tools."""

import csv
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tongits_harness.cli.options import results_option, tournament_option
from tongits_harness.cli.talk import say

if TYPE_CHECKING:
    from tongits_harness.results.exports import Value

    Rows = Iterator[tuple[Value, ...]]

_BATCH = 10_000
"""Rows of a group in a Parquet file."""
DICTIONARY = "columns.json"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--format", "kind", type=click.Choice(["csv", "jsonl", "parquet"]), default="csv",
    show_default=True, help="Kind of file; parquet needs `pip install tongits-arena[parquet]`.",
)  # fmt: skip
@results_option
@tournament_option
def export(folder: Path, kind: str, results: Path, tournament: str | None) -> None:
    """Write the results as files for other tools.

    One file a table (leaderboard, matches, games, actions, faults) and columns.json, which says
    what every column means. The tables matches, games, actions and faults are also views of the
    database, named v_matches and so on.
    """
    from tongits_harness.results.exports import EXPORTS
    from tongits_harness.results.leaderboard import read_leaderboard
    from tongits_harness.results.queries import open_reader
    from tongits_harness.views.leaderboard import leaderboard_table

    write = _writer(kind)
    folder.mkdir(parents=True, exist_ok=True)
    with open_reader(results) as reader:
        name = reader.tournament(tournament).name
        board = leaderboard_table(read_leaderboard(reader, name))
        count = write(folder / f"leaderboard.{kind}", board.header, map(tuple, board.rows))
        say(f"{folder / f'leaderboard.{kind}'}: {count} rows")
        for table in EXPORTS:
            path = folder / f"{table.name}.{kind}"
            say(f"{path}: {write(path, table.header, reader.export(table, name))} rows")
    meanings = {table.name: dict(table.columns) for table in EXPORTS}
    meanings["leaderboard"] = {column.key: column.meaning for column in board.columns}
    (folder / DICTIONARY).write_text(json.dumps(meanings, indent=2) + "\n", encoding="utf-8")


def _writer(kind: str) -> "Callable[[Path, list[str], Rows], int]":
    return {"csv": _write_csv, "jsonl": _write_lines, "parquet": _write_parquet}[kind]


def _write_csv(path: Path, header: list[str], rows: "Rows") -> int:
    from tongits_harness.views.tables import csv_cell

    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            writer.writerow([csv_cell(value) for value in row])
            count += 1
    return count


def _write_lines(path: Path, header: list[str], rows: "Rows") -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(dict(zip(header, row, strict=True))) + "\n")
            count += 1
    return count


def _write_parquet(path: Path, header: list[str], rows: "Rows") -> int:
    from tongits_harness.errors import ConfigError

    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise ConfigError(
            "Parquet files need pyarrow: pip install 'tongits-arena[parquet]', or take --format csv"
        ) from None
    count, writer = 0, None
    while True:
        batch = list(islice(rows, _BATCH))
        if not batch and writer is not None:
            break
        columns = [[row[number] for row in batch] for number in range(len(header))]
        table = pa.table([_column(pa, values) for values in columns], names=header)
        if writer is None:
            writer = parquet.ParquetWriter(path, table.schema)
        writer.write_table(table.cast(writer.schema))
        count += len(batch)
        if not batch:
            break
    writer.close()
    return count


def _column(pa: Any, values: "list[Value]") -> Any:  # noqa: ANN401  # pyarrow has no types
    """Values of one kind; numbers where all of them are missing."""
    found = pa.array(values)
    return found.cast(pa.int64()) if pa.types.is_null(found.type) else found
