"""Plays the matches that the figures of harness/COMPARE.md are made of; takes a quarter of an hour.

    python -m tests.statistics.record tongits-lite 1500 > lite.jsonl

One line for each set of shuffles: four bots play it in turn against the same two others, at all six
seatings, and what is kept of every game is its dealer and its chips by seat.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations

from tongits_engine import rules_named

from tests.bots.games import load_decide
from tests.statistics.tables import Strategy, Tables, slipping

FIELD = ("random", "greedy", "cautious", "caller")
SLIPS = 0.05
CANDIDATES = ("greedy", "slipping", "cautious", "caller")
SEATINGS = 6

Game = tuple[int, int, int, int]
"""Dealer, and the chips of seats 0, 1 and 2."""


@dataclass(frozen=True)
class Shuffles:
    """What was played on the shuffles of one key."""

    rules: str
    key: str
    others: tuple[str, str]
    played: dict[str, list[list[Game]]]
    """Candidate -> for each seating its games."""


def strategies() -> dict[str, Strategy]:
    """All that are seated, by name."""
    made = {name: load_decide(name) for name in FIELD}
    made["slipping"] = slipping(made["greedy"], SLIPS)
    return made


def record(rules: str, count: int) -> Iterator[Shuffles]:
    """Plays so many sets of shuffles."""
    tables, known = Tables(rules_named(rules)), strategies()
    pairs = list(combinations(FIELD, 2))
    for number in range(count):
        b, c = pairs[number % len(pairs)]
        played = {}
        for name in CANDIDATES:
            sessions = tables.play_match(f"k{number}", (known[name], known[b], known[c]), SEATINGS)
            played[name] = [
                [(game.dealer, *game.chips) for game in outcome.games] for _, outcome in sessions
            ]
        yield Shuffles(rules, f"k{number}", (b, c), played)


def main() -> None:
    """Writes them to stdout, a line each."""
    for one in record(sys.argv[1], int(sys.argv[2])):
        print(json.dumps(asdict(one), separators=(",", ":")), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
