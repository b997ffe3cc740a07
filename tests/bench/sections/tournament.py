"""Whole tournaments: with Python bots beside the peers' environments, by players, by language."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tests.bench import compiled, loops
from tests.bench.figures import BenchError, Figure, Skipped
from tests.bench.machine import last_core
from tests.bench.sizes import Sizes
from tests.bench.tournament import Entry, Order, Played, copies, play, samples, scratch

DEMO = ("random", "greedy", "cautious", "caller")
PEERS = ("RLCard gin", "PettingZoo gin")
LANGUAGES = {
    "python": "greedy",
    "go": "greedy-go",
    "rust": "greedy-rust",
    "cpp": "greedy-cpp",
    "node": "greedy-node",
    "java": "greedy-java",
}
"""The same strategy in each; `python` is what the others are compared with."""


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    with scratch() as results:
        yield from _beside_peers(sizes, results)
        if sizes.languages:
            yield from _by_players(sizes, results)
            yield from _by_language(sizes, results)


def _beside_peers(sizes: Sizes, results: Path) -> Iterator[Figure | Skipped]:
    """Two presets of rules with the bots of `tongits demo`, peers measured in between."""
    runs: dict[str, list[Played]] = defaultdict(list)
    wanted = PEERS if sizes.peers else ()
    peers = [peer for peer in wanted if loops.missing(peer) is None]
    rates: dict[str, list[float]] = defaultdict(list)
    for number in range(sizes.long_rounds):
        for rules in ("tongits-lite", "sa-tong"):
            runs[rules].append(
                play(_order(f"{rules}-{number}", samples(DEMO), sizes, rules=rules), results)
            )
        for peer in peers:
            rates[peer].append(loops.rate(peer, last_core(), sizes.repeats))
    for rules, played in runs.items():
        yield from figures(f"tournament/{rules}", played)
    for peer in wanted:
        if peer in rates:
            yield Figure(f"tournament/{peer}", "decisions/s", tuple(rates[peer]), clock="cpu")
        else:
            yield Skipped(f"tournament/{peer}", str(loops.missing(peer)))


def _by_players(sizes: Sizes, results: Path) -> Iterator[Figure | Skipped]:
    """Quick Python bots, with one process of the harness and one a core, interpreted and compiled.

    The peers' loops play by chance, as `random` does; `greedy` thinks a little.
    """
    orders: dict[str, Order] = {}
    for bot in ("random", "greedy"):
        plain = _order(f"4 x {bot}, one process", copies(bot), sizes, seatings=1)
        crew = replace(plain, name=f"4 x {bot}, a worker a core", workers=os.cpu_count() or 1)
        for order in (plain, crew):
            orders[order.name] = order
            orders[f"{order.name}, compiled"] = replace(order, compiled=True)
    why = compiled.lacking()
    yield from (
        Skipped(f"tournament/{name}", why) for name in orders if why and orders[name].compiled
    )
    runs: dict[str, list[Played]] = defaultdict(list)
    for number in range(sizes.long_rounds):
        for name, order in orders.items():
            if not (why and order.compiled):
                file = f"{name}-{number}".replace(" ", "-").replace(",", "")
                runs[name].append(play(replace(order, name=file), results))
    for name, played in runs.items():
        yield from figures(f"tournament/{name}", played)


def _by_language(sizes: Sizes, results: Path) -> Iterator[Figure | Skipped]:
    """Four copies of one strategy; languages take turns. The first run of each only builds."""
    able: dict[str, tuple[Entry, ...]] = {}
    for language, bot in LANGUAGES.items():
        try:
            play(Order(f"build-{language}", copies(bot), 1, seatings=1, games=1), results)
        except BenchError as error:
            yield Skipped(f"tournament/{language}", str(error))
        else:
            able[language] = copies(bot)
    runs: dict[str, list[Played]] = defaultdict(list)
    for number in range(sizes.long_rounds):
        for language, entries in able.items():
            order = _order(f"{language}-{number}", entries, sizes, seatings=1)
            runs[language].append(play(order, results))
    for language, played in runs.items():
        yield from figures(f"tournament/4 x {LANGUAGES[language]}", played)


def _order(
    name: str,
    entries: tuple[Entry, ...],
    sizes: Sizes,
    *,
    rules: str = "tongits-lite",
    seatings: int = 6,
) -> Order:
    """As many sessions, whatever the seatings."""
    matches = sizes.matches * 6 // seatings
    return Order(name, entries, matches, rules=rules, seatings=seatings)


def figures(name: str, played: Sequence[Played]) -> Iterator[Figure]:
    """What is said of every tournament."""
    faults = sum(one.faults for one in played)
    note = f"FAULTS: {faults}" if faults else f"{played[0].decisions} decisions"

    def rate(what: str, unit: str, values: Iterator[float], note: str = "") -> Figure:
        return Figure(f"{name}/{what}", unit, tuple(values), note=note)

    yield rate("steady", "decisions/s", (one.steady_rate("decisions") for one in played), note)
    yield rate("steady games", "games/s", (one.steady_rate("games") for one in played))
    yield rate("overall", "decisions/s", (one.decisions / one.seconds for one in played))
    yield rate("overall games", "games/s", (one.games / one.seconds for one in played))
    yield _cost(name, "first session stored", "s", [one.first_s for one in played], clock="wall")
    for who, values in _cpu(played).items():
        yield _cost(name, f"CPU {who}", "us/decision", values, clock="cpu")
    memory = [one.harness_kib / 1024 for one in played]
    yield _cost(name, "memory of the harness", "MiB", memory, clock="none")


def _cpu(played: Sequence[Played]) -> Mapping[str, list[float]]:
    """Microseconds a decision in the steady span, and of the whole command."""
    return {
        "harness, main thread": [
            one.steady.main / one.in_span("decisions") * 1e6 for one in played
        ],
        "harness": [one.steady.harness / one.in_span("decisions") * 1e6 for one in played],
        "bots": [one.steady.bots / one.in_span("decisions") * 1e6 for one in played],
        "harness, start included": [one.whole.harness / one.decisions * 1e6 for one in played],
        "bots, start included": [one.whole.bots / one.decisions * 1e6 for one in played],
    }


def _cost(name: str, what: str, unit: str, values: Sequence[float], *, clock: str) -> Figure:
    return Figure(f"{name}/{what}", unit, tuple(values), better="lower", clock=clock)  # type: ignore[arg-type]
