"""`tongits vs`: two bots over the matches in which they met."""

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import json_option, results_option, tournament_option
from tongits_harness.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from tongits_harness.results.comparison import Comparison
    from tongits_harness.results.records import TournamentRecord


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@json_option
@results_option
@tournament_option
def versus(first: str, second: str, as_json: bool, results: Path, tournament: str | None) -> None:
    """Compare two bots over the matches they shared."""
    from tongits_harness.cli import render
    from tongits_harness.results.browse import MatchFilter
    from tongits_harness.results.comparison import compare
    from tongits_harness.results.queries import open_reader
    from tongits_harness.results.suspension import counts

    if first == second:
        raise UsageError("name two different bots")
    with open_reader(results) as reader:
        record = reader.tournament(tournament)
        for name in (first, second):
            check_entrant(record, name)
        suspended = reader.standing(record).suspended
        wanted = MatchFilter(bots=(first, second))
        indices, _ = reader.last_indices(record.name, wanted)
        both = [match for match, _ in reader.results_of(record.name, indices)]
        comparison = compare([m for m in both if counts(m, suspended)], first, second)
    if as_json:
        render.print_json(_document(record.name, comparison))
    else:
        render.print_lines(*_lines(record.name, comparison))


def check_entrant(record: "TournamentRecord", name: str) -> None:
    """Nothing, if the tournament has an entrant of that name.

    Raises:
        ConfigError: It has not; names the nearest.
    """
    names = [entrant.name for entrant in record.entrants]
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names)}"
        raise ConfigError(f"no bot {name!r} in tournament {record.name!r}: {hint}")


def _document(tournament: str, comparison: "Comparison") -> dict[str, object]:
    first, second = comparison.first, comparison.second
    return {
        "tournament": tournament,
        "a": first.entrant,
        "b": second.entrant,
        "matches": comparison.matches,
        "a_above": first.above,
        "level": comparison.level,
        "b_above": second.above,
        "p_a_above": _rounded(comparison.share),
        "p_ci95": list(map(_rounded, comparison.share_ci95)),
        "places": {side.entrant: list(side.places) for side in (first, second)},
        "chips_per_game": {side.entrant: _rounded(side.chips_per_game) for side in (first, second)},
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _lines(tournament: str, comparison: "Comparison") -> Iterator[str]:
    first, second = comparison.first, comparison.second
    a, b = first.entrant, second.entrant
    if comparison.share is None:
        yield f"{a} and {b} have not met in {tournament} yet."
        return
    low, high = comparison.share_ci95
    yield f"{tournament} · {comparison.matches} matches with both"
    yield (
        f"{a} above {b}: {first.above} · level: {comparison.level} · {b} above {a}: {second.above}"
    )
    yield (
        f"P({a} above {b}) = {comparison.share:.3f}, with 95 % between {low:.3f} and {high:.3f}"
        " (level counts half)"
    )
    for side in (first, second):
        chips = "-" if side.chips_per_game is None else f"{side.chips_per_game:+.2f}"
        yield f"{side.entrant}: places {'/'.join(map(str, side.places))}, chips per game {chips}"
