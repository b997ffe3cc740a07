"""What a check is asked to do. Values only."""

from dataclasses import dataclass, field
from pathlib import Path

from tongits_harness.bots.limits import Limits
from tongits_harness.play.limits import PlayLimits

VARIANTS = ("tongits-lite", "sa-tong")
"""The rules a bot is checked under unless others are named."""
GAMES = 40
"""Games of the step legal play under each of them."""
QUICK_GAMES = 8
LAST_STEP = 13


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """Settings of one check."""

    rules: tuple[str, ...] = VARIANTS
    games: int = GAMES
    """Games of the step legal play, under each of the rules."""
    quick: bool = False
    """Fewer games, and a shorter time for each step."""
    only: frozenset[int] = frozenset()
    """Numbers of the steps that are wanted, besides those that lead to a running bot; all if
    empty."""
    allow_fetch: bool = False
    """Its `fetch` command may run, with network."""
    allow_bare: bool = False
    """It may be built without a sandbox: for one's own folder only."""
    builds: Path | None = None
    """Where built bots are kept; None = a temporary folder."""
    word: str = ""
    """What its author calls the bot on the command line; for commands in the report."""
    limits: PlayLimits = field(default_factory=PlayLimits)
    process_limits: Limits = field(default_factory=Limits)

    def wants(self, number: int) -> bool:
        """Whether a step is to be taken."""
        return not self.only or number in self.only

    @property
    def games_played(self) -> int:
        """Games of the step legal play, under each of the rules."""
        return min(self.games, QUICK_GAMES) if self.quick else self.games

    @property
    def patience_s(self) -> float:
        """Longest time for the games of one step under one of the rules."""
        return 5.0 if self.quick else 15.0
