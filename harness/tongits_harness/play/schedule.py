"""The schedule: a pure, resumable sequence of match plans."""

import hashlib
import math
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from itertools import islice

from tongits_harness.play.plan import MatchPlan


def match_key(tournament: str, entrants: Sequence[str], round_number: int) -> str:
    """Content key of a match: 16 hex digits of SHA-256 over tournament, sorted triple and round."""
    text = "\0".join(("tongits-match/1", tournament, *sorted(entrants), str(round_number)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def matches_in_round(entrants: int) -> int:
    """Number of triples of that many entrants."""
    return math.comb(entrants, 3)


def round_robin(
    tournament: str, entrants: Sequence[str], rounds: int, first: int = 0
) -> Iterator[MatchPlan]:
    """Every triple once a round, interleaved so that entrants stay level.

    At any moment the numbers of matches of two entrants differ by at most two, and at the end of a
    round by nothing (design section 11). Entrants are taken in sorted order, so the order in which
    they were named changes nothing.

    Args:
        tournament: Its name.
        entrants: Their names.
        rounds: Passes over all triples.
        first: Index of the first match wanted; whole rounds before it cost nothing.

    Raises:
        ValueError: with fewer than three entrants or two of one name.
    """
    names = sorted(entrants)
    if len(names) < 3 or len(set(names)) < len(names):
        raise ValueError("a round robin needs at least three entrants of different names")
    begun, passed = divmod(first, matches_in_round(len(names)))
    index = first
    for number in range(begun, rounds):
        for a, b, c in islice(_balanced_triples(len(names)), passed, None):
            triple = (names[a], names[b], names[c])
            yield MatchPlan(index, match_key(tournament, triple, number), number, triple)
            index += 1
        passed = 0


def _balanced_triples(n: int) -> Iterator[tuple[int, int, int]]:
    """All triples of 0..n-1, lazily, each built around an entrant that has played least.

    `test_schedule` checks for every n up to 40 that the counts stay within two of each other.
    """
    table = _Table(n)
    for _ in range(math.comb(n, 3)):
        yield table.next_triple()


class _Table:
    """Who has played how often, and which triples are left; sets of entrants are bits of a number.

    A round of 100 entrants has 161,700 triples: bits keep them small and the search for one short.
    """

    def __init__(self, n: int) -> None:
        everybody = (1 << n) - 1
        self._played = [0] * n
        self._by_count = [(0, i) for i in range(n)]
        """Everybody, whoever has played least first."""
        self._at = [everybody, 0]
        """Count -> who has played that often."""
        self._left = [[everybody & ~(1 << p | 1 << q) for q in range(n)] for p in range(n)]
        """Pair -> whom the two have not met yet."""

    def next_triple(self) -> tuple[int, int, int]:
        """Takes the unused triple with the least-played first member and the least-played third."""
        order = [i for _, i in self._by_count]
        for x, p in enumerate(order):
            best: tuple[int, int, int] | None = None
            ceiling = len(self._at)
            for q in islice(order, x + 1, None):
                if self._played[q] >= ceiling:
                    break
                third = self._third(p, q, ceiling)
                if third is not None:
                    best, ceiling = (p, q, third), self._played[third]
            if best is not None:
                return self._take(best)
        raise LookupError("every triple has been used")

    def _third(self, p: int, q: int, ceiling: int) -> int | None:
        """The first after q in the order, not met by the two, that has played less than that."""
        left, level = self._left[p][q], self._played[q]
        free = left & self._at[level] & -(2 << q)
        while not free:
            level += 1
            if level >= ceiling:
                return None
            free = left & self._at[level]
        return (free & -free).bit_length() - 1

    def _take(self, triple: tuple[int, int, int]) -> tuple[int, int, int]:
        a, b, c = triple
        for p, q, r in ((a, b, c), (a, c, b), (b, c, a)):
            self._left[p][q] &= ~(1 << r)
            self._left[q][p] = self._left[p][q]
        for i in triple:
            self._count(i)
        p, q, r = sorted(triple)
        return p, q, r

    def _count(self, i: int) -> None:
        count = self._played[i]
        del self._by_count[bisect_left(self._by_count, (count, i))]
        insort(self._by_count, (count + 1, i))
        self._played[i] = count + 1
        self._at[count] &= ~(1 << i)
        if count + 1 == len(self._at):
            self._at.append(0)
        self._at[count + 1] |= 1 << i
