"""One complete match with all the figures that are added up over matches: a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tongits_harness.results.match_result import MatchResult


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """What one match brings to the standings; every mapping is by entrant."""

    result: MatchResult
    sandbox: str
    """The weakest isolation level it was played at."""
    decisions: Mapping[str, int] = field(default_factory=dict)
    latency: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    """Histograms of charged time; see `results.latency`."""
    faults: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Charged faults by kind."""
    ends: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Games by how they ended for the entrant: "tongits won", "stock_out lost", "burned", ..."""
    seat_chips: tuple[int, int, int] = (0, 0, 0)
    """Chips of seats 0, 1, 2 over the match's sessions, whoever sat there."""
    games: int = 0
    """Games played at the table."""
