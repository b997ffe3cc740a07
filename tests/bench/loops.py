"""Loops measured in processes of their own, pinned to one core, in turn with each other.

Two processes that run the same program differ by some 11 % on one machine, so a round is a fresh
process: its noise is part of the spread that is shown. `python -m tests.bench.loops NAME CORE
REPEATS` is such a process; the interpreter decides whether ours or the peers' libraries are there.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module

from tests.bench import compiled
from tests.bench.compiled import ROOT

PEERS_PYTHON = ROOT / ".venv-peers" / "bin" / "python"
CURE = "`make bench-peers` installs the libraries it is measured with"
_LOOPS: dict[str, tuple[str, str, dict[str, object]]] = {
    "tongits-lite": ("engine", "random_play", {"variant": "tongits-lite", "trusted": True}),
    "tongits-lite, checked": (
        "engine", "random_play", {"variant": "tongits-lite", "trusted": False},
    ),
    "tongits-lite, observed": (
        "engine", "random_play", {"variant": "tongits-lite", "trusted": True, "observed": True},
    ),
    "sa-tong": ("engine", "random_play", {"variant": "sa-tong", "trusted": True}),
    "session, observations encoded": ("own_loops", "sessions", {}),
    "PettingZoo environment": ("rl", "environment", {"rules": "tongits-lite"}),
    "ratings": ("own_loops", "ratings", {"tied": False}),
    "ratings, two tied": ("own_loops", "ratings", {"tied": True}),
    "trueskill bare": ("own_loops", "trueskill_library", {"tied": False}),
    "trueskill bare, two tied": ("own_loops", "trueskill_library", {"tied": True}),
    "OpenSpiel gin, cloned start": ("peer_loops", "openspiel", {"cloned": True}),
    "OpenSpiel gin, new start": ("peer_loops", "openspiel", {"cloned": False}),
    "RLCard gin": ("peer_loops", "rlcard", {}),
    "PettingZoo gin": ("peer_loops", "pettingzoo", {}),
    "openskill Plackett-Luce": ("peer_loops", "openskill", {"tied": False}),
    "openskill Plackett-Luce, two tied": ("peer_loops", "openskill", {"tied": True}),
}  # fmt: skip
_COMPILED_SUFFIX = ", compiled"
"""Of the names of ours measured once more with the modules that `make compiled` has built."""
_LIMIT_S = 600


class CannotMeasureError(Exception):
    """A loop did not run: a library or a part of the project is not there."""


def is_peer(name: str) -> bool:
    """Whether it needs the peers' libraries."""
    return _loop(name)[0] == "peer_loops"


def _is_compiled(name: str) -> bool:
    return name.endswith(_COMPILED_SUFFIX)


def _loop(name: str) -> tuple[str, str, dict[str, object]]:
    return _LOOPS[name.removesuffix(_COMPILED_SUFFIX)]


def missing(name: str) -> str | None:
    """Why it cannot be measured here; None if it can."""
    if is_peer(name) and not PEERS_PYTHON.exists():
        return CURE
    if _is_compiled(name):
        return compiled.lacking()
    return None


def rate(name: str, core: int, repeats: int) -> float:
    """Units a second of CPU time, by a fresh process.

    Raises:
        CannotMeasureError: it failed; its last words.
    """
    python = PEERS_PYTHON if is_peer(name) else sys.executable
    done = subprocess.run(
        [python, "-m", "tests.bench.loops", name, str(core), str(repeats)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=_LIMIT_S,
        env={**os.environ, **_environment(name)},
    )  # fmt: skip
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no words"]
        raise CannotMeasureError(last[0])
    return statistics.median(json.loads(done.stdout.splitlines()[-1]))


def _environment(name: str) -> dict[str, str]:
    if _is_compiled(name):
        return dict(compiled.ENVIRONMENT)
    return {"PYGAME_HIDE_SUPPORT_PROMPT": "1"}


def rates(
    names: Sequence[str], core: int, *, rounds: int, repeats: int
) -> dict[str, tuple[float, ...] | str]:
    """All of them in turn, as many rounds; words for those that cannot be measured here."""
    found: dict[str, list[float]] = {name: [] for name in names}
    failed = {name: why for name in names if (why := missing(name))}
    for _ in range(rounds):
        for name in names:
            if name not in failed:
                try:
                    found[name].append(rate(name, core, repeats))
                except CannotMeasureError as error:
                    failed[name] = str(error)
    return {name: failed.get(name) or tuple(found[name]) for name in names}


def _measure(work: Callable[[], int], repeats: int) -> Iterator[float]:
    work()
    for _ in range(repeats):
        start = time.process_time()
        units = work()
        yield units / (time.process_time() - start)


def main(name: str, core: int, repeats: int) -> None:
    """Measures one loop and prints its rates as the last line of stdout."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    module, function, options = _loop(name)
    make = partial(getattr(import_module(f"tests.bench.{module}"), function), **options)
    print(json.dumps(list(_measure(make(), repeats))))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
