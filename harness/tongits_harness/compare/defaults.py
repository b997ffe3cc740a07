"""What a comparison is like unless told otherwise; imports nothing, for the command's help."""

GAMES = 2
"""Of a session, as in a tournament."""
ERROR_RATE = 0.01
"""Of both kinds."""
BETTER_BY = 0.2
"""Default of d1, in chips per game: a third of the smallest step between the first sample bots.
The difference of a pair spreads by 1 to 3 chips per game in tongits-lite, 2 to 5 in sa-tong, so
some 300 to 5,000 pairs settle it (harness/COMPARE.md); half of it would take four times as many."""
MOST_PAIRS = 5000
"""The bound: some 120,000 games at six seatings."""
