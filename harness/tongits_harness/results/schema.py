"""The tables of `arena.db`, and how a blank database becomes one of ours."""

import sqlite3
from pathlib import Path

from tongits_harness.errors import CannotContinueError, ConfigError

APPLICATION_ID = 0x746F6E67
"""The bytes "tong": marks the file as ours (`file arena.db` shows it)."""
FORMAT = 5
"""Version of the tables, in user_version; a reader refuses a higher one, a writer raises a lower
one. Readers must bear with the tables of a later format missing."""

TABLES = """
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    rules TEXT NOT NULL,
    parameters TEXT NOT NULL,           -- JSON: rule parameters by dotted name
    settings TEXT NOT NULL,             -- JSON: rounds, games, seatings, limits, policy
    seatings INTEGER NOT NULL,          -- sessions that make a match complete
    commitment TEXT NOT NULL,           -- SHA-256 of the secret, published before play
    matches_planned INTEGER NOT NULL,
    created_at REAL NOT NULL,
    secret TEXT,                        -- NULL until the tournament is finished
    finished_at REAL
) STRICT;
CREATE TABLE entrants (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    name TEXT NOT NULL,
    version TEXT NOT NULL,              -- digest of the bot's files
    declared_version TEXT NOT NULL,
    language TEXT NOT NULL,
    source TEXT NOT NULL,
    manifest TEXT NOT NULL,             -- JSON
    PRIMARY KEY (tournament_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    match_index INTEGER NOT NULL,       -- position in schedule order
    seating INTEGER NOT NULL,
    match_key TEXT NOT NULL,
    round INTEGER NOT NULL,
    voids INTEGER NOT NULL,
    sandbox TEXT NOT NULL,
    started_at REAL NOT NULL,
    finished_at REAL NOT NULL,
    UNIQUE (tournament_id, match_index, seating),
    UNIQUE (tournament_id, match_key, seating)
) STRICT;
CREATE TABLE session_seats (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    seat INTEGER NOT NULL,
    entrant TEXT NOT NULL,
    chips INTEGER NOT NULL,
    forfeited INTEGER NOT NULL,
    decisions INTEGER NOT NULL,
    latency TEXT NOT NULL,              -- JSON: histogram of charged time, bucket -> count
    bank_used_us INTEGER NOT NULL,
    incarnations TEXT NOT NULL,         -- JSON: ids of the bot processes, in order
    PRIMARY KEY (session_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    game INTEGER NOT NULL,
    dealer INTEGER NOT NULL,
    deck_digest TEXT NOT NULL,
    actions TEXT NOT NULL,              -- one action text a line
    sources TEXT NOT NULL,              -- one letter an action: d, f or x
    elapsed_us TEXT NOT NULL,           -- JSON, one number an action
    notes TEXT NOT NULL,                -- JSON: step -> the bot's note
    termination TEXT NOT NULL,
    winner INTEGER,
    deadwood TEXT NOT NULL,             -- JSON, one value a seat; so are the next four
    burned TEXT NOT NULL,
    payments TEXT NOT NULL,
    chips TEXT NOT NULL,
    view_digests TEXT NOT NULL,
    PRIMARY KEY (session_id, game)
) STRICT;
CREATE TABLE faults (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    entrant TEXT NOT NULL,
    game INTEGER NOT NULL,
    step INTEGER NOT NULL,
    charged INTEGER NOT NULL,
    forfeit INTEGER NOT NULL,
    process_lost INTEGER NOT NULL,
    kind TEXT NOT NULL,
    blame TEXT NOT NULL,
    phase TEXT NOT NULL,
    message TEXT NOT NULL,
    evidence TEXT NOT NULL,             -- JSON
    observation BLOB NOT NULL,          -- the request that was being answered
    PRIMARY KEY (session_id, number)
) STRICT;
CREATE TABLE matches (                  -- complete matches only: written with their last session
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    match_index INTEGER NOT NULL,
    match_key TEXT NOT NULL,
    round INTEGER NOT NULL,
    sandbox TEXT NOT NULL,              -- the weakest level of its sessions
    finished_at REAL NOT NULL,
    PRIMARY KEY (tournament_id, match_index)
) STRICT, WITHOUT ROWID;
CREATE TABLE match_seats (
    tournament_id INTEGER NOT NULL,
    match_index INTEGER NOT NULL,
    entrant TEXT NOT NULL,
    place INTEGER NOT NULL,             -- 1..3; equal chips share the better; forfeited is 3
    chips INTEGER NOT NULL,
    games INTEGER NOT NULL,
    forfeited INTEGER NOT NULL,
    process_lost INTEGER NOT NULL,
    decisions INTEGER NOT NULL,
    latency TEXT NOT NULL,              -- JSON: sum of the sessions' histograms
    PRIMARY KEY (tournament_id, match_index, entrant),
    FOREIGN KEY (tournament_id, match_index) REFERENCES matches (tournament_id, match_index),
    FOREIGN KEY (tournament_id, entrant) REFERENCES entrants (tournament_id, name)
) STRICT, WITHOUT ROWID;
"""

