"""The leaderboard page and its matrix."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tongits_harness.results.browse import ListedFault, ListedMatch
from tongits_harness.results.leaderboard import LeaderboardRow
from tongits_harness.views.leaderboard import (
    Change,
    change_of,
    leaderboard_table,
    seat_bias,
    tie_groups,
)
from tongits_harness.views.tables import Column, Table
from tongits_harness.web.arena import Shown
from tongits_harness.web.pages import Page
from tongits_harness.web.render import axis_of, percent

SORTS: Mapping[str, Callable[[LeaderboardRow], object]] = {
    "standing": lambda row: (row.standing, row.entrant),
    "entrant": lambda row: row.entrant.lower(),
    "matches": lambda row: -row.matches,
    "chips": lambda row: -(row.chips_per_game if row.chips_per_game is not None else -1e9),
    "faults": lambda row: -sum(row.faults.values()),
    "p99": lambda row: -(row.p99_ms or 0.0),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One row with what the page shows beside its figures."""

    row: LeaderboardRow
    language: str
    declared_version: str
    group: int
    """Entrants of one group cannot be told apart yet."""
    is_tied: bool
    change: Change | None

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval of the strength."""
        return self.row.mu - 2 * self.row.sigma

    @property
    def high(self) -> float:
        """Upper end."""
        return self.row.mu + 2 * self.row.sigma

    @property
    def fault_count(self) -> int:
        """Charged faults of all kinds."""
        return sum(self.row.faults.values())


class MatrixCell(NamedTuple):
    """One entrant above another."""

    text: str
    shade: str
    """A class of the style sheet; it repeats the number."""
    matches: int
    column: str


def leaderboard_page(
    shown: Shown,
    query: Mapping[str, str],
    matches: Sequence[ListedMatch] = (),
    faults: Sequence[ListedFault] = (),
) -> Page:
    """The standings.

    Args:
        shown: The tournament.
        query: `sort` (a key of SORTS), `dir` (desc turns round), `q` (part of a name), `language`,
            `min` (least number of matches); what cannot be used is passed over.
        matches: The latest.
        faults: The latest.
    """
    board = shown.board
    lines = _lines(shown)
    wanted = [line for line in lines if _fits(line, query)]
    sort = query.get("sort", "standing")
    wanted.sort(key=lambda line: SORTS.get(sort, SORTS["standing"])(line.row))  # type: ignore[arg-type,return-value]
    if query.get("dir") == "desc":
        wanted.reverse()
    return Page(
        path="",
        template="leaderboard.html",
        title=f"{board.tournament}: leaderboard",
        context={
            "shown": shown,
            "board": board,
            "lines": wanted,
            "hidden": len(lines) - len(wanted),
            "axis": axis_of([(line.low, line.high) for line in lines]),
            "languages": sorted({line.language for line in lines}),
            "bias": seat_bias(shown.standing),
            "matches": matches,
            "faults": faults,
            "limit_ms": limit_ms(shown),
        },
        document=board.to_json(),
        table=leaderboard_table(board),
        live="board",
        query=query,
    )


def matrix_page(shown: Shown) -> Page:
    """How probably the row's entrant is above the column's."""
    names = [row.entrant for row in shown.board.rows]
    table = Table(
        [Column("entrant", "the row"), *(Column(name, f"above {name}") for name in names)],
        [[row, *(_cell(shown, row, column) for column in names)] for row in names],
    )
    return Page(
        path="matrix/",
        template="matrix.html",
        title=f"{shown.record.name}: matrix",
        context={"shown": shown, "names": names, "matrix_rows": _matrix_rows(shown, names)},
        document={"tournament": shown.record.name, "p_above": shown.matrix},
        table=table,
    )


def _matrix_rows(shown: Shown, names: Sequence[str]) -> list[tuple[str, list[MatrixCell | None]]]:
    """A row of cells for every entrant; None where it would meet itself."""
    return [(row, [_matrix_cell(shown, row, column) for column in names]) for row in names]


def _matrix_cell(shown: Shown, row: str, column: str) -> MatrixCell | None:
    if row == column:
        return None
    p = shown.matrix[row][column]
    first, second = (row, column) if row < column else (column, row)
    return MatrixCell(
        text=percent(p),
        shade="pnone" if p is None else f"p{int(p * 10)}",
        matches=shown.standing.pair(first, second).matches,
        column=column,
    )


def limit_ms(shown: Shown) -> float | None:
    """The limit of a decision, as the tournament was begun with."""
    limits = shown.record.settings.get("limits")
    seconds = limits.get("decision_s") if isinstance(limits, Mapping) else None
    return seconds * 1000 if isinstance(seconds, int | float) else None


def _cell(shown: Shown, row: str, column: str) -> float | None:
    return None if row == column else shown.matrix[row][column]


def _lines(shown: Shown) -> list[Line]:
    board, groups = shown.board, tie_groups(shown.board)
    entrants = {entrant.name: entrant for entrant in shown.record.entrants}
    return [
        Line(
            row=row,
            language=entrants[row.entrant].language,
            declared_version=entrants[row.entrant].declared_version,
            group=group,
            is_tied=groups.count(group) > 1,
            change=change_of(shown.standing, row.entrant),
        )
        for row, group in zip(board.rows, groups, strict=True)
    ]


def _fits(line: Line, query: Mapping[str, str]) -> bool:
    least = query.get("min", "")
    return (
        query.get("q", "").lower() in line.row.entrant.lower()
        and query.get("language", "") in {"", line.language}
        and not (least.isdecimal() and line.row.matches < int(least))
    )
