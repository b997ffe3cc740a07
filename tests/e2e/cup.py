"""A small tournament whose outcome is the same however it is played, and that outcome."""

from pathlib import Path

from tests.e2e.arena import SAMPLES, Arena, timeless

SESSIONS = 24
"""Of the tournament that is played here: 8 matches at 3 seatings."""
GAMES = """
SELECT match_index, seating, match_key, game, dealer, deck_digest, actions, sources, notes,
    termination, winner, deadwood, burned, payments, chips, view_digests
FROM games JOIN sessions ON sessions.id = session_id ORDER BY match_index, seating, game
"""
"""All of the games that does not depend on time."""


def cup(arena: Arena) -> Path:
    """Four deterministic bots, few tables, and time enough on the busiest machine."""
    bots = {name: SAMPLES / name for name in ("random", "greedy", "cautious", "caller")}
    return arena.file(
        bots, matches=8, seatings=3, games=2,
        limits__decision_s=30.0, limits__bank_s=900.0, limits__start_s=60.0, machine__tables=2,
    )  # fmt: skip


class Outcome:
    """What has to be the same however often a tournament was interrupted."""

    def __init__(self, arena: Arena) -> None:
        self.leaderboard = timeless(arena.run("leaderboard", "--json").out)
        self.games = arena.rows(GAMES)
        (self.tournament,) = arena.rows("SELECT name, commitment, secret FROM tournaments")
        self.faults = arena.rows("SELECT * FROM faults")


def same(arena: Arena, uninterrupted: Outcome) -> None:
    outcome = Outcome(arena)
    assert outcome.leaderboard == uninterrupted.leaderboard
    assert outcome.games == uninterrupted.games
    assert outcome.tournament == uninterrupted.tournament
    assert outcome.faults == []
    assert list((arena.results / "secret").iterdir()) == []
