"""Results: records, store, ratings, leaderboard."""
