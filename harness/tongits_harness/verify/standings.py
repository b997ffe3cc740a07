"""The leaderboard compared with what the replayed matches give, folded another way."""

from collections.abc import Iterator

from tongits_harness.results.leaderboard import DIGITS, Leaderboard, LeaderboardRow
from tongits_harness.results.match_result import EntrantOutcome
from tongits_harness.verify.claims import Claim
from tongits_harness.verify.stored import Matches


def check_standings(claim: Claim, board: Leaderboard, matches: Matches) -> None:
    """Compares every figure of the leaderboard that follows from results."""
    if board.matches != len(matches.counted):
        claim.fail(f"matches: shown {board.matches}, counted {len(matches.counted)}")
    for row in board.rows:
        claim.checked += 1
        for name, shown, made in _figures(row, matches):
            if shown != made:
                claim.fail(f"{row.entrant} {name}: shown {shown}, folded {made}")
    scores = [row.score for row in board.rows]
    for row in board.rows:
        place = 1 + sum(score > row.score for score in scores)
        if row.standing != place:
            claim.fail(f"{row.entrant} standing: shown {row.standing}, by its score {place}")


def _figures(row: LeaderboardRow, matches: Matches) -> Iterator[tuple[str, object, object]]:
    rating = matches.ratings.ratings[row.entrant]
    own = [o for match in matches.counted for o in match.outcomes if o.entrant == row.entrant]
    first, second, third = (sum(o.place == place for o in own) for place in (1, 2, 3))
    yield "mu", row.mu, round(rating.mu, DIGITS)
    yield "sigma", row.sigma, round(rating.sigma, DIGITS)
    yield "score", row.score, round(rating.score, DIGITS)
    yield "matches", row.matches, len(own)
    yield "places", row.places, (first, second, third)
    yield "forfeits", row.forfeits, sum(o.forfeited for o in own)
    yield "suspended_after", row.suspended_after, matches.suspended.get(row.entrant)
    yield "chips_per_game", row.chips_per_game, _chips_per_game(own)


def _chips_per_game(outcomes: list[EntrantOutcome]) -> float | None:
    kept = [o for o in outcomes if not o.forfeited]
    games = sum(o.games for o in kept)
    return round(sum(o.chips for o in kept) / games, DIGITS) if games else None
