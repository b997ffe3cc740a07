"""How quick the pages are over large results, and what readers cost."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure, Skipped
from tests.bench.pages import make_results, readers, request_ms, serving
from tests.bench.sizes import Sizes

PATHS = {
    "leaderboard": "",
    "leaderboard.json": "leaderboard.json",
    "matrix": "matrix/",
    "bot": "bots/bot001/",
    "matches": "matches/",
    "run": "run/",
}
_READERS = 50
_SECONDS = 20


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        many, wide = Path(name, "many"), Path(name, "wide")
        make_results(many, 6, sizes.pages_matches)
        with serving(many) as (url, _):
            for page, path in PATHS.items():
                yield _page(f"pages/{page}", f"{url}/t/big/{path}")
        make_results(wide, sizes.pages_bots, max(5_000, sizes.pages_bots))
        with serving(wide) as (url, _):
            for page in ("leaderboard", "matrix"):
                yield _page(f"pages/{page} of many bots", f"{url}/t/big/{PATHS[page]}")
        seconds = _SECONDS if sizes.rounds > 1 else 2
        idle, busy = (readers(many, count, seconds) for count in (1, _READERS))
        note = f"{busy.events} events; one reader {idle.cpu_share:.1%}"
        share = (busy.cpu_share * 100,)
        yield Figure("pages/50 readers", "% of a core", share, "lower", "cpu", note)


def _page(name: str, url: str) -> Figure:
    return Figure(name, "ms", (request_ms(url),), better="lower")
