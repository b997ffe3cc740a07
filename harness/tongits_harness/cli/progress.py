"""Shows a run while it goes on: a live block on a terminal, plain or JSON lines elsewhere."""

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import trio

from tongits_harness.cli.talk import say
from tongits_harness.play.progress import Progress

if TYPE_CHECKING:
    from rich.console import RenderableType

Style = Literal["auto", "plain", "json", "none"]
_LIVE_S = 0.25
_PLAIN_S = 5.0
_TOP = 5


@dataclass(frozen=True, slots=True)
class Shown:
    """How something that goes on is shown, as it is at the moment."""

    plain: Callable[[], str]
    """A line for logs."""
    json: Callable[[], str]
    """A line with a JSON object."""
    block: Callable[[], "RenderableType"]
    """For a terminal, drawn over the one before."""


def show_progress(progress: Progress, style: Style) -> AbstractAsyncContextManager[None]:
    """Shows `progress` on stderr until the block ends."""
    progress.is_watched = style != "none"
    shown = Shown(
        lambda: plain_line(progress), lambda: json_line(progress), lambda: _block(progress)
    )
    return show(shown, style)


@asynccontextmanager
async def show(shown: Shown, style: Style) -> AsyncIterator[None]:
    """Shows it on stderr until the block ends."""
    if style == "none":
        yield
        return
    async with trio.open_nursery() as nursery:
        if style == "auto" and sys.stderr.isatty():
            nursery.start_soon(_live, shown.block)
        else:
            nursery.start_soon(_lines, shown.json if style == "json" else shown.plain)
        yield
        nursery.cancel_scope.cancel()


async def _lines(line: Callable[[], str]) -> None:
    try:
        while True:
            await trio.sleep(_PLAIN_S)
            say(line())
    finally:
        say(line())


async def _live(block: Callable[[], "RenderableType"]) -> None:
    with suppress(OSError):  # the terminal was closed
        await _draw(block)


async def _draw(block: Callable[[], "RenderableType"]) -> None:
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    with Live(block(), console=console, auto_refresh=False, transient=False) as live:
        try:
            while True:
                await trio.sleep(_LIVE_S)
                live.update(block(), refresh=True)
        finally:
            live.update(block(), refresh=True)


def plain_line(progress: Progress) -> str:
    """One line for logs: how far, how fast, how long, who leads, what went wrong."""
    left = progress.seconds_left
    top = ", ".join(f"{name} {rating.score:.2f}" for name, rating in progress.top(3))
    chips = ", ".join(f"{name} {count:+d}" for name, count in progress.chips.most_common(3))
    parts = [
        f"{progress.matches_done}/{progress.matches_planned} matches",
        f"{progress.sessions_done}/{progress.sessions_planned} sessions",
        f"{_rate(progress):.1f} matches/s",
        f"ETA {duration(left)}" if left else f"{duration(progress.seconds)} elapsed",
        f"top: {top}" if progress.matches_done else f"chips: {chips or '-'}",
        f"faults: {sum(progress.faults.values())}",
    ]
    if progress.voids:
        parts.append(f"voids: {progress.voids}")
    if progress.ended:
        parts.append(f"ended: {progress.ended}")
    if progress.players:
        parts.append(progress.players)
    if progress.suspended:
        parts.append(f"suspended: {', '.join(progress.suspended)}")
    return " | ".join(parts)


def json_line(progress: Progress) -> str:
    """The same as a JSON object."""
    return json.dumps(
        {
            "matches": progress.matches_done,
            "matches_planned": progress.matches_planned,
            "sessions": progress.sessions_done,
            "sessions_planned": progress.sessions_planned,
            "games": progress.games,
            "decisions": progress.decisions,
            "seconds": round(progress.seconds, 3),
            "seconds_left": progress.seconds_left,
            "faults": sum(progress.faults.values()),
            "voids": progress.voids,
            "suspended": list(progress.suspended),
            "ended": progress.ended or None,
            "players": progress.players or None,
            "top": [
                {"entrant": name, "mu": rating.mu, "sigma": rating.sigma}
                for name, rating in progress.top(_TOP)
            ],
        }
    )


def _block(progress: Progress) -> "RenderableType":
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    left = progress.seconds_left
    remaining = "?" if left is None else duration(left)
    head = Text(
        f"{progress.matches_done}/{progress.matches_planned} matches  "
        f"{_rate(progress):.1f} matches/s  "
        f"{progress.decisions / max(progress.seconds, 1e-9):,.0f} decisions/s  "
        f"{duration(progress.seconds)} elapsed, {remaining} left"
    )
    bar = ProgressBar(total=progress.sessions_planned, completed=progress.sessions_done, width=60)
    top = Table.grid(padding=(0, 2))
    for place, (name, rating) in enumerate(progress.top(_TOP), start=1):
        top.add_row(
            f"{place}.", name, f"{rating.score:6.2f}", f"{rating.mu:.2f} ± {2 * rating.sigma:.2f}"
        )
    faults = ", ".join(
        f"{name} {count} {kind}" for (name, kind), count in sorted(progress.faults.items())
    )
    foot = Text(
        f"faults: {faults or 'none'}"
        + (f"  voids: {progress.voids}" if progress.voids else "")
        + (f"  ended: {progress.ended}" if progress.ended else "")
        + (f"\n{progress.players}" if progress.players else "")
    )
    return Group(head, bar, top, foot)


def _rate(progress: Progress) -> float:
    share = progress.matches_planned / max(progress.sessions_planned, 1)
    return progress.sessions_per_s * share


def duration(seconds: float) -> str:
    """In words, to the second or the minute."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
