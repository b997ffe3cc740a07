"""Rows of queries that are no records: results of matches, summaries of faults."""

import json

from tongits_harness.results.figures import FaultSummary, MatchRows, SeatFigures
from tongits_harness.results.match_result import EntrantOutcome, MatchResult
from tongits_harness.results.session_rows import histogram_from_json


def read_summary(row: tuple[object, ...]) -> FaultSummary:
    """One row of the query for summaries."""
    entrant, kind, phase, charged, *numbers, message, evidence, request, _ = row
    count, index, key, seating, seat, game, step = numbers
    return FaultSummary(
        entrant=str(entrant),
        kind=str(kind),
        phase=str(phase),
        charged=bool(charged),
        count=count,  # type: ignore[arg-type]  # STRICT columns, so are the next
        match_index=index,  # type: ignore[arg-type]
        match_key=str(key),
        seating=seating,  # type: ignore[arg-type]
        seat=seat,  # type: ignore[arg-type]
        game=game,  # type: ignore[arg-type]
        step=step,  # type: ignore[arg-type]
        message=str(message),
        evidence=json.loads(str(evidence)),
        request=bytes(request),  # type: ignore[call-overload]  # BLOB column
    )


def read_match(*rows: tuple[object, ...]) -> MatchResult:
    """The three rows of a match, by entrant."""
    a, b, c = (
        EntrantOutcome(entrant, place, chips, games, bool(forfeited), bool(lost))  # type: ignore[arg-type]  # STRICT columns
        for _, _, _, entrant, place, chips, games, forfeited, lost in rows
    )
    index, key, round_ = rows[0][:3]
    return MatchResult(index, key, round_, (a, b, c))  # type: ignore[arg-type]  # STRICT columns


def read_match_rows(*rows: tuple[object, ...]) -> MatchRows:
    """The three rows of a match, by entrant, each with level, decisions and latency."""
    result = read_match(*(row[:9] for row in rows))
    figures = tuple(
        SeatFigures(result.index, str(row[3]), row[10], histogram_from_json(str(row[11])))  # type: ignore[arg-type]  # STRICT columns
        for row in rows
    )
    return MatchRows(result, str(rows[0][9]), figures)
