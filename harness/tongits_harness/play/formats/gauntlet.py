"""The gauntlet: challengers against a field. Every match holds one challenger and two of the field.

So a challenger is measured against the field and never against another challenger, and all
challengers meet the same pairs: the next pair of the field only sits down when every challenger has
met this one. The pairs of a pass come as the rounds of a circle (everybody stays, one turns), which
keeps the field level.
"""

import math
from collections.abc import Iterator, Sequence

from tongits_harness.play.plan import MatchPlan
from tongits_harness.play.schedule import match_key


def matches_in_pass(field: int, challengers: int) -> int:
    """Matches until every challenger has met every pair of the field once."""
    return challengers * math.comb(field, 2)


def gauntlet(
    tournament: str, entrants: Sequence[str], challengers: Sequence[str], first: int = 0
) -> Iterator[MatchPlan]:
    """Passes without end, from the match of index `first` on.

    At any moment the challengers' numbers of matches differ by at most one, and those of the field
    by at most twice the number of challengers; at the end of a pass both are level. Names are taken
    in sorted order, so the order in which they were given changes nothing.

    Raises:
        ValueError: a challenger that is no entrant, none, or fewer than two others.
    """
    against = sorted(set(challengers))
    field = sorted(set(entrants) - set(against))
    if not against or not set(against) <= set(entrants) or len(field) < 2:
        raise ValueError("a gauntlet needs a challenger of the entrants, and two others")
    pairs = list(_circle(len(field)))
    index = first
    while True:
        number, place = divmod(index, len(pairs) * len(against))
        pair, which = divmod(place, len(against))
        a, b, c = sorted((against[which], field[pairs[pair][0]], field[pairs[pair][1]]))
        triple = (a, b, c)
        yield MatchPlan(index, match_key(tournament, triple, number), number, triple)
        index += 1


def _circle(n: int) -> Iterator[tuple[int, int]]:
    """All pairs of 0..n-1, so that everybody has one pair in a round (or none, once, for odd n)."""
    size = n + n % 2
    for turn in range(size - 1):
        for step in range(size // 2):
            left, right = (turn + step) % (size - 1), (turn - step) % (size - 1)
            a, b = sorted((left, right if step else size - 1))
            if b < n:
                yield a, b
