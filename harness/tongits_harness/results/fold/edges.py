"""Chips a game without the luck of the draw: deals and opponents taken out. Pure.

Duplicate seatings deal the same cards to all three of a match, so luck with the deal cancels in its
chips. What is left is luck with the opponents: who met whom, and how often. The edges are the least
squares fit of

    chips a game of A at a table with B and C  =  edge(A) - (edge(B) + edge(C)) / 2

over all matches, with a mean of 0 over those who played: what an entrant would win of two others of
average strength. Where all met all others equally often the edges are in proportion to the chips.
"""

import math
from collections import defaultdict
from collections.abc import Mapping

Sums = Mapping[str, tuple[int, int]]
"""Entrant -> (chips, games) over the matches that it did not forfeit."""
Met = Mapping[str, Mapping[str, int]]
"""Entrant -> opponent -> of those games the ones with that opponent at the table."""
_NEAR = 1e-10
"""Edges that move less in a sweep are final; in chips."""
_SWEEPS = 500


def edges(sums: Sums, met: Met) -> dict[str, float | None]:
    """The edge of every entrant in chips a game; None without a game."""
    played = sorted(name for name, (_, games) in sums.items() if games)
    found = dict.fromkeys(played, 0.0)
    for _ in range(_SWEEPS):
        moved = 0.0
        for name in played:
            chips, games = sums[name]
            against = math.fsum(met[name][other] * found.get(other, 0.0) for other in met[name])
            now = (chips + against / 2) / games
            moved = max(moved, abs(now - found[name]))
            found[name] = now
        middle = math.fsum(found.values()) / len(found) if found else 0.0
        found = {name: edge - middle for name, edge in found.items()}
        if moved < _NEAR:
            break
    return {name: found.get(name) for name in sums}


def met_of(pairs: Mapping[tuple[str, str], tuple[int, int]]) -> Met:
    """Games with each opponent, from the games of (first, second) in the matches of both."""
    met: dict[str, dict[str, int]] = defaultdict(dict)
    for (first, second), (games, other_games) in sorted(pairs.items()):
        met[first][second] = games
        met[second][first] = other_games
    return met
