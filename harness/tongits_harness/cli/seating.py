"""Who sits where in a quick game, and on which shuffles. Values only; `playing` plays."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tongits_engine import SEATS, RulesError, rules_named

from tongits_harness.bots.manifest import Bot, load_bot
from tongits_harness.errors import ConfigError, UsageError
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import MatchPlan, SessionPlan
from tongits_harness.play.session import SessionSetup
from tongits_harness.samples import find_bot

FILLERS = ("greedy", "cautious", "random")
"""Sample bots for the seats that nobody was named for, in this order."""
MATCH_KEY = "play"
PERSON, ATTACHED = "you", "attached"
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Guests:
    """Seats that no bot of ours sits at, None where there is no such guest."""

    person: int | None = None
    attached: int | None = None

    def seats(self) -> tuple[int, ...]:
        """The seats they take."""
        return tuple(seat for seat in (self.person, self.attached) if seat is not None)


@dataclass(frozen=True, slots=True)
class Seating:
    """All of a quick game but its sandbox."""

    names: tuple[str, str, str]
    bots: dict[int, Bot]
    """Seat -> bot; guests are left out."""
    guests: Guests
    setup: SessionSetup
    seed: str
    """As it is typed to get the same shuffles."""
    is_timed: bool


def seat_all(
    words: Sequence[str],
    guests: Guests,
    *,
    rules: str,
    games: int,
    seed: str,
    is_timed: bool,
    results: Path,
) -> Seating:
    """Seats bots in the order given, where no guest sits, and sample bots at what is left.

    Raises:
        UsageError: two guests at one seat, or more bots than seats.
        ConfigError: a bot or the rules cannot be used; all bots are looked at before.
    """
    bots = _bots_by_seat(words, guests, results)
    names = _names(bots, guests)
    plan = SessionPlan(MatchPlan(0, MATCH_KEY, 0, _sorted(names)), 0, names)
    try:
        chosen = rules_named(rules)
    except RulesError as error:
        raise ConfigError(f"rules: {error}") from error
    limits = PlayLimits() if is_timed else PlayLimits(bank_s=_DAY_S)
    setup = SessionSetup(plan, chosen, seed_bytes(seed), games, limits)
    return Seating(names, bots, guests, setup, seed, is_timed)


def seed_bytes(seed: str) -> bytes:
    """The shuffles' secret from what was typed: 64 hex digits as they are, else any text."""
    if len(seed) == 64:
        try:
            return bytes.fromhex(seed)
        except ValueError:
            pass
    return hashlib.sha256(b"tongits-play/1\0" + seed.encode()).digest()


def _bots_by_seat(words: Sequence[str], guests: Guests, results: Path) -> dict[int, Bot]:
    taken = guests.seats()
    if len(set(taken)) < len(taken):
        raise UsageError(f"seat {taken[0]} cannot hold both a person and an attached process")
    free = [seat for seat in range(SEATS) if seat not in taken]
    if len(words) > len(free):
        raise UsageError(
            f"{len(words)} bots are named for {len(free)} seats: a table has {SEATS}, --human and"
            " --attach take one each"
        )
    fillers = [name for name in FILLERS if name not in words]
    bots: dict[int, Bot] = {}
    problems: list[str] = []
    for seat, word in zip(free, [*words, *fillers], strict=False):
        try:
            bots[seat] = load_bot(find_bot(word, Path(), results))
        except ConfigError as error:
            problems.append(str(error))
    if problems:
        raise ConfigError("\n".join(problems))
    return bots


def _names(bots: dict[int, Bot], guests: Guests) -> tuple[str, str, str]:
    names: list[str] = []
    for seat in range(SEATS):
        if seat in bots:
            names.append(_unused(bots[seat].name, names))
        else:
            names.append(_unused(PERSON if seat == guests.person else ATTACHED, names))
    return names[0], names[1], names[2]


def _unused(name: str, taken: Sequence[str]) -> str:
    numbered = [name, *(f"{name}-{number}" for number in range(2, SEATS + 1))]
    return next(one for one in numbered if one not in taken)


def _sorted(names: tuple[str, str, str]) -> tuple[str, str, str]:
    first, second, third = sorted(names)
    return first, second, third
