"""One page: its template with what goes into it, and the same as a table and as a document."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tongits_harness.views.tables import Table
from tongits_harness.web.links import Links
from tongits_harness.web.render import render


@dataclass(frozen=True, slots=True)
class Page:
    """What a page function makes; `html` adds what all pages have in common."""

    path: str
    """Below the tournament's root; "" or with a slash at the end."""
    template: str
    title: str
    context: Mapping[str, object]
    document: object
    """For `.json`."""
    table: Table | None = None
    """For `.csv`; None if the page is no table."""
    scripts: tuple[str, ...] = ()
    live: str = ""
    """Topic of the event stream that renews the page; "" if it does not change."""
    query: Mapping[str, str] = field(default_factory=dict)
    """What the request asked for, so that forms can show it again."""

    def html(self, frame: "Frame") -> str:
        """The whole page."""
        return render(self.template, self._everything(frame))

    def fragment(self, template: str, frame: "Frame") -> str:
        """A part of the page by itself."""
        return render(template, self._everything(frame))

    def _everything(self, frame: "Frame") -> Mapping[str, object]:
        return {
            "page": self,
            "frame": frame,
            "links_here": Links(self.path, frame.is_static, frame.published),
            "title": self.title,
            **self.context,
        }


@dataclass(frozen=True, slots=True)
class Frame:
    """What is round every page."""

    tournament: str
    tournaments: tuple[str, ...] = ()
    """All of the database, oldest first."""
    is_static: bool = False
    is_single: bool = False
    """The style stands in the page itself, and there is no other page."""
    published: frozenset[str] | None = None
    """See `Links.published`."""
