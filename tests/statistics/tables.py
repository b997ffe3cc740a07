"""Whole sessions of sample bots in this process: the session and the bytes are real, no process is.

A strategy is what a bot is made of, a function from the SDK's View to an action. Chance comes from
`bot_seed` as it does in a tournament, so the same key gives the same games.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tongits.v1 import table_pb2 as pb2
from tongits_bot import Action, Game, View
from tongits_engine import Rules
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import MatchPlan, SessionPlan, sessions_of
from tongits_harness.play.session import SessionOutcome, SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen

Strategy = Callable[[View], Action]
SEED = bytes.fromhex("5eed" * 16)
LIMITS = PlayLimits()


def slipping(strategy: Strategy, share: float) -> Strategy:
    """The same, but that part of its decisions is any legal action."""

    def decide(view: View) -> Action:
        if view.rng.random() < share:
            return view.rng.choice(view.legal)
        return strategy(view)

    return decide


@dataclass(frozen=True)
class Tables:
    """Where matches are played: with these rules, so many games a session."""

    rules: Rules
    games: int = 2
    seed: bytes = SEED

    def play_match(
        self, key: str, strategies: tuple[Strategy, Strategy, Strategy], seatings: int
    ) -> tuple[tuple[SessionPlan, SessionOutcome], ...]:
        """Every seating of the shuffles of that key; the entrants are called a, b and c."""
        plan = MatchPlan(0, key, 0, ("a", "b", "c"))
        return tuple((one, self._session(one, strategies)) for one in sessions_of(plan, seatings))

    def _session(
        self, plan: SessionPlan, strategies: tuple[Strategy, Strategy, Strategy]
    ) -> SessionOutcome:
        setup = SessionSetup(plan, self.rules, self.seed, self.games, LIMITS)
        deciders = [strategies["abc".index(name)] for name in plan.seats]
        play = play_session(setup)
        known: dict[bytes, Game] = {}
        reply = None
        while True:
            try:
                effect = play.send(reply)
            except StopIteration as stop:
                return stop.value
            reply = _answer(effect, deciders, known) if isinstance(effect, Ask) else None


def _answer(ask: Ask, deciders: list[Strategy], known: dict[bytes, Game]) -> Chosen:
    game = known.get(ask.game.game_id)
    if game is None:
        game = known[ask.game.game_id] = Game(pb2.GameStarted.FromString(ask.game.started))
    view = View(pb2.Observation.FromString(ask.view), game)
    return Chosen(ask.legal[view.legal.index(deciders[ask.seat](view))], 100)


def chips_by_entrant(session: tuple[SessionPlan, SessionOutcome]) -> tuple[int, int, int]:
    """Chips of a, b and c in one session."""
    plan, outcome = session
    a, b, c = (outcome.seats[plan.seats.index(name)].chips for name in "abc")
    return a, b, c
