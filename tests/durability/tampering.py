"""Changing the database behind the harness's back, and reading what `verify` says to it."""

import sqlite3
from contextlib import closing

SESSION = "(SELECT id FROM sessions WHERE match_index = 3 AND seating = 1)"
"""The session that is changed."""


def execute(results, statement, *values):
    with closing(sqlite3.connect(results / "arena.db")) as database, database:
        return database.execute(statement, values).fetchall()


def broken(document):
    """The claims that do not hold, each with its first failure."""
    return {
        claim["claim"]: claim["failures"][0] if claim["failures"] else claim["skipped"]
        for claim in document["claims"]
        if not claim["ok"]
    }


def place(failure):
    return failure["match"], failure["seating"], failure["game"]
