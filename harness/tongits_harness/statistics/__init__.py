"""Statistics of results that the leaderboard's fold does not hold: pure functions and values."""
