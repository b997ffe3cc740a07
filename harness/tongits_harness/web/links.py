"""Where pages are: paths below a tournament's root, and the links between them.

The same page is `bots/greedy/` on a server and `bots/greedy/index.html` in a static site, and all
links are relative, so that a site works wherever it is put, and from a file too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class Links:
    """Makes the links of one page."""

    here: str
    """The page's own path: "" for the root, else with a slash at the end."""
    is_static: bool = False
    published: frozenset[str] | None = None
    """Pages of a static site; links to others lead to `#unpublished`, which is then taken out."""
    base: str = ""
    """The tournament's root, where the page's address may be anything (errors)."""

    @property
    def root(self) -> str:
        """The tournament's root, seen from here."""
        return self.base or "../" * self.here.count("/") or "./"

    def to(self, path: str = "", query: str = "") -> str:
        """A link to a page (its path ends in a slash or is empty) or to a file."""
        is_page = path == "" or path.endswith("/")
        if is_page and self.published is not None and path not in self.published:
            return f"#unpublished/{path}"
        target = path + (INDEX if self.is_static and is_page else "")
        return self.root + target + (f"?{query}" if query and not self.is_static else "")

    def part(self, query: Mapping[str, str], part: int) -> str:
        """A link to another part of the list of matches."""
        if self.is_static:
            return self.to(part_of("matches/", part))
        return self.to("matches/", part_query(query, part))

    def asset(self, name: str) -> str:
        """A link to a file of ours."""
        return f"{self.root}assets/{name}" if self.is_static else f"/assets/{name}"


def bot(name: str) -> str:
    """The page of an entrant."""
    return f"bots/{name}/"


def versus(first: str, second: str) -> str:
    """The page of a pair."""
    return f"vs/{first}/{second}/"


def triple(a: str, b: str, c: str) -> str:
    """The page of three at a table."""
    return f"table/{a}/{b}/{c}/"


def replay(key: str) -> str:
    """The page of a match: its first game, all hands up."""
    return f"m/{key}/"


def game(key: str, seating: int, number: int, view: str = "all") -> str:
    """The page of one game of a match, in one view."""
    return f"m/{key}/{seating}/{number}/{view}/"


def part_of(path: str, part: int) -> str:
    """The page of a part of a list in a static site; the first part is the list itself."""
    return f"{path}part-{part}/" if part else path


def sorted_query(query: Mapping[str, str], key: str, direction: str) -> str:
    """The query of a page sorted by that column."""
    return _query({**query, "sort": key, "dir": direction, "part": ""})


def part_query(query: Mapping[str, str], part: int) -> str:
    """The query of another part of a list."""
    return _query({**query, "part": str(part)})


def _query(values: Mapping[str, str]) -> str:
    return urlencode({key: value for key, value in values.items() if value})
