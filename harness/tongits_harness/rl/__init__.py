"""Tong-its as a PettingZoo environment, for researchers: `pip install 'tongits-arena[rl]'`.

    from tongits_harness.rl import env

    table = env(rules="tongits-lite", games=1)
    table.reset(seed=7)
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, info = table.last()
        done = terminated or truncated
        table.step(None if done else table.action_space(agent).sample(seen["action_mask"]))

What the arrays hold is told in README.md beside this file.
"""

from typing import Any

try:
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"tongits_harness.rl cannot be used: {missing}; pip install 'tongits-arena[rl]' brings it"
    ) from missing

from tongits_harness.rl.encoding import LAYOUT, Field, Mask, Vector
from tongits_harness.rl.environment import AGENTS, TongitsEnv

__all__ = [
    "AGENTS",
    "LAYOUT",
    "Field",
    "Mask",
    "TongitsEnv",
    "Vector",
    "env",
    "parallel_env",
    "raw_env",
]

raw_env = TongitsEnv


def env(**options: Any) -> OrderEnforcingWrapper:  # noqa: ANN401  # those of TongitsEnv
    """The environment as PettingZoo wraps its own: misuse of the order of calls is told."""
    return OrderEnforcingWrapper(raw_env(**options))


def parallel_env(**options: Any) -> Any:  # noqa: ANN401  # pettingzoo has no types
    """The same stepped by a dictionary of actions, of which that of the seat to act counts."""
    return turn_based_aec_to_parallel(env(**options))
