"""The pages as a static site: the same templates, relative links, no server and no outside address.

Two exports of the same results are the same byte for byte.
"""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from tongits_harness.errors import ConfigError
from tongits_harness.results.browse import PAGE, ListedMatch, MatchFilter
from tongits_harness.results.queries import ResultsReader
from tongits_harness.web import links, makers
from tongits_harness.web.arena import Arena, Shown
from tongits_harness.web.bot_page import bot_page, triple_page, versus_page
from tongits_harness.web.fair_play_page import fair_play_page, is_too_long
from tongits_harness.web.interest import most_interesting
from tongits_harness.web.leaderboard_page import leaderboard_page, matrix_page
from tongits_harness.web.matches_page import matches_page
from tongits_harness.web.pages import Frame, Page
from tongits_harness.web.render import STATIC
from tongits_harness.web.replay_page import PAGE_VIEWS
from tongits_harness.web.run_page import run_page

MARK = ".tongits-site"
"""A file that says a folder is one of ours and may be replaced."""
REPLAYS = 200
PAIRS_UP_TO = 40
"""Pages of pairs are left out where there are more entrants; of threes, with more than the next."""
THREES_UP_TO = 10
_DEAD_LINK = re.compile(r'<a\b[^>]*href="#unpublished[^"]*"[^>]*>(.*?)</a>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Published:
    """What was written."""

    pages: int
    bytes: int
    replays: int


def publish(results: Path, folder: Path, name: str | None, replays: int = REPLAYS) -> Published:
    """Writes the site of a tournament.

    Args:
        results: The results folder.
        folder: Where to; replaced if it is a site of ours.
        name: The tournament; the latest for None.
        replays: How many matches can be watched, the most interesting ones.

    Raises:
        ConfigError: No results, or the folder holds something else.
    """
    _check_folder(folder)
    arena = Arena(results)
    shown = arena.show_now(name)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        new.chmod(0o755)
        written = arena.ask_now(lambda reader: _write_site(reader, arena, shown, new, replays))
        _put_in_place(new, folder)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    return written


def publish_single(results: Path, file: Path, name: str | None) -> int:
    """Writes one page that needs no other file; its size in bytes."""
    arena = Arena(results)
    shown = arena.show_now(name)
    page = leaderboard_page(shown, {})
    matrix = matrix_page(shown)
    report = replace(
        page, template="report.html", context={**page.context, **matrix.context}, live=""
    )
    frame = Frame(shown.record.name, is_static=True, is_single=True, published=frozenset())
    content = _alive(report.html(frame)).encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return len(content)


def _write_site(
    reader: ResultsReader, arena: Arena, shown: Shown, folder: Path, replays: int
) -> Published:
    chosen = most_interesting(_all_matches(reader, shown), shown, replays)
    paths = frozenset(_paths(shown, reader, chosen))
    frame = Frame(shown.record.name, is_static=True, published=paths)
    count = 0
    for page in _pages(reader, arena, shown, chosen):
        _write_page(folder, page, frame)
        count += 1
    shutil.copytree(STATIC, folder / "assets")
    (folder / MARK).write_text("A site of Tongits Arena; `tongits publish` replaces it.\n")
    sizes = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return Published(count, sizes, len(chosen))


def _pages(
    reader: ResultsReader, arena: Arena, shown: Shown, chosen: list[ListedMatch]
) -> Iterator[Page]:
    name = shown.record.name
    names = [row.entrant for row in shown.board.rows]
    latest, _ = reader.list_matches(name, MatchFilter())
    faults = reader.list_faults(name, limit=makers.LATEST)
    yield leaderboard_page(shown, {}, latest[: makers.LATEST], faults)
    yield matrix_page(shown)
    yield fair_play_page(shown, None if is_too_long(shown) else arena.fair_play_now(name))
    yield run_page(shown, reader.fault_summaries(name), (), None)
    yield from _match_lists(reader, shown)
    for bot in names:
        own, _ = reader.list_matches(name, MatchFilter(bots=(bot,)))
        latest_own = own[: makers.LATEST]
        style = makers.style_now(reader, arena.results, shown, bot, latest_own)
        faults = reader.list_faults(name, entrant=bot, limit=makers.LATEST)
        yield bot_page(shown, bot, latest_own, faults, style)
    for a, b in _pairs(names):
        both, _ = reader.list_matches(name, MatchFilter(bots=(a, b)))
        yield versus_page(shown, a, b, both[: makers.LATEST])
    for three in _threes(names):
        found, _ = reader.list_matches(name, MatchFilter(bots=three))
        yield triple_page(shown, three, reader.matches_of(name, three), found[: makers.LATEST])
    for match in chosen:
        for values in _games(shown, match):
            yield makers.replay_now(reader, arena.results, shown, values)


def _match_lists(reader: ResultsReader, shown: Shown) -> Iterator[Page]:
    _, count = reader.list_matches(shown.record.name, MatchFilter())
    for part in range(max(1, (count + PAGE - 1) // PAGE)):
        found, _ = reader.list_matches(shown.record.name, MatchFilter(part=part))
        page = matches_page(shown, {"part": str(part)}, found, count)
        yield replace(page, path=links.part_of("matches/", part))


def _paths(shown: Shown, reader: ResultsReader, chosen: list[ListedMatch]) -> Iterator[str]:
    names = [row.entrant for row in shown.board.rows]
    _, count = reader.list_matches(shown.record.name, MatchFilter())
    yield from ("", "matrix/", "fairplay/", "run/")
    yield from (links.part_of("matches/", part) for part in range(max(1, -(-count // PAGE))))
    yield from map(links.bot, names)
    yield from (links.versus(a, b) for a, b in _pairs(names))
    yield from (links.triple(*three) for three in _threes(names))
    for match in chosen:
        yield links.replay(match.key)
        for values in _games(shown, match):
            if "view" in values:
                game = int(values["game"])
                yield links.game(match.key, int(values["seating"]), game, values["view"])


def _games(shown: Shown, match: ListedMatch) -> Iterator[dict[str, str]]:
    """Every game with all hands up; the first one in every view."""
    yield {"key": match.key}
    games = int(str(shown.record.settings["games"]))
    seatings = int(str(shown.record.settings["seatings"]))
    for seating in range(seatings):
        for game in range(games):
            views = tuple(PAGE_VIEWS) if (seating, game) == (0, 0) else ("all",)
            for view in views:
                place = {"seating": str(seating), "game": str(game), "view": view}
                yield {"key": match.key, **place}


def _pairs(names: list[str]) -> Iterator[tuple[str, str]]:
    if len(names) <= PAIRS_UP_TO:
        yield from ((a, b) for a in names for b in names if a != b)


def _threes(names: list[str]) -> Iterator[tuple[str, str, str]]:
    if len(names) <= THREES_UP_TO:
        yield from combinations(sorted(names), 3)


def _all_matches(reader: ResultsReader, shown: Shown) -> Iterator[ListedMatch]:
    part = 0
    while True:
        found, _ = reader.list_matches(
            shown.record.name, MatchFilter(part=part, newest_first=False)
        )
        yield from found
        if len(found) < PAGE:
            return
        part += 1


def _write_page(folder: Path, page: Page, frame: Frame) -> None:
    place = folder / page.path
    place.mkdir(parents=True, exist_ok=True)
    (place / links.INDEX).write_text(_alive(page.html(frame)), encoding="utf-8")
    if page.path.startswith("m/"):
        return
    stem = folder / (page.path.rstrip("/") or "leaderboard")
    document = json.dumps(page.document, sort_keys=True)
    stem.with_name(f"{stem.name}.json").write_text(document, encoding="utf-8")
    if page.table is not None:
        stem.with_name(f"{stem.name}.csv").write_text(page.table.as_csv(), encoding="utf-8")


def _alive(html: str) -> str:
    """Without the links to what is not published; their words stay."""
    return _DEAD_LINK.sub(r"\1", html)


def _check_folder(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise ConfigError(
            f"{folder} is not empty and no site of ours: name a new folder, or empty it"
        )
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file: name a folder, or use --single-file")


def _put_in_place(new: Path, folder: Path) -> None:
    """Puts the finished site where it is wanted; the one before goes last."""
    if not folder.exists():
        new.rename(folder)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
    os.replace(folder, old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
