"""The schedule: a pure, resumable sequence of match plans."""

import hashlib
import math
from collections.abc import Iterator, Sequence

from tongits_harness.play.plan import MatchPlan


def match_key(tournament: str, entrants: Sequence[str], round_number: int) -> str:
    """Content key of a match: 16 hex digits of SHA-256 over tournament, sorted triple and round."""
    text = "\0".join(("tongits-match/1", tournament, *sorted(entrants), str(round_number)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def matches_in_round(entrants: int) -> int:
    """Number of triples of that many entrants."""
    return math.comb(entrants, 3)


def round_robin(tournament: str, entrants: Sequence[str], rounds: int) -> Iterator[MatchPlan]:
    """Every triple once a round, interleaved so that entrants stay level.

    At any moment the numbers of matches of two entrants differ by at most two, and at the end of a
    round by nothing (design section 11). Entrants are taken in sorted order, so the order in which
    they were named changes nothing.

    Raises:
        ValueError: with fewer than three entrants or two of one name.
    """
    names = sorted(entrants)
    if len(names) < 3 or len(set(names)) < len(names):
        raise ValueError("a round robin needs at least three entrants of different names")
    index = 0
    for number in range(rounds):
        for a, b, c in _balanced_triples(len(names)):
            triple = (names[a], names[b], names[c])
            yield MatchPlan(index, match_key(tournament, triple, number), number, triple)
            index += 1


def _balanced_triples(n: int) -> Iterator[tuple[int, int, int]]:
    """All triples of 0..n-1, lazily, each built around an entrant that has played least.

    `test_schedule` checks for every n up to 40 that the counts stay within two of each other.
    """
    used: set[tuple[int, int, int]] = set()
    played = [0] * n
    for _ in range(math.comb(n, 3)):
        triple = _next_triple(sorted(range(n), key=lambda i: (played[i], i)), played, used)
        used.add(triple)
        for i in triple:
            played[i] += 1
        yield triple


def _next_triple(
    by_count: Sequence[int], played: Sequence[int], used: set[tuple[int, int, int]]
) -> tuple[int, int, int]:
    """The unused triple with the least-played first member whose third member has played least."""
    for x, p in enumerate(by_count):
        best: tuple[int, int, int] | None = None
        ceiling = max(played) + 1
        for y in range(x + 1, len(by_count)):
            if played[by_count[y]] >= ceiling:
                break
            for r in by_count[y + 1 :]:
                if played[r] >= ceiling:
                    break
                triple = _sorted_triple(p, by_count[y], r)
                if triple not in used:
                    best, ceiling = triple, played[r]
                    break
        if best is not None:
            return best
    raise LookupError("every triple has been used")


def _sorted_triple(p: int, q: int, r: int) -> tuple[int, int, int]:
    a, b, c = sorted((p, q, r))
    return a, b, c
