"""Plays the steps of the ladder of sample bots in this process, and prints its table.

    python -m tests.bots.ladder tongits-lite 300

Each step is played against the one before it, at every seating of the same shuffles, beside the
others of the field in turn. The session, the messages and the SDK's View are those of a tournament;
only processes and sandbox are left out. Same shuffles every time, so the chips come out alike.
"""

import sys
from collections.abc import Iterator
from itertools import cycle, pairwise
from statistics import mean, stdev
from time import process_time_ns

from tongits_bot import Action, View
from tongits_engine import rules_named

from tests.bots.games import load_decide
from tests.statistics.tables import Strategy, Tables, chips_by_entrant

LADDER = ("random", "greedy", "cautious", "caller", "planner")
FIELD = ("greedy", "cautious", "caller")
"""Who sits beside the two: those of these that are not one of them, in turn."""
SEATINGS, GAMES = 6, 2
Z95, Z99 = 1.960, 2.576


class Timed:
    """A strategy that notes the CPU time of each of its decisions, in microseconds."""

    def __init__(self, decide: Strategy) -> None:
        self._decide = decide
        self.spent: list[float] = []

    def __call__(self, view: View) -> Action:
        start = process_time_ns()
        action = self._decide(view)
        self.spent.append((process_time_ns() - start) / 1000)
        return action

    def at(self, share: float) -> float:
        """The time within which that part of the decisions was made."""
        return sorted(self.spent)[int(share * (len(self.spent) - 1))]


def play_step(
    tables: Tables, new: Timed, old: Strategy, others: list[Strategy], count: int
) -> Iterator[tuple[float, float]]:
    """For every match: chips per game of the new bot and of the old one."""
    for number, third in zip(range(count), cycle(others), strict=False):
        sessions = tables.play_match(f"ladder-{number}", (new, old, third), SEATINGS)
        totals = [sum(chips) for chips in zip(*map(chips_by_entrant, sessions), strict=True)]
        yield totals[0] / (SEATINGS * GAMES), totals[1] / (SEATINGS * GAMES)


def rows(variant: str, count: int) -> Iterator[str]:
    """The table, line by line as it is played."""
    tables = Tables(rules_named(variant), GAMES)
    yield "| step | beside | its chips | the other's | difference | 95 % | 99 % | p50, p99 |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for below, name in pairwise(LADDER):
        beside = [other for other in FIELD if other not in (below, name)]
        new = Timed(load_decide(name))
        others = [load_decide(other) for other in beside]
        played = list(play_step(tables, new, load_decide(below), others, count))
        gains = [mine - theirs for mine, theirs in played]
        error = stdev(gains) / count**0.5
        mine, theirs = (mean(values) for values in zip(*played, strict=True))
        yield (
            f"| {name} over {below} | {', '.join(beside)} | {mine:+.2f} | {theirs:+.2f} "
            f"| {mean(gains):+.2f} | ±{Z95 * error:.2f} | ±{Z99 * error:.2f} "
            f"| {new.at(0.5):.0f} µs, {new.at(0.99):.0f} µs |"
        )


if __name__ == "__main__":
    for line in rows(sys.argv[1], int(sys.argv[2])):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
