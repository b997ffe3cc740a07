"""SQLite's own checks of the whole file."""

import sqlite3

SHOWN = 10
"""Problems told; the first says enough."""


def integrity_problems(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What is wrong with the file, its indices and its references; nothing if it is sound."""
    lines = connection.execute(f"PRAGMA integrity_check({SHOWN})").fetchall()
    found = [" ".join(str(line).split()) for (line,) in lines if line != "ok"]
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        if len(found) >= SHOWN:
            break
        found.append(f"row {row} of {table} belongs to nothing in {parent}")
    return tuple(found[:SHOWN])
