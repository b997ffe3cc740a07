"""Ratings: the fold as the leaderboard has it, beside the bare library and a quicker model."""

from collections.abc import Iterator

from tests.bench.figures import Figure, Skipped
from tests.bench.sections.engine import measured
from tests.bench.sizes import Sizes

LOOPS = (
    "ratings",
    "ratings, two tied",
    "trueskill bare",
    "trueskill bare, two tied",
    "openskill Plackett-Luce",
    "openskill Plackett-Luce, two tied",
)


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    yield from measured("ratings", LOOPS, "matches/s", sizes)
