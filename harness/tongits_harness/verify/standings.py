"""The leaderboard compared with what the replayed matches give, folded another way."""

from collections.abc import Iterator

from tongits_harness.results.leaderboard import DIGITS, Leaderboard, LeaderboardRow
from tongits_harness.verify.claims import Claim
from tongits_harness.verify.stored import Matches


def check_standings(claim: Claim, board: Leaderboard, matches: Matches) -> None:
    """Compares every figure of the leaderboard that follows from results."""
    if board.matches != matches.counted:
        claim.fail(f"matches: shown {board.matches}, counted {matches.counted}")
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
    own = matches.tallies[row.entrant]
    yield "mu", row.mu, round(rating.mu, DIGITS)
    yield "sigma", row.sigma, round(rating.sigma, DIGITS)
    yield "score", row.score, round(rating.score, DIGITS)
    yield "matches", row.matches, sum(own.places)
    yield "places", row.places, tuple(own.places)
    yield "forfeits", row.forfeits, own.forfeits
    yield "suspended_after", row.suspended_after, matches.suspended.get(row.entrant)
    chips = round(own.chips / own.games, DIGITS) if own.games else None
    yield "chips_per_game", row.chips_per_game, chips
