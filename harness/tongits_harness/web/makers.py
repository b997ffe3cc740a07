"""Which pages there are: their routes, and how each is made from the arena."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tongits_engine import deck

from tongits_harness.errors import ConfigError
from tongits_harness.results import browse
from tongits_harness.results.browse import ListedMatch
from tongits_harness.results.game_view import rules_of
from tongits_harness.results.lock import holder
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.records import SessionRecord
from tongits_harness.results.seed import seed_of
from tongits_harness.views.replay import frames
from tongits_harness.views.style import Style, style_of
from tongits_harness.web import links
from tongits_harness.web.arena import Arena, Shown
from tongits_harness.web.bot_page import bot_page, triple_page, versus_page
from tongits_harness.web.fair_play_page import fair_play_page, is_too_long
from tongits_harness.web.leaderboard_page import leaderboard_page, matrix_page
from tongits_harness.web.matches_page import filter_of, matches_page
from tongits_harness.web.pages import Page
from tongits_harness.web.replay_page import PAGE_VIEWS, Chosen, replay_page
from tongits_harness.web.run_page import run_page

Values = Mapping[str, str]
Make = Callable[[Arena, str, Values, Values], Awaitable[Page]]
LATEST = 10
"""Matches and faults listed below the leaderboard."""


class NotFoundError(Exception):
    """What the address names is not there."""

    def __init__(self, message: str, word: str, tournament: str = "") -> None:
        super().__init__(message)
        self.word, self.tournament = word, tournament


@dataclass(frozen=True, slots=True)
class Maker:
    """One kind of page."""

    route: str
    """Below the tournament, as Starlette writes routes: "" or with a slash at the end."""
    make: Make
    """Told the arena, the tournament, what the route names and the query."""

    @property
    def routes(self) -> tuple[str, str, str]:
        """The page, and the same as `.json` and `.csv`."""
        stem = self.route.removesuffix("/") or "leaderboard"
        return self.route, f"{stem}.json", f"{stem}.csv"


async def leaderboard(arena: Arena, name: str, _values: Values, query: Values) -> Page:
    """Standings, latest matches and faults."""
    shown = await show(arena, name)
    matches, _ = await arena.ask(lambda reader: reader.list_matches(name, browse.MatchFilter()))
    faults = await arena.ask(lambda reader: reader.list_faults(name, limit=LATEST))
    return leaderboard_page(shown, query, matches[:LATEST], faults)


async def matrix(arena: Arena, name: str, _values: Values, _query: Values) -> Page:
    """Every pair."""
    return matrix_page(await show(arena, name))


async def fair_play(arena: Arena, name: str, _values: Values, _query: Values) -> Page:
    """Whether anything looks unfair."""
    shown = await show(arena, name)
    return fair_play_page(shown, None if is_too_long(shown) else await arena.fair_play(name))


async def matches(arena: Arena, name: str, _values: Values, query: Values) -> Page:
    """The list of matches."""
    shown = await show(arena, name)
    found, count = await arena.ask(lambda reader: reader.list_matches(name, filter_of(query)))
    return matches_page(shown, query, found, count)


async def bot(arena: Arena, name: str, values: Values, _query: Values) -> Page:
    """One entrant."""
    shown = await show(arena, name)
    check_entrants(shown, entrant := values["bot"])
    wanted = browse.MatchFilter(bots=(entrant,))
    found, _ = await arena.ask(lambda reader: reader.list_matches(name, wanted))
    faults = await arena.ask(lambda reader: reader.list_faults(name, entrant=entrant, limit=LATEST))
    style = await arena.ask(
        lambda reader: style_now(reader, arena.results, shown, entrant, found[:LATEST])
    )
    return bot_page(shown, entrant, found[:LATEST], faults, style)


def style_now(
    reader: ResultsReader, results: Path, shown: Shown, entrant: str, matches: Sequence[ListedMatch]
) -> Style:
    """How an entrant played in these matches; nothing where the secret is not at hand."""
    record = shown.record
    sessions = [one for match in matches for one in reader.sessions(record.name, match.index)]
    try:
        seed = seed_of(reader, record, results)
    except ConfigError:
        return Style(0, Counter())
    return style_of(entrant, rules_of(record), sessions, partial(deck, seed))


async def versus(arena: Arena, name: str, values: Values, _query: Values) -> Page:
    """A pair."""
    shown = await show(arena, name)
    first, second = values["first"], values["second"]
    check_entrants(shown, first, second)
    wanted = browse.MatchFilter(bots=(first, second))
    found, _ = await arena.ask(lambda reader: reader.list_matches(name, wanted))
    return versus_page(shown, first, second, found[:LATEST])


async def triple(arena: Arena, name: str, values: Values, _query: Values) -> Page:
    """Three at a table."""
    shown = await show(arena, name)
    names = [values[key] for key in ("a", "b", "c")]
    check_entrants(shown, *names)
    if len(set(names)) != len(names):
        raise NotFoundError("a table needs three different entrants", names[0], name)
    wanted = browse.MatchFilter(bots=tuple(names))
    found, _ = await arena.ask(lambda reader: reader.list_matches(name, wanted))
    results = await arena.ask(lambda reader: reader.matches_of(name, names))
    return triple_page(shown, names, results, found[:LATEST])


async def run(arena: Arena, name: str, _values: Values, _query: Values) -> Page:
    """How the run goes."""
    shown = await show(arena, name)
    faults = await arena.ask(lambda reader: reader.fault_summaries(name))
    finishes = await arena.ask(lambda reader: reader.latest_finishes(name))
    running = None if shown.progress.is_finished else holder(arena.results)
    return run_page(shown, faults, finishes, running)


async def replay(arena: Arena, name: str, values: Values, _query: Values) -> Page:
    """One game of a match."""
    shown = await show(arena, name)
    return await arena.ask(lambda reader: replay_now(reader, arena.results, shown, values))


def replay_now(reader: ResultsReader, results: Path, shown: Shown, values: Values) -> Page:
    """As `replay`, on this thread."""
    record, key = shown.record, values["key"]
    try:
        index = reader.find_match(record.name, key)
    except ConfigError as error:
        raise NotFoundError(str(error), key, record.name) from error
    sessions = tuple(reader.sessions(record.name, index))
    session, game = _game_of(sessions, values, record.name)
    is_open = len(sessions) == record.settings.get("seatings")
    view = values.get("view", "all" if is_open else "public")
    if view not in PAGE_VIEWS or not (is_open or view in {"public", "spoiler"}):
        why = "there is no such view" if is_open else "hands are shown when the match is complete"
        raise NotFoundError(f"view {view!r}: {why}", view, record.name)
    cards = deck(seed_of(reader, record, results), session.plan.match.key, game)
    seen = frames(rules_of(record), cards, session, game, "public" if view == "spoiler" else view)
    chosen = Chosen(sessions, session, game, view, is_open, reader.neighbours(record.name, index))
    plan = session.plan
    path = links.game(plan.match.key, plan.seating, game, view)
    return replay_page(shown, chosen, seen, path if "view" in values else links.replay(key))


def _game_of(
    sessions: Sequence[SessionRecord], values: Values, name: str
) -> tuple[SessionRecord, int]:
    seating, game = values.get("seating", ""), values.get("game", "0")
    for session in sessions:
        wanted = seating in {"", str(session.plan.seating)}
        if wanted and game.isdecimal() and int(game) < len(session.games):
            return session, int(game)
    raise NotFoundError(f"seating {seating}, game {game} of this match is not stored", game, name)


async def show(arena: Arena, name: str) -> Shown:
    """The tournament of that name.

    Raises:
        NotFoundError: There is none.
    """
    try:
        return await arena.show(name)
    except ConfigError as error:
        raise NotFoundError(str(error), name) from error


def check_entrants(shown: Shown, *names: str) -> None:
    """Do nothing if these are entrants.

    Raises:
        NotFoundError: One of them is not.
    """
    known = {entrant.name for entrant in shown.record.entrants}
    for name in names:
        if name not in known:
            where = shown.record.name
            raise NotFoundError(f"no entrant {name!r} in tournament {where!r}", name, where)


MAKERS = (
    Maker("", leaderboard),
    Maker("matrix/", matrix),
    Maker("matches/", matches),
    Maker("fairplay/", fair_play),
    Maker("bots/{bot}/", bot),
    Maker("vs/{first}/{second}/", versus),
    Maker("table/{a}/{b}/{c}/", triple),
    Maker("run/", run),
    Maker("m/{key}/", replay),
    Maker("m/{key}/{seating}/{game}/{view}/", replay),
)
"""To add a page, add a line."""
