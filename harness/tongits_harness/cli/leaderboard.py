"""`tongits leaderboard`: who is best, and how sure that is."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import format_options, results_option, tournament_option

if TYPE_CHECKING:
    from tongits_harness.cli.render import Table
    from tongits_harness.results.leaderboard import Leaderboard, LeaderboardRow

WHISKER_CELLS = 24
WATCH_S = 2.0
"""How often `--watch` looks."""


@click.command()
@format_options("json", "csv", "md")
@click.option("--watch", is_flag=True, help="Show it again whenever it changes; Ctrl-C ends it.")
@results_option
@tournament_option
def leaderboard(output: str | None, watch: bool, results: Path, tournament: str | None) -> None:
    """Show who is best.

    Entrants stand by score = mu - 3 sigma of a TrueSkill rating over all complete matches, in
    schedule order. The range behind a standing holds 95 % of 200 resamples of the matches.
    """
    from tongits_harness.cli import render
    from tongits_harness.results.leaderboard import read_leaderboard
    from tongits_harness.results.queries import open_reader
    from tongits_harness.views.leaderboard import leaderboard_table

    if watch:
        _watch(results, tournament)
        return
    with open_reader(results) as reader:
        board = read_leaderboard(reader, tournament)
    match output:
        case "json":
            render.print_json(board.to_json())
        case "csv":
            click.echo(leaderboard_table(board).as_csv(), nl=False)
        case "md":
            table = leaderboard_table(board)
            render.print_markdown(table.header, table.rows)
        case _:
            print_leaderboard(board)


def _watch(results: Path, tournament: str | None) -> None:
    import time
    from contextlib import suppress

    from tongits_harness.web.arena import Arena

    arena, stamp = Arena(results), None
    with suppress(KeyboardInterrupt):
        while True:
            shown = arena.show_now(tournament)
            if shown.stamp != stamp:
                stamp = shown.stamp
                click.clear()
                print_leaderboard(shown.board)
            if shown.progress.is_finished:
                return
            time.sleep(WATCH_S)


def print_leaderboard(board: "Leaderboard") -> None:
    """The leaderboard for people, on stdout."""
    from tongits_harness.cli import render

    render.print_lines(_title(board), "")
    render.print_table(_table(board, is_ascii_only=render.is_ascii_only()))
    render.print_lines("", *_explanation(board))


def whisker(
    low: float, middle: float, high: float, *, axis: tuple[float, float], ascii_only: bool
) -> str:
    """An interval with its middle, drawn in text on an axis."""
    start, end = axis
    scale = (WHISKER_CELLS - 1) / (end - start) if end > start else 0.0
    left, point, right = (
        min(max(round((value - start) * scale), 0), WHISKER_CELLS - 1)
        for value in (low, middle, high)
    )
    bar, tip_left, tip_right, dot = "-||o" if ascii_only else "─├┤●"
    cells = [" "] * WHISKER_CELLS
    cells[left : right + 1] = bar * (right + 1 - left)
    cells[left], cells[right], cells[point] = tip_left, tip_right, dot
    return "".join(cells)


def _title(board: "Leaderboard") -> str:
    title = (
        f"{board.tournament} · {board.rules} · {board.matches} of {board.matches_planned} matches"
        f" · sandbox {board.sandbox or '-'}"
    )
    return title if board.is_trusted else f"{title} · UNTRUSTED: bots ran without a sandbox"


def _table(board: "Leaderboard", *, is_ascii_only: bool) -> "Table":
    from tongits_harness.cli.render import Column, Table

    lows = [row.mu - 2 * row.sigma for row in board.rows]
    highs = [row.mu + 2 * row.sigma for row in board.rows]
    axis = (min(lows, default=0.0), max(highs, default=0.0))
    columns = (
        Column("#", is_number=True),
        Column("range", importance=1),
        Column("entrant"),
        Column("version", importance=8),
        Column(f"mu ± 2 sigma, {axis[0]:.1f} to {axis[1]:.1f}", importance=7),
        Column("mu", is_number=True, importance=5),
        Column("score", is_number=True),
        Column("matches", is_number=True, importance=2),
        Column("1st/2nd/3rd", is_number=True, importance=4),
        Column("chips/game", is_number=True, importance=3),
        Column("95 %", importance=6),
        Column("luck-adj.", is_number=True, importance=5),
        Column("to separate", is_number=True, importance=4),
        Column("faults", importance=2),
        Column("p50/p99 ms", is_number=True, importance=6),
        Column("notes", importance=1),
    )
    rows = [_row(row, axis, is_ascii_only=is_ascii_only) for row in board.rows]
    styles = ["dim" if row.suspended_after is not None else "" for row in board.rows]
    return Table(columns, rows, styles)


def _row(row: "LeaderboardRow", axis: tuple[float, float], *, is_ascii_only: bool) -> Sequence[str]:
    spread = 2 * row.sigma
    low, high = row.chips_ci95
    return (
        str(row.standing),
        str(row.standing) if row.rank_low == row.rank_high else f"{row.rank_low}-{row.rank_high}",
        row.entrant,
        row.version[:8],
        whisker(row.mu - spread, row.mu, row.mu + spread, axis=axis, ascii_only=is_ascii_only),
        f"{row.mu:.2f}",
        f"{row.score:.2f}",
        str(row.matches),
        "/".join(map(str, row.places)),
        _signed(row.chips_per_game),
        "" if low is None else f"{_signed(low)} to {_signed(high)}",
        _signed(row.luck_adjusted),
        "-" if row.to_separate is None else f"{row.to_separate:,}",
        ", ".join(f"{count} {kind}" for kind, count in row.faults.items()) or "-",
        f"{_number(row.p50_ms)}/{_number(row.p99_ms)}",
        ", ".join(_notes(row)),
    )


def _notes(row: "LeaderboardRow") -> list[str]:
    notes = []
    if row.suspended_after is not None:
        notes.append(f"suspended after match {row.suspended_after}")
    if row.forfeits:
        notes.append(f"{row.forfeits} forfeited")
    if row.provisional:
        notes.append("provisional")
    return notes


def _explanation(board: "Leaderboard") -> list[str]:
    lines = [
        (
            "How to read it: score = mu - 3 sigma is a strength the entrant very probably has;"
            " where the ranges of two entrants overlap, their order is not settled. Chips are per"
            " game, forfeited matches left out; luck-adj.: against two others of average strength,"
            " deals and opponents taken out; to separate: matches still needed until the chips of"
            " this row and the next differ at 95 %."
        )
    ]
    if any(row.provisional for row in board.rows):
        lines.append("provisional: too few matches yet (sigma above 1).")
    if any(row.suspended_after is not None for row in board.rows):
        lines.append(
            "suspended: its process was lost in three of its matches running; later ones are not"
            " played or counted."
        )
    if board.disagreements:
        pairs = ", ".join(f"{pair.better} over {pair.worse}" for pair in board.disagreements)
        lines.append(f"Clear by rating or chips, but the other way by Plackett-Luce: {pairs}.")
    return lines


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.2f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
