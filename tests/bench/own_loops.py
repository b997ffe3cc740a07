"""Loops over this project's own code that need no other process."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from tongits_engine import Action, ActionKind, Rules, rules_named
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import MatchPlan, SessionPlan, sessions_of
from tongits_harness.play.session import SessionOutcome, SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen, Reply
from tongits_harness.results.ratings import RatedMatch, RatingFold

SEATS = ("ana", "ben", "cy")
_MELDS = (ActionKind.TAKE, ActionKind.CONCEAL, ActionKind.EXPOSE, ActionKind.LAYOFF)
_SESSIONS = 25
_GAMES = 2
_ENTRANTS = 20


def plans(number: int, seatings: int) -> tuple[SessionPlan, ...]:
    """The sessions of one match."""
    return tuple(sessions_of(MatchPlan(number, f"{number:016x}", number, SEATS), seatings))


def setup(plan: SessionPlan, *, games: int = _GAMES) -> SessionSetup:
    """A session of the lite rules from a public seed."""
    return SessionSetup(plan, _rules(), bytes(32), games, PlayLimits())


@cache
def _rules() -> Rules:
    return rules_named("tongits-lite")


def calm(legal: Sequence[Action], chance: random.Random) -> Action:
    """Melds what can be melded and never calls: games are as long as the sample bots'."""
    melds = [action for action in legal if action.kind in _MELDS]
    others = [action for action in legal if action.kind is not ActionKind.CALL]
    return melds[0] if melds else chance.choice(others or legal)


def played(setup_: SessionSetup, chance: random.Random) -> Iterator[Ask | SessionOutcome]:
    """What a session asks, each answered calmly, and at last what came of it."""
    play = play_session(setup_)
    reply: Reply | None = None
    try:
        while True:
            effect = play.send(reply)
            reply = None
            if isinstance(effect, Ask):
                yield effect
                reply = Chosen(calm(effect.legal, chance), 100)
    except StopIteration as stop:
        yield stop.value


def sessions() -> Callable[[], int]:
    """Whole sessions as they are played for bots: observations encoded, digests, records."""

    def play() -> int:
        chance = random.Random(1)
        return sum(
            isinstance(step, Ask)
            for number in range(_SESSIONS)
            for step in played(setup(*plans(number, 1)), chance)
        )

    return play


def ratings(*, tied: bool) -> Callable[[], int]:
    """The fold of the leaderboard's ratings, chained over 20 entrants."""
    places = (1, 2, 2) if tied else (1, 2, 3)

    def fold() -> int:
        chance = random.Random(1)
        names = [f"bot{number:02}" for number in range(_ENTRANTS)]
        ratings_ = RatingFold(names)
        matches = 300
        for index in range(matches):
            a, b, c = chance.sample(names, 3)
            ratings_.add(RatedMatch(index, (a, b, c), places))
        return matches

    return fold


def trueskill_library(*, tied: bool) -> Callable[[], int]:
    """The library by itself, as little around it as can be."""
    import trueskill

    model = trueskill.TrueSkill(tau=0, draw_probability=0.001)
    ranks = [0, 1, 1] if tied else [0, 1, 2]

    def fold() -> int:
        chance = random.Random(1)
        rated = [model.create_rating() for _ in range(_ENTRANTS)]
        matches = 300
        for _ in range(matches):
            three = chance.sample(range(_ENTRANTS), 3)
            after = model.rate([(rated[number],) for number in three], ranks=ranks)
            for number, (rating,) in zip(three, after, strict=True):
                rated[number] = rating
        return matches

    return fold
