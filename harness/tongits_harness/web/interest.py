"""Which matches are worth watching."""

from collections.abc import Iterable
from heapq import nlargest

from tongits_harness.results.browse import ListedMatch
from tongits_harness.web.arena import Shown


def most_interesting(matches: Iterable[ListedMatch], shown: Shown, count: int) -> list[ListedMatch]:
    """The most interesting matches, in schedule order.

    A match is interesting if it ended otherwise than the ratings say, if it was close, or if there
    were faults in it; of equals the later one.
    """
    scores = {row.entrant: row.score for row in shown.board.rows}
    found = nlargest(count, matches, key=lambda match: (_interest(match, scores), match.index))
    return sorted(found, key=lambda match: match.index)


def _interest(match: ListedMatch, scores: dict[str, float]) -> float:
    first, second, third = match.seats
    upset = max(scores[second.entrant], scores[third.entrant]) - scores[first.entrant]
    closeness = 5.0 / (1 + first.chips - second.chips) if not first.forfeited else 0.0
    return max(upset, 0.0) + closeness + (2.0 if match.faults else 0.0)
