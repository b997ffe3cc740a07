"""The leaderboard: one view model that feeds terminal, JSON, CSV and Markdown."""