ADDED = {
    2: """
CREATE TABLE checkpoints (              -- derived: what `results.fold` made of the first matches
    tournament_id INTEGER PRIMARY KEY REFERENCES tournaments (id),
    match_index INTEGER NOT NULL,       -- the last match in it
    state BLOB NOT NULL
) STRICT;
""",
    3: """
CREATE TABLE submitted_bots (           -- a row is written after the files are in bots/<digest>
    name TEXT NOT NULL,
    number INTEGER NOT NULL,            -- of the version, from 1 for each name
    digest TEXT NOT NULL UNIQUE,
    manifest_name TEXT NOT NULL,
    declared_version TEXT NOT NULL,
    language TEXT NOT NULL,
    author TEXT NOT NULL,
    source TEXT NOT NULL,               -- what was submitted, in words
    submitted_at REAL NOT NULL,
    verdict TEXT NOT NULL,
    is_accepted INTEGER NOT NULL,
    disabled_at REAL,                   -- NULL while it may be seated
    reason TEXT NOT NULL,
    manifest TEXT NOT NULL,             -- JSON
    report TEXT NOT NULL,               -- JSON: every step of its check
    PRIMARY KEY (name, number)
) STRICT, WITHOUT ROWID;
""",
    4: """
CREATE VIEW v_matches AS                -- views for other tools: see `results.exports`
    SELECT name AS tournament, match_index, match_key, round, sandbox, entrant, place, chips, games,
        forfeited, process_lost, decisions, matches.finished_at AS finished_at
    FROM matches JOIN match_seats USING (tournament_id, match_index)
    JOIN tournaments ON tournaments.id = tournament_id;
CREATE VIEW v_games AS
    SELECT name AS tournament, match_index, match_key, seating, game, dealer,
        a.entrant AS seat0, b.entrant AS seat1, c.entrant AS seat2, termination, winner,
        json_extract(games.payments, '$[0]') AS payment0,
        json_extract(games.payments, '$[1]') AS payment1,
        json_extract(games.payments, '$[2]') AS payment2,
        json_extract(games.chips, '$[0]') AS chips0,
        json_extract(games.chips, '$[1]') AS chips1,
        json_extract(games.chips, '$[2]') AS chips2,
        json_extract(deadwood, '$[0]') AS deadwood0,
        json_extract(deadwood, '$[1]') AS deadwood1,
        json_extract(deadwood, '$[2]') AS deadwood2,
        length(sources) AS actions, deck_digest
    FROM games JOIN sessions ON sessions.id = games.session_id
    JOIN tournaments ON tournaments.id = tournament_id
    JOIN session_seats a ON a.session_id = sessions.id AND a.seat = 0
    JOIN session_seats b ON b.session_id = sessions.id AND b.seat = 1
    JOIN session_seats c ON c.session_id = sessions.id AND c.seat = 2;
CREATE VIEW v_actions AS
    SELECT name AS tournament, match_index, match_key, seating, game, texts.key AS step,
        texts.value AS action, substr(sources, texts.key + 1, 1) AS source,
        json_extract(elapsed_us, '$[' || texts.key || ']') AS think_us
    FROM games JOIN sessions ON sessions.id = session_id
    JOIN tournaments ON tournaments.id = tournament_id,
    json_each('["' || replace(actions, char(10), '","') || '"]') AS texts;
CREATE VIEW v_faults AS
    SELECT name AS tournament, match_index, match_key, seating, seat, entrant, game, step, kind,
        phase, blame, charged, forfeit, process_lost, message
    FROM faults JOIN sessions ON sessions.id = session_id
    JOIN tournaments ON tournaments.id = tournament_id;
""",
    5: """
CREATE TABLE stages (                   -- of formats that decide in stages; written before play
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    number INTEGER NOT NULL,            -- from 0
    first_match INTEGER NOT NULL,
    matches INTEGER NOT NULL,           -- 0: nothing comes any more
    chosen TEXT NOT NULL,               -- JSON: places of three entrants by name, round; [] if the
                                        -- format has its matches in an order of its own
    ended TEXT NOT NULL,                -- why nothing comes any more
    PRIMARY KEY (tournament_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS voided_sessions ON sessions (tournament_id, voids) WHERE voids > 0;
CREATE INDEX IF NOT EXISTS seats_by_entrant ON match_seats (tournament_id, entrant, match_index);
""",
}
"""What each format has added to the one before; nothing is ever changed or taken away."""


def check_format(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the database is one of ours and readable; False if it is blank.

    Raises:
        ConfigError: It belongs to another program.
        CannotContinueError: A newer version wrote it.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if (application, version, tables) == (0, 0, 0):
        return False
    if application != APPLICATION_ID:
        raise ConfigError(
            f"{path} is a database of another program: choose another folder with --results"
        )
    if version > FORMAT:
        raise CannotContinueError(
            f"{path} was written by a newer Tongits Arena (format {version}, this one knows"
            f" {FORMAT}): upgrade tongits-arena, or choose another folder with --results"
        )
    return True


def create_tables(connection: sqlite3.Connection) -> None:
    """Make a blank database ours, inside the caller's transaction."""
    _execute(connection, TABLES)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    _add(connection, 1)


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring the tables of an older format up to date, inside the caller's transaction."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < FORMAT:
        _add(connection, version)


def _add(connection: sqlite3.Connection, version: int) -> None:
    for number in range(version + 1, FORMAT + 1):
        _execute(connection, ADDED[number])
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def _execute(connection: sqlite3.Connection, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            connection.execute(statement)
