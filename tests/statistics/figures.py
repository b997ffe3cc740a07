"""What is made of recorded matches: chips of the bots by seatings, and their differences."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tongits_harness.play.plan import SEATINGS

from tests.statistics.record import CANDIDATES, Shuffles

DIFFERENCES = Path(__file__).with_name("differences.json")
"""Of pairs on the same shuffles, in chips of a whole match: {"what": {difference: how often}}."""
KEPT = (
    ("slipping", "greedy", 6),
    ("slipping", "greedy", 1),
    ("caller", "cautious", 6),
    ("cautious", "greedy", 3),
)
_MOST = SEATINGS[6]


def read(path: Path) -> list[Shuffles]:
    """What `record` wrote."""
    lines = path.read_text().splitlines()
    return [Shuffles(**json.loads(line)) for line in lines]


def chips(one: Shuffles, name: str, seatings: int) -> tuple[int, int, int]:
    """Chips of a candidate and of the two others over the first so many seatings."""
    totals = [0, 0, 0]
    for order, games in zip(_MOST[:seatings], one.played[name], strict=False):
        for _, *paid in games:
            for entrant, value in zip(order, paid, strict=True):
                totals[entrant] += value
    return totals[0], totals[1], totals[2]


def differences(shuffles: Iterable[Shuffles], new: str, old: str, seatings: int) -> list[int]:
    """Of every pair: chips of the new bot less those of the old one."""
    return [chips(one, new, seatings)[0] - chips(one, old, seatings)[0] for one in shuffles]


def keep(paths: Iterable[Path]) -> None:
    """Writes the differences that the tests draw from."""
    kept = {}
    for path in paths:
        shuffles = read(path)
        for new, old, seatings in KEPT:
            counted = Counter(differences(shuffles, new, old, seatings))
            kept[f"{shuffles[0].rules} {new}-{old} {seatings}"] = {
                str(value): counted[value] for value in sorted(counted)
            }
    DIFFERENCES.write_text(json.dumps(kept, indent=None, separators=(",", ":")) + "\n")


def drawn_from() -> dict[str, dict[float, int]]:
    """The kept differences in chips per game, by what was compared."""
    made = {}
    for what, counted in json.loads(DIFFERENCES.read_text()).items():
        games = 2 * int(what.split()[-1])
        made[what] = {int(value) / games: number for value, number in counted.items()}
    return made


__all__ = ["CANDIDATES", "chips", "differences", "drawn_from", "keep", "read"]
