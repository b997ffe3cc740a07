"""Everything that is derived from matches, as one fold over them in schedule order.

`Standing` takes a match at a time and can be kept and taken up again (`as_state`, `from_state`), so
that a leaderboard over a million matches costs no more than the matches since the last checkpoint.
"""

from tongits_harness.results.fold.match_figures import MatchFigures
from tongits_harness.results.fold.resampling import Resampling, Spread
from tongits_harness.results.fold.standing import Standing
from tongits_harness.results.fold.totals import Pair, SeatTotals, Totals

__all__ = ["MatchFigures", "Pair", "Resampling", "SeatTotals", "Spread", "Standing", "Totals"]
