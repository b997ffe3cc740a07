"""The environment for researchers under random play: an observation and a mask with every step."""

import random
from collections.abc import Callable

EPISODES = 60


def environment(*, rules: str) -> Callable[[], int]:
    """The same loop as `peer_loops.pettingzoo` over our game; its calls give decisions."""
    from tongits_harness.rl import env

    table = env(rules=rules, ask_forced=True)
    chance = random.Random(1)

    def play() -> int:
        decisions = 0
        for number in range(EPISODES):
            table.reset(seed=number)
            for _agent in table.agent_iter():
                seen, _reward, terminated, truncated, _info = table.last()
                if terminated or truncated:
                    table.step(None)
                    continue
                legal = seen["action_mask"].nonzero()[0]
                table.step(int(legal[int(chance.random() * len(legal))]))
                decisions += 1
        return decisions

    return play
