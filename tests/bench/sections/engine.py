"""The engine under uniformly random play, beside other projects' gin rummy, on one core."""

from collections.abc import Iterator

from tests.bench import loops
from tests.bench.figures import Figure, Skipped
from tests.bench.machine import last_core
from tests.bench.sizes import Sizes

OURS = (
    "tongits-lite",
    "tongits-lite, compiled",
    "tongits-lite, checked",
    "tongits-lite, checked, compiled",
    "tongits-lite, observed",
    "tongits-lite, observed, compiled",
    "sa-tong",
    "sa-tong, compiled",
    "session, observations encoded",
    "session, observations encoded, compiled",
    "PettingZoo environment",
)
PEERS = (
    "OpenSpiel gin, cloned start",
    "OpenSpiel gin, new start",
    "RLCard gin",
    "PettingZoo gin",
)


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    yield from measured("engine", (*OURS, *PEERS), "decisions/s", sizes)


def measured(
    section: str, names: tuple[str, ...], unit: str, sizes: Sizes
) -> Iterator[Figure | Skipped]:
    """Loops in turn, a fresh process for each of every round."""
    names = tuple(name for name in names if sizes.peers or not loops.is_peer(name))
    found = loops.rates(names, last_core(), rounds=sizes.rounds, repeats=sizes.repeats)
    for name, values in found.items():
        if isinstance(values, str):
            yield Skipped(f"{section}/{name}", values)
        else:
            yield Figure(f"{section}/{name}", unit, values, clock="cpu")
