"""A comparison from the words of the command line to bots, rules and hypotheses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tongits_engine import Rules, RulesError, rules_named

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot, load_bot
from tongits_harness.compare.pairs import ARMS, other_name
from tongits_harness.errors import ConfigError
from tongits_harness.play.hall import HallSetup
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.pacing import MOST_SLOTS, cores_for_bots
from tongits_harness.samples import DEMO_BOTS, find_bot
from tongits_harness.statistics.sprt import Hypotheses

TABLES = 64
"""Sessions at once: the first pairs are then complete soon, and little is played in vain."""
_PROCESSES = 96


@dataclass(frozen=True, slots=True)
class CompareSetup:
    """What is compared, by what, and with what."""

    new: Bot
    old: Bot
    field: Mapping[str, Bot]
    """The others, by name."""
    rules: Rules
    games: int
    seatings: int
    seed: bytes
    hypotheses: Hypotheses
    most_pairs: int
    limits: PlayLimits

    @property
    def games_of_a_match(self) -> int:
        """Over all seatings."""
        return self.games * self.seatings

    @property
    def is_same(self) -> bool:
        """The two are the same files."""
        return self.new.digest == self.old.digest

    def bots(self) -> dict[str, Bot]:
        """Everybody who is seated, by entrant: each arm has entrants of its own."""
        seats = dict(zip(ARMS, (self.new, self.old), strict=True))
        for arm in ARMS:
            seats |= {other_name(arm, name): bot for name, bot in self.field.items()}
        return seats

    def hall(self, bots: Mapping[str, Bot]) -> HallSetup:
        """What a hall needs of it.

        Args:
            bots: As `bots` gives them, built.
        """
        wanted = [bot.manifest.memory or 0 for bot in bots.values()]
        return HallSetup(
            bots=bots,
            rules=self.rules,
            games=self.games,
            limits=self.limits,
            process_limits=Limits(memory_mib=max(Limits().memory_mib, *wanted)),
            tables=TABLES,
            processes=_PROCESSES,
            compute_slots=cores_for_bots(),
            most_slots=MOST_SLOTS,
        )


def load_bots(
    new: str, old: str, against: Sequence[str], results: Path
) -> tuple[Bot, Bot, dict[str, Bot]]:
    """The two that are compared and the field; by default the other sample bots.

    Raises:
        ConfigError: bots that cannot be used; all are looked at before it is raised.
    """
    problems: list[str] = []
    found: list[Bot] = []
    for word in (new, old, *(against or DEMO_BOTS)):
        try:
            found.append(load_bot(find_bot(word, Path(), results)))
        except ConfigError as error:
            problems.append(str(error))
    if problems:
        raise ConfigError("\n".join(problems))
    first, second, *others = found
    if not against:
        others = [bot for bot in others if bot.digest not in {first.digest, second.digest}]
    return first, second, _named(others)


def _named(others: Sequence[Bot]) -> dict[str, Bot]:
    """By name; a single one sits at both other seats, and of several of a name each has a number.

    Raises:
        ConfigError: Nobody.
    """
    if not others:
        raise ConfigError("nobody to play against: name bots with --against")
    field: dict[str, Bot] = {}
    for bot in others if len(others) > 1 else (*others, *others):
        number = 1 + sum(name.split("#")[0] == bot.name for name in field)
        field[bot.name if number == 1 else f"{bot.name}#{number}"] = bot
    return field


def make_rules(name: str) -> Rules:
    """The rules of that name.

    Raises:
        ConfigError: There are none.
    """
    try:
        return rules_named(name)
    except RulesError as error:
        raise ConfigError(f"rules: {error}") from error
