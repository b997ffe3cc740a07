"""Pages into HTML: the template environment, its filters and the drawings made of numbers."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tongits_harness.text import safe_text
from tongits_harness.web import links

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
WHISKER_WIDTH = 200
DASH = "\u2013"
"""Stands for nothing."""
_MINUS = "\u2212"


def render(template: str, context: Mapping[str, object]) -> str:
    """A page or a part of one. Whatever is put into it is escaped and made safe to show."""
    return environment().get_template(template).render(context)


@cache
def environment() -> Environment:
    """Templates in which an unknown name is an error and every text goes through `safe_text`."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    made.filters.update(
        signed=signed, number=number, percent=percent, when=when, count=count, lines=lines
    )
    made.globals.update(
        links=links, links_query=links.sorted_query, style=style,
        whisker=whisker, axis_of=axis_of, scale=scale,
    )  # fmt: skip
    return made


def style() -> Markup:
    """The style sheet, to stand in a page."""
    return Markup((STATIC / "arena.css").read_text(encoding="utf-8"))  # noqa: S704  # ours


def _shown(value: object) -> object:
    """Texts made safe; markup of ours and numbers as they are."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return safe_text(value)
    return "" if value is None else value


def lines(text: str) -> str:
    """Text of several lines, safe, for a block that keeps line ends."""
    return Markup("\n").join(Markup("%s") % safe_text(line) for line in text.splitlines())


def signed(value: float | None, digits: int = 2) -> str:
    """With its sign; a dash for nothing. The minus is the real one."""
    return DASH if value is None else f"{value:+.{digits}f}".replace("-", _MINUS)


def number(value: float | None, digits: int = 2) -> str:
    """With that many decimals; a dash for nothing."""
    return DASH if value is None else f"{value:.{digits}f}".replace("-", _MINUS)


def percent(value: float | None) -> str:
    """A share as a whole percentage; never 0 or 100 unless it is exactly that."""
    if value is None:
        return DASH
    if 0 < value < 0.01:
        return "<1 %"
    if 0.99 < value < 1:
        return ">99 %"
    return f"{value * 100:.0f} %"


def count(value: int) -> str:
    """With narrow spaces between thousands."""
    return f"{value:,}".replace(",", " ")


def when(seconds: float | None) -> str:
    """A time in UTC, to the second."""
    if seconds is None:
        return DASH
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def axis_of(intervals: list[tuple[float, float]]) -> tuple[float, float]:
    """The least axis of whole numbers that holds all intervals."""
    low = min((low for low, _ in intervals), default=0.0)
    high = max((high for _, high in intervals), default=1.0)
    return (float(int(low // 1)), float(int(-(-high // 1))) if high > low else low + 1.0)


def scale(value: float, axis: tuple[float, float], width: float = WHISKER_WIDTH) -> float:
    """Where a value lies on a drawing of that width."""
    low, high = axis
    share = (value - low) / (high - low) if high > low else 0.0
    return round(min(max(share, 0.0), 1.0) * width, 1)


def whisker(low: float, middle: float, high: float, axis: tuple[float, float]) -> Markup:
    """An interval with its middle, drawn on an axis."""
    left, point, right = (scale(value, axis) for value in (low, middle, high))
    return Markup(
        '<svg class="whisker" viewBox="0 0 {width} 16" width="{width}" height="16" role="img"'
        ' aria-label="{middle:.1f}, between {low:.1f} and {high:.1f}">'
        '<line x1="{left}" x2="{right}" y1="8" y2="8"/>'
        '<line x1="{left}" x2="{left}" y1="4" y2="12"/>'
        '<line x1="{right}" x2="{right}" y1="4" y2="12"/>'
        '<circle cx="{point}" cy="8" r="4"/></svg>'
    ).format(
        width=WHISKER_WIDTH, low=low, middle=middle, high=high, left=left, right=right, point=point
    )
