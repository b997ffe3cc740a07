"""SQLite's own checks of the whole file."""

import sqlite3

SHOWN = 10
"""Problems told; the first says enough."""
WHOLE_MIB = 64
"""Files up to this size are looked at as a whole before a run goes on in them (some seconds)."""


def integrity_problems(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What is wrong with the file, its indices and its references; nothing if it is sound."""
    lines = connection.execute(f"PRAGMA integrity_check({SHOWN})").fetchall()
    found = [" ".join(str(line).split()) for (line,) in lines if line != "ok"]
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        if len(found) >= SHOWN:
            break
        found.append(f"row {row} of {table} belongs to nothing in {parent}")
    return tuple(found[:SHOWN])


def read_edges(connection: sqlite3.Connection) -> None:
    """Reads the end of every table and index, where a run goes on writing.

    What a large file holds elsewhere would take minutes to look at; `tongits verify` does.

    Raises:
        sqlite3.DatabaseError: A page on the way is damaged.
    """
    tables = connection.execute("PRAGMA main.table_list").fetchall()
    for _, table, kind, _, is_without_rowid, _ in tables:
        if kind != "table":
            continue
        order = "1" if is_without_rowid else "rowid"
        connection.execute(f"SELECT * FROM {table} ORDER BY {order} DESC LIMIT 1").fetchall()  # noqa: S608
        for _, index, _, _, is_partial in connection.execute(f"PRAGMA index_list({table})"):
            if not is_partial:
                _read_edge(connection, table, index)


def _read_edge(connection: sqlite3.Connection, table: str, index: str) -> None:
    info = connection.execute(f"PRAGMA index_info({index})")
    order = ", ".join(f"{column} DESC" for _, _, column in info)
    connection.execute(f"SELECT 1 FROM {table} ORDER BY {order} LIMIT 1").fetchall()  # noqa: S608
