"""The fair play report of a stored tournament: findings, and the figures behind them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tongits_harness.fairplay.chance import LEAST, LEVEL, Finding, Sums, holm, p_of, p_share
from tongits_harness.fairplay.shifts import Shift, ShiftFold
from tongits_harness.fairplay.timing import OpponentTimes, near_limit, seat_findings
from tongits_harness.results.comparison import Z95
from tongits_harness.results.fair_play_rows import DealtChips, Trouble
from tongits_harness.results.fold import Standing
from tongits_harness.results.latency import percentile_ms
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.records import TournamentRecord
from tongits_harness.results.suspension import counts

_LEAST_VOIDS = 5


@dataclass(frozen=True, slots=True)
class Place:
    """What a seat, or a place after the dealer, brought whoever sat there."""

    chips_per_game: float
    half_width: float
    """Half of the 95 % interval."""

    def to_json(self) -> dict[str, object]:
        """Keys may be added, only at the end."""
        return {
            "chips_per_game": round(self.chips_per_game, 6),
            "half_width": round(self.half_width, 6),
        }


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """One entrant's row of the table of harness trouble."""

    entrant: str
    matches: int
    decisions: int
    p50_ms: float | None
    p99_ms: float | None
    trouble: Trouble

    def to_json(self) -> dict[str, object]:
        """Keys may be added, only at the end."""
        return {
            "entrant": self.entrant,
            "matches": self.matches,
            "decisions": self.decisions,
            "decision_ms": {"p50": self.p50_ms, "p99": self.p99_ms},
            "sessions": self.trouble.sessions,
            "voided": self.trouble.voided,
            "faults_by_blame": dict(self.trouble.blames),
        }


@dataclass(frozen=True, slots=True)
class FairPlay:
    """The report."""

    tournament: str
    matches: int
    findings: tuple[Finding, ...]
    pairs_tested: int
    """Ordered pairs whose shift could be told."""
    seats: tuple[Place, ...]
    """By seat; nothing without a match."""
    dealer: tuple[Place, ...]
    """The dealer, the next to act, the third."""
    entrants: tuple[EntrantLine, ...]

    def to_json(self) -> dict[str, object]:
        """The document of `tongits fairplay --json`; keys may be added, only at the end."""
        return {
            "tournament": self.tournament,
            "matches": self.matches,
            "level": LEVEL,
            "findings": [finding.to_json() for finding in self.findings],
            "pairs_tested": self.pairs_tested,
            "seats": [place.to_json() for place in self.seats],
            "dealer": [place.to_json() for place in self.dealer],
            "entrants": [line.to_json() for line in self.entrants],
        }


def read_fair_play(reader: ResultsReader, name: str | None = None) -> FairPlay:
    """The report on a stored tournament; on the latest if `name` is None."""
    record = reader.tournament(name)
    standing = reader.standing(record)
    rows = reader.fair_play_rows(record.name)
    shifts, times, counted = ShiftFold(), OpponentTimes(), set[int]()
    for match in reader.match_rows(record.name):
        if counts(match.result, standing.suspended):
            counted.add(match.result.index)
            shifts.add(match.result)
            times.add({figures.entrant: figures.latency for figures in match.figures})
    found, tested = shifts.shifts()
    trouble = rows.trouble()
    seat_times = (time for time in rows.seat_times() if time.index in counted)
    return FairPlay(
        tournament=record.name,
        matches=standing.matches,
        findings=(
            *map(_shift_finding, found),
            *_seat_findings(record, standing),
            *times.findings(),
            *seat_findings(seat_times),
            *_limit_findings(record, standing),
            *_void_findings(trouble),
        ),
        pairs_tested=tested,
        seats=_seats(standing),
        dealer=_dealer(dealt for dealt in rows.dealt() if dealt.index in counted),
        entrants=tuple(_line(name, standing, trouble) for name in standing.totals),
    )


def _shift_finding(shift: Shift) -> Finding:
    does = "wins" if shift.chips > 0 else "loses"
    return Finding(
        "shift",
        f"{shift.of} {does} {abs(shift.chips):.2f} chips a game more beside {shift.by} than"
        f" expected, {shift.by} there {shift.chips_of_by:+.2f}"
        f" ({shift.matches} matches, p = {shift.p:.1g})",
        {
            "by": shift.by,
            "of": shift.of,
            "matches": shift.matches,
            "chips": round(shift.chips, 6),
            "chips_of_by": round(shift.chips_of_by, 6),
            "p": float(f"{shift.p:.6g}"),
        },
    )


def _seats(standing: Standing) -> tuple[Place, ...]:
    if not standing.seats.games:
        return ()
    return tuple(Place(*standing.seats.per_game(seat)) for seat in range(3))


def _seat_findings(record: TournamentRecord, standing: Standing) -> list[Finding]:
    """Only where each entrant has each seat equally often: else strengths would show as seats."""
    seatings = record.settings.get("seatings")
    is_even = isinstance(seatings, int) and seatings % 3 == 0
    if not is_even or standing.seats.matches < LEAST:
        return []
    places = dict(enumerate(_seats(standing)))
    tests = {
        seat: p_of(place.chips_per_game, (place.half_width / Z95) ** 2, standing.seats.matches)
        for seat, place in places.items()
    }
    return [
        Finding(
            "seat",
            f"seat {seat} brings {places[seat].chips_per_game:+.3f} chips a game,"
            f" ± {places[seat].half_width:.3f} (p = {p:.1g})",
            {"seat": seat, **places[seat].to_json(), "p": float(f"{p:.6g}")},
        )
        for seat, p in holm(tests).items()
    ]


def _dealer(matches: Iterable[DealtChips]) -> tuple[Place, ...]:
    sums, games = [Sums(), Sums(), Sums()], 0
    for match in matches:
        games += match.games
        for distance, chips in enumerate(match.chips):
            sums[distance].add(chips)
    if not games:
        return ()
    return tuple(Place(s.total / games, Z95 * s.error2**0.5 * s.count / games) for s in sums)


def _limit_findings(record: TournamentRecord, standing: Standing) -> list[Finding]:
    limits = record.settings.get("limits")
    limit_s = limits.get("decision_s") if isinstance(limits, Mapping) else None
    if not isinstance(limit_s, int | float):
        return []
    found = (near_limit(n, totals.latency, limit_s) for n, totals in standing.totals.items())
    return [finding for finding in found if finding is not None]


def _void_findings(trouble: Mapping[str, Trouble]) -> list[Finding]:
    """Entrants that sit at more of the voided tables than their share of all tables."""
    sessions = sum(t.sessions for t in trouble.values()) // 3
    voided = sum(t.voided for t in trouble.values()) // 3
    tests = {
        name: p_share(t.voided, voided, t.sessions / sessions)
        for name, t in trouble.items()
        if t.voided >= _LEAST_VOIDS
    }
    return [
        Finding(
            "voids",
            f"{name} sat at {trouble[name].voided} of {voided} tables that were voided, and at"
            f" {trouble[name].sessions} of all {sessions} (p = {p:.1g})",
            {
                "entrant": name,
                "voided": trouble[name].voided,
                "of": voided,
                "p": float(f"{p:.6g}"),
            },
        )
        for name, p in holm(tests).items()
    ]


def _line(name: str, standing: Standing, trouble: Mapping[str, Trouble]) -> EntrantLine:
    totals = standing.totals[name]
    return EntrantLine(
        entrant=name,
        matches=totals.matches,
        decisions=totals.decisions,
        p50_ms=percentile_ms(totals.latency, 50),
        p99_ms=percentile_ms(totals.latency, 99),
        trouble=trouble.get(name, Trouble()),
    )
