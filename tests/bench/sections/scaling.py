"""How a tournament's rate changes with entrants, games, workers and slow bots: the capacity page.

Python bots throughout. Each point is one tournament; those that are compared take turns.
"""

from collections import defaultdict
from collections.abc import Iterator

from tests.bench.figures import BenchError, Figure, Skipped
from tests.bench.sections.tournament import figures
from tests.bench.sizes import Sizes
from tests.bench.tournament import Order, Played, copies, play, scratch

_ENTRANTS, _GAMES = 4, 2
_GAMES_TRIED = (1, 2, 6)
_WORKERS = (1, 2)


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    points = dict(_points(sizes))
    runs: dict[str, list[Played]] = defaultdict(list)
    failed: dict[str, str] = {}
    with scratch() as results:
        for number in range(sizes.long_rounds):
            for point, order in points.items():
                if point in failed:
                    continue
                try:
                    runs[point].append(play(order(f"scaling-{len(runs)}-{number}"), results))
                except BenchError as error:
                    failed[point] = str(error)
    for point in points:
        if point in failed:
            yield Skipped(f"scaling/{point}", failed[point])
        else:
            yield from figures(f"scaling/{point}", runs[point])


def _points(sizes: Sizes) -> Iterator[tuple[str, "_Point"]]:
    for entrants in sizes.entrants:
        yield f"{entrants} entrants", _Point(sizes, entrants=entrants)
    for games in _GAMES_TRIED:
        yield f"{games} games a session", _Point(sizes, games=games)
    for workers in _WORKERS:
        yield f"{workers} workers", _Point(sizes, workers=workers)


class _Point:
    """As many games as everywhere; called with a name it is an order."""

    def __init__(
        self, sizes: Sizes, *, entrants: int = _ENTRANTS, games: int = _GAMES, workers: int = 1
    ) -> None:
        self._matches = max(1, sizes.matches * _GAMES // games)
        self._entrants, self._games, self._workers = entrants, games, workers

    def __call__(self, name: str) -> Order:
        return Order(
            name, copies("greedy", self._entrants), self._matches,
            games=self._games, workers=self._workers,
        )  # fmt: skip
