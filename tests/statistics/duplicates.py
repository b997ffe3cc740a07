"""The tables of harness/COMPARE.md, from recorded matches.

python -m tests.statistics.duplicates lite.jsonl sa.jsonl
"""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from tongits_engine import PACK, Rules, deadwood, deal, deck, mask_of, melds_in, rules_named
from tongits_harness.play.plan import SEATINGS

from tests.statistics.figures import CANDIDATES, chips, read
from tests.statistics.record import Shuffles
from tests.statistics.tables import SEED

COUNTS = (1, 3, 6)
GAMES = 2
Z99 = 2.326348
"""One-sided 99 % point of the normal distribution."""
BETWEEN = 2 * Z99
"""Standard errors between no difference and one that is seen with 99 %, at 99 %."""
_HANDS = 20_000
_OFTEN, _TINY = 0.05, 1e-9
"""Controls that are not 0 in so few matches are left out: over 3 and 6 seatings they cancel."""
Numbers = NDArray[np.float64]


def separating_games(variance: float, games: int, difference: float) -> float:
    """Games of a fixed number of blocks that tell a difference from none, at 99 % both ways.

    Args:
        variance: Of a block's difference in chips per game.
        games: Of a block.
        difference: In chips per game.
    """
    return games * variance * (BETWEEN / difference) ** 2


# --- control variates ---------------------------------------------------------------------------


@cache
def _usual(rules: Rules, cards: int) -> tuple[float, float]:
    """What a hand of so many cards holds on average: points that are left, melds that are there."""
    chance = Random(cards)
    hands = [mask_of(chance.sample(range(PACK), cards)) for _ in range(_HANDS)]
    return (
        sum(deadwood(rules, hand) for hand in hands) / _HANDS,
        sum(len(melds_in(rules, hand)) for hand in hands) / _HANDS,
    )


@cache
def _luck(name: str, key: str, game: int, dealer: int) -> tuple[tuple[float, float, float], ...]:
    """By seat: points and melds of the dealt hand above what is usual, and whether it deals.

    What is usual depends on the number of cards, so on who deals, and who deals the second game
    depends on the first: without that the mean would move with the strength of the bots.
    """
    rules = rules_named(name)
    made = []
    for seat, hand in enumerate(deal(rules, deck(SEED, key, game), dealer).hands):
        points, melds = _usual(rules, hand.bit_count())
        deals = float(seat == dealer) - 1 / 3 if game == 0 else 0.0
        made.append((deadwood(rules, hand) - points, len(melds_in(rules, hand)) - melds, deals))
    return tuple(made)


def controls(one: Shuffles, name: str, seatings: int) -> list[float]:
    """Of the match: what luck with the dealt cards gave the candidate more than the first other."""
    sums = [0.0, 0.0, 0.0]
    for order, games in zip(SEATINGS[6][:seatings], one.played[name], strict=False):
        for game, (dealer, *_) in enumerate(games):
            hands = _luck(one.rules, one.key, game, dealer)
            for i in range(3):
                sums[i] += hands[order.index(0)][i] - hands[order.index(1)][i]
    return [value / (seatings * GAMES) for value in sums]


def remaining(differences: Numbers, controls: Numbers) -> float:
    """Part of the variance that is left; each half is corrected by what the other half says."""
    half = len(differences) // 2
    parts = (slice(0, half), slice(half, None))
    left = []
    for here, there in (parts, parts[::-1]):
        varies = np.mean(np.abs(controls[there]) > _TINY, axis=0) > _OFTEN
        design = np.column_stack([np.ones(len(controls[there])), controls[there][:, varies]])
        fit = np.linalg.lstsq(design, differences[there], rcond=None)[0]
        corrected = differences[here] - controls[here][:, varies] @ fit[1:]
        left.append(np.var(corrected) / np.var(differences[here]))
    return float(np.mean(left))


# --- tables --------------------------------------------------------------------------------------


def per_game(shuffles: Sequence[Shuffles], new: str, seatings: int) -> Numbers:
    """Chips per game of the candidate and of both others, a row for each match."""
    return np.array([chips(one, new, seatings) for one in shuffles]) / (seatings * GAMES)


def head_to_head(shuffles: Sequence[Shuffles]) -> Iterator[str]:
    """Two bots at one table: what a leaderboard sees."""
    yield "| at one table | difference | spread of a match 1/3/6 | games 1/3/6 | with controls |"
    yield "|---|---|---|---|---|"
    for name in CANDIDATES:
        for other in ("greedy", "cautious", "caller"):
            if name == other:
                continue
            there = [one for one in shuffles if one.others[0] == other]
            if len(there) > 100:
                yield _row(f"{name}, {other}", *_both(there, name))


def _both(shuffles: Sequence[Shuffles], name: str) -> tuple[list[Numbers], list[Numbers]]:
    found = [per_game(shuffles, name, count) for count in COUNTS]
    dealt = [np.array([controls(one, name, count) for one in shuffles]) for count in COUNTS]
    return [table[:, 0] - table[:, 1] for table in found], dealt


def _row(what: str, differences: list[Numbers], dealt: list[Numbers]) -> str:
    mean = float(differences[-1].mean())
    spreads = [float(d.std()) for d in differences]
    games = [
        separating_games(s**2, count * GAMES, mean)
        for s, count in zip(spreads, COUNTS, strict=True)
    ]
    left = [remaining(d, c) for d, c in zip(differences, dealt, strict=True)]
    controlled = [g * part for g, part in zip(games, left, strict=True)]
    return (
        f"| {what} | {mean:+.2f} | {_joined(spreads, '.2f')} | {_joined(games, ',.0f')} |"
        f" {_joined(controlled, ',.0f')} |"
    )


def paired(shuffles: Sequence[Shuffles]) -> Iterator[str]:
    """Two bots in turn beside the same others: what `tongits compare` sees."""
    yield "| in pairs | difference | spread of a pair 1/3/6 | games 1/3/6 | on other shuffles |"
    yield "|---|---|---|---|---|"
    for old, new in combinations(CANDIDATES, 2):
        tables = [
            (per_game(shuffles, new, n)[:, 0], per_game(shuffles, old, n)[:, 0]) for n in COUNTS
        ]
        mean = float((tables[-1][0] - tables[-1][1]).mean())
        spreads = [float((a - b).std()) for a, b in tables]
        alone = [math.sqrt(float(a.var() + b.var())) for a, b in tables]
        cost = _costs(mean)
        yield (
            f"| {new} - {old} | {mean:+.2f} | {_joined(spreads, '.2f')} |"
            f" {_joined(cost(spreads), ',.0f')} | {_joined(cost(alone), ',.0f')} |"
        )


def _costs(mean: float) -> Callable[[Sequence[float]], list[float]]:
    return lambda spreads: [
        separating_games(s**2, 2 * count * GAMES, mean)
        for s, count in zip(spreads, COUNTS, strict=True)
    ]


def _joined(values: Sequence[float], form: str) -> str:
    return " / ".join(format(value, form) for value in values)


def main() -> None:
    """Prints them."""
    for path in sys.argv[1:]:
        shuffles = read(Path(path))
        print(f"\n{shuffles[0].rules}, {len(shuffles)} sets of shuffles\n")  # noqa: T201
        for table in (head_to_head, paired):
            print(*table(shuffles), "", sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
