"""Learns the weights of `policy.json` by self-play: policy gradient, numpy only, minutes on a CPU.

    python train.py --rules tongits-lite --games 6400 --seed 1 --save policy.json

All three seats play by the same weights, choosing an action with a probability that grows with its
score. After each batch of games the weights move towards what was chosen where chips were won, and
away from it where they were lost (REINFORCE: Williams, "Simple statistical gradient-following
algorithms for connectionist reinforcement learning", 1992), with a linear estimate of the chips to
come as baseline and steps by Adam (Kingma and Ba, 2015). The bot `random` is met only to be
measured against. Needs `pip install 'tongits-arena[rl]'`.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from learner_features import BLOCKS, SIZE, blocks
from numpy.typing import NDArray
from tongits_engine import Observation
from tongits_harness.rl import AGENTS, TongitsEnv, raw_env

Numbers = NDArray[np.float64]
Choose = Callable[[Observation], int]
BATCH = 80
"""Games before the weights move."""
RATE = 0.1
DECKS = 100
"""Decks that the learner is measured on, at each of the three seats."""
TEST_SEED = 1_000_003
POINTS = (0, 160, 400, 800, 1600, 3200, 6400, 12800)
"""Games after which the learner is measured; multiples of the batch."""
BASELINE = 9


class Decision(NamedTuple):
    """One choice made in training."""

    seat: int
    state: Numbers
    """What the baseline sees."""
    direction: Numbers
    """Along which the chosen action becomes more probable."""


class Learner:
    """Weights, and how they move."""

    def __init__(self, table: TongitsEnv, seed: int) -> None:
        self.table = table
        self.runs = table.course.rules.meld_runs
        self.weights = np.zeros(SIZE)
        self.chance = np.random.default_rng(seed)
        self._baseline = np.zeros(BASELINE)
        self._mean, self._square, self._steps = np.zeros(SIZE), np.zeros(SIZE), 0

    def features(self, seen: Observation) -> Numbers:
        """A row of numbers for every legal action."""
        rows = np.zeros((len(seen.legal), SIZE))
        for row, (start, numbers) in zip(rows, blocks(seen, runs=self.runs), strict=True):
            row[start : start + len(numbers)] = numbers
        return rows

    def best(self, seen: Observation) -> int:
        """The place of the action with the highest score: how the seated bot plays."""
        return int(np.argmax(self.features(seen) @ self.weights))

    def learn(self, seeds: range, rate: float) -> None:
        """Plays a batch of games against itself and moves the weights once."""
        decisions, chips = [], []
        for seed in seeds:
            made, paid = self._play(seed)
            decisions += made
            chips += [paid[decision.seat] for decision in made]
        states = np.array([decision.state for decision in decisions])
        surprise = np.array(chips) - states @ self._baseline
        directions = np.array([decision.direction for decision in decisions])
        self._climb(surprise @ directions / len(seeds), rate)
        fit, *_ = np.linalg.lstsq(states, np.array(chips, dtype=float), rcond=None)
        self._baseline += 0.1 * (fit - self._baseline)

    def _play(self, seed: int) -> tuple[list[Decision], list[float]]:
        table, made = self.table, []
        table.reset(seed=seed)
        paid = [0.0, 0.0, 0.0]
        for agent in table.agent_iter():
            _, reward, is_over, _, _ = table.last(observe=False)
            seat = AGENTS.index(agent)
            paid[seat] += reward
            if is_over:
                table.step(None)
                continue
            seen = table.view(agent)
            rows = self.features(seen)
            odds = softmax(rows @ self.weights)
            place = int(self.chance.choice(len(odds), p=odds))
            made.append(Decision(seat, baseline_view(seen), rows[place] - odds @ rows))
            table.step(seen.legal[place].code)
        return made, paid

    def _climb(self, gradient: Numbers, rate: float) -> None:
        self._steps += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = 0.99 * self._square + 0.01 * gradient**2
        mean = self._mean / (1 - 0.9**self._steps)
        square = self._square / (1 - 0.99**self._steps)
        self.weights += rate * mean / (np.sqrt(square) + 1e-8)


def softmax(scores: Numbers) -> Numbers:
    """Probabilities that grow with the scores."""
    powers = np.exp(scores - scores.max())
    odds: Numbers = powers / powers.sum()
    return odds


def baseline_view(seen: Observation) -> Numbers:
    """The few numbers from which the chips to come are estimated."""
    seat, sizes = seen.seat, seen.hand_sizes
    others = [(seat + 1) % 3, (seat + 2) % 3]
    return np.array(
        [
            1.0,
            sizes[seat] / 10,
            min(sizes[other] for other in others) / 10,
            float(seen.opened[seat]),
            float(seen.opened[others[0]]),
            float(seen.opened[others[1]]),
            seen.stock_size / 30,
            float(seen.phase == 3),  # RESPOND
            sum([min(card // 4 + 1, 10) for card in seen.hand]) / 100,
        ]
    )


def chips_against_random(learner: Learner) -> tuple[float, float]:
    """Chips a game against two random players, and the standard error over the decks."""
    chance = random.Random(TEST_SEED)

    def at_random(seen: Observation) -> int:
        return chance.randrange(len(seen.legal))

    per_deck = []
    for seed in range(TEST_SEED, TEST_SEED + DECKS):
        won = [_chips(learner, seat, at_random, seed) for seat in range(3)]
        per_deck.append(sum(won) / 3)
    return float(np.mean(per_deck)), float(np.std(per_deck, ddof=1) / len(per_deck) ** 0.5)


def _chips(learner: Learner, seat: int, others: Choose, seed: int) -> float:
    table = learner.table
    table.reset(seed=seed)
    episode = table.episode
    while not episode.is_over:
        seen = episode.seen_by(episode.state.to_act)
        choose = learner.best if seen.seat == seat else others
        episode.play(seen.legal[choose(seen)])
    return episode.table.chips[seat]


def training(rules: str, games: int, seed: int) -> Iterator[tuple[int, Learner]]:
    """The learner before its training, at the `POINTS` on the way, and after it."""
    learner = Learner(raw_env(rules), seed)
    yield 0, learner
    for before in range(0, games, BATCH):
        first = seed * 10**9 + before
        learner.learn(range(first, first + BATCH), RATE * (1 - 0.9 * before / games))
        if before + BATCH in POINTS or before + BATCH >= games:
            yield before + BATCH, learner


class Point(NamedTuple):
    """The learner measured."""

    games: int
    minutes: float
    """Of CPU time spent on learning so far."""
    chips: float
    """Won a game against two random players."""
    error: float
    """Standard error of the chips."""


def curve(rules: str, games: int, seed: int) -> Iterator[tuple[Point, Learner]]:
    """The learner and what it is worth, at every point of its training."""
    spent, start = 0.0, time.process_time()
    for played, learner in training(rules, games, seed):
        spent += time.process_time() - start
        yield Point(played, spent / 60, *chips_against_random(learner)), learner
        start = time.process_time()


def save(learner: Learner, file: Path) -> None:
    """Puts the weights into the file, beside those for other rules."""
    policies = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    weights = iter(learner.weights)
    policies["runs" if learner.runs else "no runs"] = {
        block: {name: round(float(next(weights)), 4) for name in names}
        for block, names in BLOCKS.items()
    }
    file.write_text(json.dumps(policies, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Trains, printing a line of the learning curve at each point."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rules", default="tongits-lite")
    parser.add_argument("--games", type=int, default=6400, help="games of self-play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="file for the weights, JSON")
    asked = parser.parse_args()
    print("games  CPU minutes  chips a game against two random players")
    for point, learner in curve(asked.rules, asked.games, asked.seed):
        games, minutes, chips, error = point
        print(f"{games:6d}  {minutes:10.2f}  {chips:+.2f} +- {error:.2f}", flush=True)
        if asked.save:
            save(learner, asked.save)


if __name__ == "__main__":
    main()
