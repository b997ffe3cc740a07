"""Files for other tools: every row, columns that are described, views that anybody can ask."""

import csv
import json
import sqlite3
import subprocess
import sys

import pytest
from tongits_harness.results.connection import database_path
from tongits_harness.results.exports import EXPORTS

COUNTS = {"leaderboard": 3, "matches": 90, "games": 180}


def export(results, folder, kind):
    words = ["export", str(folder), "--format", kind, "--results", str(results)]
    done = subprocess.run(
        [sys.executable, "-m", "tongits_harness.cli", *words],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "columns.json").read_text())


@pytest.mark.process
def test_csv_holds_every_row_and_a_dictionary(results, tmp_path):
    meanings = export(results, tmp_path, "csv")
    for name, columns in meanings.items():
        with (tmp_path / f"{name}.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == COUNTS.get(name, len(rows))
        assert all(columns.values())
        if rows:
            assert list(rows[0]) == list(columns)
    with (tmp_path / "actions.csv").open(newline="") as file:
        actions = list(csv.DictReader(file))
    with (tmp_path / "games.csv").open(newline="") as file:
        assert len(actions) == sum(int(game["actions"]) for game in csv.DictReader(file))
    assert {action["source"] for action in actions} == {"d", "f"}


@pytest.mark.process
def test_lines_and_parquet_hold_the_same(results, tmp_path):
    from pyarrow import parquet

    export(results, tmp_path, "jsonl")
    export(results, tmp_path, "parquet")
    for name in ("leaderboard", "matches", "games", "actions", "faults"):
        lines = [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text().splitlines()]
        assert parquet.read_table(tmp_path / f"{name}.parquet").to_pylist() == lines


@pytest.mark.parametrize("table", EXPORTS, ids=lambda table: table.name)
def test_a_view_has_the_columns_that_are_described(results, table):
    connection = sqlite3.connect(f"file:{database_path(results)}?mode=ro", uri=True)
    rows = connection.execute(f"SELECT * FROM {table.view} LIMIT 1")  # noqa: S608
    assert [column[0] for column in rows.description] == table.header
    connection.close()
