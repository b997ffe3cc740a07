"""Whole tournaments in this process: all is real but the lanes, whose bots answer at once."""

import gc
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import trio
from tongits_harness.config import make_config
from tongits_harness.play import hall
from tongits_harness.play.progress import Progress
from tongits_harness.protocol.decisions import Chosen
from tongits_harness.runs import conduct, new_progress, prepare_run

from tests.e2e.arena import SAMPLES

SANDBOX = SimpleNamespace(level="none", describe=lambda: "no processes")


class Lane:
    """Answers what it is asked in the next turn of the event loop, always legally."""

    def __init__(self, entrant: str, seating: int) -> None:
        self.entrant, self.seating = entrant, seating
        self.capacity = 64
        self.sitters: set[object] = set()
        self.started = 1
        self._answers = 0
        self._token = trio.lowlevel.current_trio_token()

    def submit(self, pending, sitter) -> None:
        sitter.incarnated(self, f"{self.entrant}-{self.seating}-{self.started}")
        self._token.run_sync_soon(self._answer, pending, sitter)

    def _answer(self, pending, sitter) -> None:
        if sitter in self.sitters:
            self._answers += 1
            legal = pending.ask.legal
            pending.deliver(Chosen(legal[self._answers * 7919 % len(legal)], 100))

    def leave(self, sitter) -> None:
        self.sitters.discard(sitter)

    def tell_over(self, game_id, over) -> None:
        """Nobody wants to know."""

    def restart(self, _reason) -> None:
        self.started += 1


@dataclass
class House:
    """Lanes without processes; `on_seat` is told of every session that is seated."""

    on_seat: Callable[[object], None]
    lanes: tuple[()] = ()
    """Lanes with processes, whose pace is watched."""
    _lanes: dict[tuple[str, int], Lane] = field(default_factory=dict)

    def __call__(self, _services, _bots, _nursery, **_machine) -> "House":
        return self

    async def preflight(self, _names=None):
        return {}

    def can_seat(self, _plan) -> bool:
        return True

    def seat(self, plan):
        self.on_seat(plan)
        return tuple(self._lane(name, plan.seating) for name in plan.seats)

    def _lane(self, name: str, seating: int) -> Lane:
        if (name, seating) not in self._lanes:
            self._lanes[name, seating] = Lane(name, seating)
        return self._lanes[name, seating]


def play(
    results: Path, monkeypatch, *, on_seat: Callable[[object], None] = id, **settings: object
) -> Progress:
    """Plays a tournament of three sample bots' names to its end."""
    monkeypatch.setattr(hall, "House", House(on_seat))
    entrants = [{"bot": str(SAMPLES / name)} for name in ("random", "greedy", "cautious")]
    config = make_config({"entrants": entrants, **settings}, origin="in process")
    run = prepare_run(config, base=Path(), results=results)
    progress = new_progress(run)
    trio.run(conduct, run, SANDBOX, progress, trio.Event())
    return progress


@dataclass(frozen=True)
class Sample:
    """What the process holds at one moment."""

    matches: int
    rss_kib: int
    descriptors: int
    objects: Counter[str]

    @classmethod
    def taken(cls, matches: int) -> "Sample":
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return cls(
            matches,
            pages * os.sysconf("SC_PAGE_SIZE") // 1024,
            len(os.listdir("/proc/self/fd")),
            Counter(f"{type(o).__module__}.{type(o).__qualname__}" for o in gc.get_objects()),
        )

    def growth(self, before: "Sample") -> dict[str, int]:
        """Objects more than before, by type, without those of the samples and of bounded tables.

        The engine and the codec keep tables of hands and events that have a largest size and take
        tens of thousands of games to reach it.
        """
        more = {name: n - before.objects[name] for name, n in self.objects.items()}
        return {name: n for name, n in more.items() if n > 0 and name not in _EXPECTED}


_EXPECTED = {
    f"{__name__}.Sample",
    "collections.Counter",
    "builtins.tuple",
    "tongits_engine.events.Event",
}
