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
from tests.bench.tournament import Order, Played, copies, play, samples, scratch

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
CREW = "a worker a core"


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    with scratch() as results:
        yield from _by_rules(sizes, results)
        yield from _by_players(sizes, results)
        if sizes.languages:
            yield from _by_language(sizes, results)


def _by_rules(sizes: Sizes, results: Path) -> Iterator[Figure | Skipped]:
    """What an organiser has without a word more: the bots of `tongits demo`, two presets."""
    names = ("tongits-lite", "sa-tong")
    orders = {rules: Order(rules, samples(DEMO), sizes.matches, rules=rules) for rules in names}
    yield from _in_turn(orders, sizes, results)


def _by_players(sizes: Sizes, results: Path) -> Iterator[Figure | Skipped]:
    """Quick Python bots, one process of the harness and one a core, interpreted and compiled.

    The peers, whose loops play by chance as `random` does, are measured in between.
    """
    orders: dict[str, Order] = {}
    for bot in ("random", "greedy"):
        alone, crew = _quick(bot, sizes), _crew(bot, sizes)
        orders[f"4 x {bot}"] = alone
        orders[f"4 x {bot}, compiled"] = replace(alone, compiled=True)
        orders[f"4 x {bot}, {CREW}"] = crew
        orders[f"4 x {bot}, {CREW}, compiled"] = replace(crew, compiled=True)
    wanted = PEERS if sizes.peers else ()
    yield from _in_turn(orders, sizes, results, wanted)


def _by_language(sizes: Sizes, results: Path) -> Iterator[Figure | Skipped]:
    """Four copies of one strategy, a worker a core. The first run of each only builds."""
    orders: dict[str, Order] = {}
    for language, bot in LANGUAGES.items():
        try:
            play(Order(f"build-{language}", copies(bot), 1, seatings=1, games=1), results)
        except BenchError as error:
            yield Skipped(f"tournament/{language}", str(error))
        else:
            orders[f"by language, {CREW}, compiled: {bot}"] = replace(
                _crew(bot, sizes), compiled=True
            )
    yield from _in_turn(orders, sizes, results)


def _quick(bot: str, sizes: Sizes, workers: int = 1) -> Order:
    """Matches of twelve games at one seating: few processes, which are started soon.

    Three for every table, else what is measured is how the tables empty.
    """
    matches = 3 * sizes.matches * workers
    return Order(bot, copies(bot), matches, seatings=1, games=12, workers=workers)


def _crew(bot: str, sizes: Sizes) -> Order:
    return _quick(bot, sizes, os.cpu_count() or 1)


def _in_turn(
    orders: Mapping[str, Order], sizes: Sizes, results: Path, peers: Sequence[str] = ()
) -> Iterator[Figure | Skipped]:
    """Plays all of them, and the peers' loops, in every round."""
    why = compiled.lacking()
    able = {name: order for name, order in orders.items() if not (why and order.compiled)}
    yield from (Skipped(f"tournament/{name}", str(why)) for name in orders if name not in able)
    lacking = {peer: reason for peer in peers if (reason := loops.missing(peer))}
    runs: dict[str, list[Played]] = defaultdict(list)
    rates: dict[str, list[float]] = defaultdict(list)
    for number in range(sizes.long_rounds):
        for place, (name, order) in enumerate(able.items()):
            folder = results / f"{order.name}-{place}-{number}"
            folder.mkdir()
            (folder / "builds").symlink_to((results / "builds").resolve())
            runs[name].append(play(replace(order, name="bench"), folder))
        for peer in peers:
            if peer not in lacking:
                rates[peer].append(loops.rate(peer, last_core(), sizes.repeats))
    for name, played in runs.items():
        yield from figures(f"tournament/{name}", played)
    for peer, values in rates.items():
        yield Figure(f"tournament/{peer}", "decisions/s", tuple(values), clock="cpu")
    yield from (Skipped(f"tournament/{peer}", reason) for peer, reason in lacking.items())


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
