"""The way of a decision to a bot and back, beside a bare gRPC stream and a bare unix socket.

All three carry the same messages and have a Python bot that does not think. Harness and bot have a
core each.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tests.bench.bare_table import over_grpc, over_socket
from tests.bench.figures import Figure, Skipped
from tests.bench.machine import last_core, on_core
from tests.bench.measured import Exchange
from tests.bench.sizes import Sizes
from tests.bench.talking import talk

_FEWER = {1: 20, 4: 8, 16: 4}
"""Where few games share a message a decision costs so many times as much."""


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    bots_core = last_core()
    for at_once in sizes.at_once:
        decisions = sizes.link_decisions // _FEWER.get(at_once, 1)
        found: dict[str, list[Exchange]] = defaultdict(list)
        with on_core(0 if bots_core else None):
            for _ in range(sizes.rounds):
                ours, messages = talk(at_once, decisions, bots_core)
                found["ours"].append(ours)
                if sizes.peers:
                    found["bare gRPC"].append(over_grpc(messages, bots_core))
                    found["bare socket"].append(over_socket(messages, bots_core))
        size = sum(map(len, messages)) / decisions
        note = f"{len(messages)} messages, {size:.0f} bytes a request"
        yield from _figures(at_once, found, note)


def _figures(at_once: int, found: dict[str, list[Exchange]], note: str) -> Iterator[Figure]:
    for way, values in found.items():
        name = f"link/{at_once}/{way}"
        yield Figure(name, "decisions/s", _each(values, "rate"), note=note)
        for side in ("harness", "bot"):
            used = _each(values, f"{side}_us")
            yield Figure(f"{name}/{side} CPU", "us/decision", used, better="lower", clock="cpu")


def _each(exchanges: Sequence[Exchange], what: str) -> tuple[float, ...]:
    return tuple(getattr(exchange, what) for exchange in exchanges)
