"""Bots that take 50 ms a decision: does the harness add anything to their time?

The wall time of the steady span by what the bots were charged in it, shared by the processes that
may think at a time. 1.00 is a harness that costs nothing.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure, Skipped
from tests.bench.sizes import Sizes
from tests.bench.tournament import Order, Played, copies, play, scratch

BOT = Path(__file__).parents[1] / "bots" / "slow"
THINKS_S = 0.05
_SLOTS = (1, 3)


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    with scratch() as results:
        for slots in _SLOTS:
            played = [
                play(_order(f"slow-{slots}-{number}", slots, sizes), results)
                for number in range(sizes.long_rounds)
            ]
            yield from _figures(slots, played)


def _order(name: str, slots: int, sizes: Sizes) -> Order:
    return Order(
        name, copies(str(BOT), 3), sizes.slow_matches * slots,
        seatings=1, games=1, compute_slots=slots,
    )  # fmt: skip


def _figures(slots: int, played: list[Played]) -> Iterator[Figure]:
    name = f"slow/{slots} at a time"
    over = tuple(
        (one.span[1] - one.span[0]) / (one.in_span("decisions") * THINKS_S / slots)
        for one in played
    )
    yield Figure(f"{name}/wall by bot time", "x", over, better="lower", clock="none")
    charged = tuple(one.in_span("thought_s") / one.in_span("decisions") * 1e3 for one in played)
    yield Figure(f"{name}/charged", "ms/decision", charged, better="lower", clock="none")
