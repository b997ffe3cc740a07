"""Hard questions: the extreme moments of games under usual and unusual rules.

Each is asked in a game of its own, told as one that goes on in a new process with its whole
history, so that a bot which remembers can answer it as well as one that does not.
"""

import random
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tongits.v1 import table_pb2 as pb
from tongits_engine import Action, ActionKind, Rules, rules_named

from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import MatchPlan, SessionPlan
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen, Reply, SeatGame

SEED = bytes(32)
"""Public: shuffles of a check are the same on every machine."""
SEATS = ("seat 0", "seat 1", "seat 2")

Choose = Callable[[Sequence[Action]], Action]
"""How a seat that is no bot chooses."""


@dataclass(frozen=True, slots=True)
class Question:
    """One decision in a game of its own."""

    name: str
    ask: Ask

    def fresh(self) -> "Question":
        """The same under another game id: a process may be asked it again."""
        return Question(self.name, replace(self.ask, game=_renamed(self.ask.game)))


def question(name: str, ask: Ask) -> Question:
    """A decision as it stands in its game right now, cut out of it."""
    told = pb.GameStarted.FromString(ask.game.resumed())
    started = ask.game.resumed() if told.history else ask.game.started
    game = SeatGame(b"", started, lambda: started)
    return Question(name, replace(ask, game=_renamed(game)))


def _renamed(game: SeatGame) -> SeatGame:
    return SeatGame(secrets.token_hex(8).encode(), game.started, game.resumed)


def session(rules: Rules, key: str, *, games: int = 1, limits: PlayLimits) -> SessionSetup:
    """A session with public shuffles."""
    plan = SessionPlan(MatchPlan(0, key, 0, SEATS), 0, SEATS)
    return SessionSetup(plan, rules, SEED, games, limits)


# --- seats that are no bots ----------------------------------------------------------------------

_K = ActionKind
_TASTES: dict[str, tuple[ActionKind, ...]] = {
    "any": (),
    "hoard": (_K.DRAW, _K.DISCARD, _K.FOLD),
    "meld": (_K.TAKE, _K.CONCEAL, _K.EXPOSE, _K.LAYOFF, _K.DRAW, _K.DISCARD, _K.CHALLENGE),
    "call": (_K.CALL, _K.TAKE, _K.EXPOSE, _K.DRAW, _K.DISCARD, _K.CHALLENGE),
}
"""What is chosen if it can be, best first; what is not named only if there is nothing else."""


def chooser(key: str, taste: str = "any") -> Choose:
    """Takes by chance what suits its taste; the same key gives the same chance."""
    chance = random.Random(key)

    def choose(legal: Sequence[Action]) -> Action:
        for kind in _TASTES[taste]:
            if suiting := [action for action in legal if action.kind is kind]:
                return chance.choice(suiting)
        return chance.choice(legal)

    return choose


def walk(setup: SessionSetup, choose: Choose) -> Iterator[Ask]:
    """Every decision of a session in which all seats choose alike."""
    play, reply = play_session(setup), None
    try:
        while True:
            effect = play.send(reply)
            reply = None
            if isinstance(effect, Ask):
                yield effect
                reply = _chosen(choose(effect.legal))
    except StopIteration:
        return


def _chosen(action: Action) -> Reply:
    return Chosen(action, 0)


# --- extreme moments -----------------------------------------------------------------------------

Measure = Callable[[pb.Observation, Ask], int]


def _count(ask: Ask, kind: ActionKind) -> int:
    return sum(action.kind is kind for action in ask.legal)


_MEASURES: dict[str, Measure] = {
    "longest hand": lambda seen, _: len(seen.hand),
    "fewest cards left": lambda seen, _: 100 - len(seen.hand),
    "most melds on the table": lambda seen, _: len(seen.melds),
    "most cards to lay off": lambda _, ask: _count(ask, _K.LAYOFF),
    "most ways to take": lambda _, ask: _count(ask, _K.TAKE),
    "a four to conceal": lambda _, ask: _count(ask, _K.CONCEAL),
    "most actions": lambda _, ask: len(ask.legal),
    "two actions": lambda _, ask: 100 - len(ask.legal),
    "deepest pile": lambda seen, _: len(seen.discards),
    "empty stock": lambda seen, _: 100 - seen.stock_size,
    "first answer to a call": lambda seen, _: int(seen.phase == pb.PHASE_RESPOND),
    "second answer to a call": lambda seen, _: len(seen.challengers),
    "most news": lambda seen, _: len(seen.events),
    "longest history": lambda seen, _: max((e.number for e in seen.events), default=0),
    "first decision": lambda seen, _: int(seen.turn == 0 and not seen.melds),
}
"""What makes a moment extreme; the highest value above 0 is asked, the first of equals."""
_POOL: tuple[tuple[str, int], ...] = (
    *(("meld", n) for n in (2, 5, 17, 27, 36, 73)),
    *(("any", n) for n in (17, 20, 66)),
    *(("hoard", n) for n in (0, 38)),
    *(("call", n) for n in (1, 9, 129)),
)
"""Games, by taste and number, that hold the extremes: the best of 150 of each taste."""
UNUSUAL = {
    "deal.cards": [17, 16],
    "meld.ace_high": True,
    "layoff.before_draw": True,
    "draw.caller_announces_points": True,
    "draw.response_order": "simultaneous",
    "tongits.trigger": "all_grouped",
    "meld.face_down": "none",
    "end.stock_moment": "next_start",
}
"""Parameters of the overlay that no preset has: longer hands than usual among them."""


def hard_questions(names: Sequence[str], limits: PlayLimits) -> list[Question]:
    """The extreme moments of each of the named rules, and of an unusual overlay."""
    asked = [(name, rules_named(name)) for name in names]
    asked.append(("unusual rules", rules_named("tongits-lite+ngalimba", UNUSUAL)))
    return [one for title, rules in asked for one in _extremes(title, rules, limits)]


def _extremes(title: str, rules: Rules, limits: PlayLimits) -> Iterator[Question]:
    best: dict[str, tuple[int, Question]] = {}
    for taste, number in _POOL:
        key = f"case {number}"
        for ask in walk(session(rules, key, limits=limits), chooser(key, taste)):
            seen = pb.Observation.FromString(ask.view)
            for name, measure in _MEASURES.items():
                value = measure(seen, ask)
                if value > best.get(name, (0,))[0]:
                    best[name] = value, question(f"{title}: {name}", ask)
    views: set[bytes] = set()
    for name in _MEASURES:
        if name in best and best[name][1].ask.view not in views:
            views.add(best[name][1].ask.view)
            yield best[name][1]
