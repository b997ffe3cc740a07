"""How much is measured: full figures, or a quick look whether the sections still work."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Amounts of work by section."""

    peers: bool = True
    """Whether what is not ours is measured too."""
    rounds: int = 7
    """Of everything short; each figure has so many values."""
    repeats: int = 3
    """Within a round in one process."""
    long_rounds: int = 3
    """Of everything that takes tens of seconds."""
    at_once: tuple[int, ...] = (1, 16, 64, 256)
    """Concurrent games on the link."""
    link_decisions: int = 20_000
    """Of one measurement at 64 games and more; less below, where each costs more."""
    matches: int = 300
    """Of a tournament of four bots, with six seatings of two games."""
    languages: bool = True
    slow_matches: int = 24
    rated: int = 5_000
    stored: int = 1_500
    """Sessions."""
    starts: int = 5
    demo_matches: int = 8
    memory_matches: int = 100_000
    pages_matches: int = 100_000
    pages_bots: int = 300
    entrants: tuple[int, ...] = (3, 6, 12, 24)
    """Of the tournaments that show what entrants cost."""


FULL = Sizes()
TINY = Sizes(
    rounds=1,
    repeats=1,
    long_rounds=1,
    at_once=(1, 4),
    link_decisions=200,
    matches=2,
    languages=False,
    slow_matches=1,
    rated=50,
    stored=20,
    starts=1,
    demo_matches=1,
    memory_matches=40,
    pages_matches=500,
    pages_bots=10,
    entrants=(3,),
)
