"""Loops over other projects' card games, with uniformly random play.

Imported by the interpreter of `.venv-peers` only, so nothing of this project is used here. A
decision is one player action; chance events are not counted, but their time is.
"""

import random
from collections.abc import Callable


def openspiel(*, cloned: bool) -> Callable[[], int]:
    """C++ game driven from Python, started as a clone of one state or anew for every game."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")
    start = game.new_initial_state()
    chance = random.Random(1)

    def play() -> int:
        decisions = 0
        for _ in range(60 if cloned else 30):
            state = start.clone() if cloned else game.new_initial_state()
            while not state.is_terminal():
                decisions += not state.is_chance_node()
                legal = state.legal_actions()
                state.apply_action(legal[int(chance.random() * len(legal))])
        return decisions

    return play


def rlcard() -> Callable[[], int]:
    """The environment, which gives an observation with every step."""
    import rlcard as library

    environment = library.make("gin-rummy", config={"seed": 1})
    chance = random.Random(1)

    def play() -> int:
        decisions = 0
        for _ in range(20):
            state, _player = environment.reset()
            while not environment.is_over():
                legal = list(state["legal_actions"])
                state, _player = environment.step(legal[int(chance.random() * len(legal))])
                decisions += 1
            environment.get_payoffs()
        return decisions

    return play


def pettingzoo() -> Callable[[], int]:
    """The agent-environment cycle, which gives an observation and a mask with every step."""
    from pettingzoo.classic import gin_rummy_v4

    environment = gin_rummy_v4.env()
    chance = random.Random(1)

    def play() -> int:
        decisions = 0
        for number in range(6):
            environment.reset(seed=number)
            for _agent in environment.agent_iter():
                observation, _reward, terminated, truncated, _info = environment.last()
                if terminated or truncated:
                    environment.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                environment.step(int(legal[int(chance.random() * len(legal))]))
                decisions += 1
        return decisions

    return play


def openskill(*, tied: bool) -> Callable[[], int]:
    """Plackett-Luce of three players, 20 entrants, ratings chained."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    chance = random.Random(1)
    ratings = [model.rating() for _ in range(20)]

    def fold() -> int:
        matches = 2000
        for _ in range(matches):
            three = chance.sample(range(20), 3)
            ranks = [0, 1, 1] if tied else [0, 1, 2]
            rated = model.rate([[ratings[number]] for number in three], ranks=ranks)
            for number, (rating,) in zip(three, rated, strict=True):
                ratings[number] = rating
        return matches

    return fold
