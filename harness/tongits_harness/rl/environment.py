"""The PettingZoo environment: agents, spaces, rewards, drawing. The game is played in `episode`."""

import os
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from tongits_engine import ACTIONS, SEATS, GameResult, Observation, rules_named

from tongits_harness.errors import TongitsError
from tongits_harness.rl.encoding import Mask, Vector, bounds, encode, encode_legal
from tongits_harness.rl.episode import SEED_BYTES, Course, Episode, Triple

AGENTS = tuple(f"player_{seat}" for seat in range(SEATS))
RENDER_MODES = ("human", "ansi")
Seen = dict[str, Vector | Mask]
Info = dict[str, Any]


class TongitsEnv(AECEnv):  # type: ignore[misc]  # pettingzoo has no types
    """A session of Tong-its between three agents, one decision at a time."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tongits_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: str = "tongits-lite",
        overrides: Mapping[str, object] | None = None,
        *,
        games: int = 1,
        ask_forced: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Sets the table up; call `reset` to deal.

        Args:
            rules: A preset or base+overlay, as `tongits rules` lists them.
            overrides: Single rule parameters by dotted name.
            games: Games of an episode: pot and streaks pass from one to the next.
            ask_forced: Also asks where there is one legal action; else it is played unasked, as at
                the harness's table.
            render_mode: "human" prints the table, all hands up; "ansi" gives it as a text.

        Raises:
            RulesError: There are no such rules.
            TongitsError: A value is outside its range.
        """
        super().__init__()
        if games < 1:
            raise TongitsError(f"games={games}: an episode has at least one game")
        if render_mode not in (None, *RENDER_MODES):
            raise TongitsError(f"render_mode={render_mode!r}: choose from {RENDER_MODES} or None")
        self.render_mode = render_mode
        self.course = Course(rules_named(rules, overrides), games, ask_forced)
        self.possible_agents = list(AGENTS)
        low, high = bounds(self.course)
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.float32),
                    "action_mask": spaces.MultiBinary(len(ACTIONS)),
                }
            )
            for agent in AGENTS
        }
        self._action_spaces = {agent: spaces.Discrete(len(ACTIONS)) for agent in AGENTS}
        self._seed: int | None = None
        self._episodes = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same for every agent; the object is always the same one."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete[np.int64]":
        """Actions by code: `tongits_engine.ACTIONS` lists them."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Deals the first game of an episode.

        Args:
            seed: The same seed deals the same decks; without one the next episode of the seed
                before is dealt, and the first of a seed from the system's chance.
            options: Nothing to choose: PettingZoo has them.

        Raises:
            TongitsError: The seed is negative or longer than 256 bits.
        """
        del options
        if seed is not None or self._seed is None:
            self._seed = int.from_bytes(os.urandom(SEED_BYTES)) if seed is None else int(seed)
            self._episodes = 0
        self.episode = Episode(self.course, self._seed, self._episodes)
        self._episodes += 1
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, Info] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self.agent_selection = AGENTS[self.episode.state.to_act]
        self._is_settled = False
        self._show()

    def step(self, action: int | None) -> None:
        """Plays the action of `agent_selection`; a terminated agent's must be None.

        Raises:
            IllegalActionError: The action is not legal; the message names the rule.
            TongitsError: There is no action of that code.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(ACTIONS):
            raise TongitsError(
                f"step({action!r}) of {agent}: an action is a code from 0 to {len(ACTIONS) - 1}; "
                "action_mask has 1 at those that are legal"
            )
        gains, results = self.episode.play(ACTIONS[action])
        self._cumulative_rewards[agent] = 0
        if self._is_settled:
            self._clear_rewards()
            self.infos = {agent: {} for agent in AGENTS}
        self._is_settled = gains is not None
        if gains is not None:
            self._settle(gains, [_told(result) for result in results])
        self.agent_selection = AGENTS[self.episode.state.to_act]
        self._show()

    def observe(self, agent: str) -> Seen:
        """What an agent sees: `observation` and `action_mask`, all 0 where it is not to act."""
        seen = self.view(agent)
        return {
            "observation": encode(seen, self.episode),
            "action_mask": encode_legal(seen.legal),
        }

    def view(self, agent: str) -> Observation:
        """The same as a value of the engine, for features made by hand."""
        return self.episode.seen_by(AGENTS.index(agent))

    def render(self) -> str | None:
        """The table with all hands up: printed, or given as a text."""
        if self.render_mode is None:
            return None
        from tongits_harness.cli.table_view import draw_table

        episode = self.episode
        lines = draw_table(episode.state, AGENTS, viewer=None, pot=episode.table.pot)
        text = "\n".join(lines)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")  # noqa: T201  # what render_mode "human" asks for
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _settle(self, gains: Triple, results: list[dict[str, object]]) -> None:
        self.rewards = dict(zip(AGENTS, gains, strict=True))
        self._accumulate_rewards()
        self.infos = {agent: {"results": results} for agent in AGENTS}
        if self.episode.is_over:
            self.terminations = dict.fromkeys(AGENTS, True)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _told(result: GameResult) -> dict[str, object]:
    """What everybody at the table learns of the end of a game, but for the hands it shows."""
    return {
        "termination": result.termination.text,
        "winner": result.winner,
        "payments": list(result.payments),
    }
