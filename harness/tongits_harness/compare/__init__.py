"""Is a new version of a bot better than an old one? Pairs of matches until that can be said.

Each pair is played twice on the same shuffles at the same seatings, beside the same two others:
once with the new bot and once with the old one. `statistics.sprt` says when to stop.
"""
