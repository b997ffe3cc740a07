"""Sessions played without processes: three functions answer, the generator does the rest."""

import random
from dataclasses import replace

from tongits_engine import legal_actions, rules_named
from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import MatchPlan, sessions_of
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen, Failed, GameEnded

from tests.harness.protocol.random_play import choose

SEED = bytes(range(32))
MATCH = MatchPlan(0, "0123456789abcdef", 0, ("ana", "ben", "cy"))


def setup_for(rules="tongits-lite", *, seating=0, games=2, seed=SEED, key=MATCH.key, **limits):
    """A session of three entrants at one of the six seatings."""
    plan = sessions_of(replace(MATCH, key=key), 6)[seating]
    if isinstance(rules, str):
        rules = rules_named(rules)
    return SessionSetup(plan, rules, seed, games, PlayLimits(**limits))


def player(seed, *, us=100, note=""):
    """Takes a legal action by chance of its own; needs this long for each."""
    rng = random.Random(seed)
    return lambda ask: Chosen(choose(ask.legal, rng), us, note)


def failing(fine, at, *, kind=FaultKind.ILLEGAL_ACTION, us=100, lost=False):
    """The same player, but its decisions of these numbers (from 0) are faults."""
    numbers = iter(range(1_000_000))
    fault = Fault(kind, Blame.BOT, Phase.DECISION, "as the test wants it")

    def answer(ask):
        reply = fine(ask)
        return Failed(fault, us, lost, request=b"request") if next(numbers) in at else reply

    return answer


def players(seed=0, **replaced):
    """Three seeded players by seat; `p1=...` puts another in a seat."""
    return [replaced.get(f"p{seat}") or player(seed * 3 + seat) for seat in range(3)]


class Played:
    """What a session yielded and its outcome."""

    def __init__(self, setup, answers):
        self.setup, self.asks, self.ends = setup, [], []
        play, reply = play_session(setup), None
        try:
            while True:
                effect = play.send(reply)
                reply = None
                if isinstance(effect, GameEnded):
                    self.ends.append(effect)
                else:
                    assert isinstance(effect, Ask)
                    self.asks.append(effect)
                    reply = answers[effect.seat](effect)
        except StopIteration as stop:
            self.outcome = stop.value

    def asks_of(self, seat):
        return [ask for ask in self.asks if ask.seat == seat]


def play(setup=None, answers=None):
    return Played(setup or setup_for(), answers or players())


def is_forced(state):
    return len(legal_actions(state)) == 1
