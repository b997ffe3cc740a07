"""Collusion and kingmaking: does one entrant's presence shift what another wins? Pure.

The model: in a match of B with A and C, B wins s_B - (s_A + s_C) / 2 chips a game on average; the
strengths s are fitted by least squares over all matches. What is left over for B in its matches
with A, on average, is the shift of B by A. A match is one observation, for its games share their
shuffles; the shift is divided by its own standard error (less what the fit itself takes away) and
compared with Student's t. All ordered pairs are one family: the clearest one is taken if it stands
Holm's correction at that step, the matches of those two are taken out of the fit, for they bend the
strengths of both, and the rest is tested again. Forfeited matches are left out.

A shift need not be intent: a style that suits another one shows in the same way. Where there are
only three entrants, or two that met in nearly all their matches, nothing can be told.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tongits_harness.fairplay.chance import LEAST, LEVEL, p_of
from tongits_harness.results.match_result import MatchResult

_MOST = 20
"""Findings after which the search ends."""
_EXACT = 40
"""Entrants up to which what the fit takes away is computed; with more it is nearly nothing, and
leaving it out errs towards silence."""
_LITTLE = 0.02
"""Of its variance a shift keeps at least so much after the fit, or it cannot be told."""

_Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Shift:
    """What the presence of one does to another, in chips per game."""

    by: str
    of: str
    matches: int
    chips: float
    """What `of` wins beyond its strength."""
    chips_of_by: float
    """What `by` wins beyond its own in the same matches; the third at the table has the rest."""
    p: float
    """Corrected for all pairs."""


@dataclass(slots=True)
class _Cell:
    """All matches of one triple: sums of chips per game of each, and of their squares."""

    count: int
    totals: list[float]
    squares: list[float]


@dataclass(frozen=True, slots=True)
class _Fit:
    strengths: Mapping[str, float]
    inverse: Sequence[Sequence[float]]
    place: Mapping[str, int]

    def expected(self, names: _Triple, number: int) -> float:
        """Chips per game of one of a triple."""
        all_three = sum(self.strengths[name] for name in names)
        return 1.5 * self.strengths[names[number]] - all_three / 2


class ShiftFold:
    """The matches so far, added up by triple."""

    def __init__(self) -> None:
        self._cells: dict[_Triple, _Cell] = {}

    def add(self, result: MatchResult) -> None:
        """Take a match that counts."""
        if any(o.forfeited or not o.games for o in result.outcomes):
            return
        cell = self._cells.setdefault(result.entrants, _Cell(0, [0.0] * 3, [0.0] * 3))
        cell.count += 1
        for number, outcome in enumerate(result.outcomes):
            chips = outcome.chips / outcome.games
            cell.totals[number] += chips
            cell.squares[number] += chips * chips

    def shifts(self, level: float = LEVEL) -> tuple[tuple[Shift, ...], int]:
        """The shifts beyond chance, clearest first, and how many ordered pairs were tested."""
        cells, found, tested = dict(self._cells), list[tuple[str, str, float]](), 0
        while cells and len(found) < _MOST:
            tests = dict(_tests(cells, _fit(cells)))
            tested = max(tested, len(tests))
            if not tests:
                break
            (by, of), p = min(tests.items(), key=lambda item: (item[1], item[0]))
            if p * len(tests) > level:
                break
            found.append((by, of, p * len(tests)))
            cells = {n: cell for n, cell in cells.items() if not {by, of} <= set(n)}
        fit = _fit(cells)
        if len(fit.place) < len(_fit(self._cells).place):  # somebody only met who was found
            fit = _fit(self._cells)
        return tuple(self._shift(fit, *pair) for pair in found), tested

    def _shift(self, fit: _Fit, by: str, of: str, p: float) -> Shift:
        count, chips, other, _ = _left_over(self._cells, fit, by, of)
        return Shift(by, of, count, chips / count, other / count, p)


def _tests(cells: Mapping[_Triple, _Cell], fit: _Fit) -> Iterator[tuple[tuple[str, str], float]]:
    pairs = sorted({(a, b) for names in cells for a in names for b in names if a != b})
    together = _together(cells)
    for by, of in pairs:
        count, total, _, squares = _left_over(together[by, of], fit, by, of)
        kept = _kept(together[by, of], fit, by, of) if len(fit.place) <= _EXACT else 1.0
        if count < LEAST or kept < _LITTLE:
            continue
        variance = max(squares - total * total / count, 0.0) / (count - 1)
        yield (by, of), p_of(total / count, variance / count * kept, count)


def _together(
    cells: Mapping[_Triple, _Cell],
) -> Mapping[tuple[str, str], Mapping[_Triple, _Cell]]:
    found: dict[tuple[str, str], dict[_Triple, _Cell]] = {}
    for names, cell in cells.items():
        for a in names:
            for b in names:
                if a != b:
                    found.setdefault((a, b), {})[names] = cell
    return found


def _left_over(
    cells: Mapping[_Triple, _Cell], fit: _Fit, by: str, of: str
) -> tuple[int, float, float, float]:
    """Matches of both; sums of what is left over for `of`, for `by`, and of the first's squares."""
    count, total, other, squares = 0, 0.0, 0.0, 0.0
    for names, cell in cells.items():
        if by in names and of in names:
            number, second = names.index(of), names.index(by)
            expected = fit.expected(names, number)
            count += cell.count
            total += cell.totals[number] - cell.count * expected
            other += cell.totals[second] - cell.count * fit.expected(names, second)
            squares += cell.squares[number] - 2 * expected * cell.totals[number]
            squares += cell.count * expected * expected
    return count, total, other, squares


def _kept(cells: Mapping[_Triple, _Cell], fit: _Fit, by: str, of: str) -> float:
    """The part of a shift's variance that the fit leaves."""
    count = sum(cell.count for cell in cells.values())
    along = [0.0] * len(fit.place)
    along[fit.place[of]], along[fit.place[by]] = 1.0, -0.5
    for names, cell in cells.items():
        (third,) = set(names) - {by, of}
        along[fit.place[third]] -= cell.count / (2 * count)
    taken = sum(
        a * sum(map(float.__mul__, row, along)) for a, row in zip(along, fit.inverse, strict=True)
    )
    return 1 - 1.5 * count * taken


def _fit(cells: Mapping[_Triple, _Cell]) -> _Fit:
    names = sorted({name for triple in cells for name in triple})
    place = {name: number for number, name in enumerate(names)}
    # The strengths' mean is 0: what is added to every entry holds it there.
    matrix = [[1.0] * len(names) for _ in names]
    right = [0.0] * len(names)
    for triple, cell in cells.items():
        for number, a in enumerate(triple):
            right[place[a]] += 1.5 * cell.totals[number]
            for b in triple:
                matrix[place[a]][place[b]] += (1.5 if a == b else -0.75) * cell.count
    inverse = _inverted(matrix)
    strengths = [sum(map(float.__mul__, row, right)) for row in inverse]
    return _Fit(dict(zip(names, strengths, strict=True)), inverse, place)


def _inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """By Gauss and Jordan; the matrix is positive, but for groups that never met."""
    size = len(matrix)
    rows = [
        [*row, *(float(number == column) for column in range(size))]
        for number, row in enumerate(matrix)
    ]
    for column in range(size):
        pivot = rows[column]
        scale = 1 / max(pivot[column], 1e-9)
        rows[column] = pivot = [value * scale for value in pivot]
        for number, row in enumerate(rows):
            if number != column and (factor := row[column]):
                rows[number] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return [row[size:] for row in rows]
