"""The bot that was trained: it plays as it did in training, and training does teach it."""

import importlib
import random
import sys
from pathlib import Path

import pytest
from tongits_bot import Game, View
from tongits_bot.testing import read_views
from tongits_harness.rl import raw_env

from tests.bots.games import VARIANTS, chips_per_game, load_decide, observation, started
from tests.bots.scripted_table import SAMPLE_BOTS

FOLDER = SAMPLE_BOTS / "python" / "learner"
CORPUS = SAMPLE_BOTS / "corpus" / "observations.jsonl"
MODULES = ("learner_bot", "learner_features", "train", "curve")


@pytest.fixture
def program(monkeypatch):
    """A module of the bot's folder by name, as a program there has it."""
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])
    yield importlib.import_module
    for name in MODULES:
        sys.modules.pop(name, None)


def trained(train, bot, rules):
    """A learner of `train.py` with the weights of the bot."""
    learner = train.Learner(raw_env(rules), seed=1)
    learner.weights[:] = bot.WEIGHTS["runs" if learner.runs else "no runs"]
    return learner


@pytest.mark.parametrize("variant", VARIANTS)
def test_in_training_and_seated_it_chooses_the_same_action(program, variant):
    bot, train = program("learner_bot"), program("train")
    learner = trained(train, bot, variant)
    table, chance = learner.table, random.Random(1)
    game, compared = Game(started(table.course.rules)), 0
    for seed in range(25):
        table.reset(seed=seed)
        while not table.episode.is_over:
            seen = table.view(table.agent_selection)
            place = learner.best(seen)
            view = View(observation(table.episode.state, seen.seat), game)
            assert view.legal.index(bot.decide(view)) == place
            compared += 1
            wild = chance.random() < 0.3
            action = chance.choice(seen.legal) if wild else seen.legal[place]
            table.step(action.code)
    assert compared > 300


def test_it_answers_all_that_a_bot_may_be_asked(program):
    bot = program("learner_bot")
    for name, view in read_views(CORPUS):
        assert bot.decide(view) in view.legal, name


def test_some_hundred_games_of_self_play_beat_random(program):
    train = program("train")
    points = [point for point, _ in train.curve("tongits-lite", games=240, seed=3)]
    assert [point.games for point in points] == [0, 160, 240]
    assert points[0].chips < 1 < points[-1].chips - 4 * points[-1].error


def test_training_again_gives_the_same_weights(program, tmp_path):
    train = program("train")
    files = [tmp_path / "one.json", tmp_path / "other.json"]
    for file in files:
        *_, (_, learner) = train.training("sa-tong", games=80, seed=2)
        train.save(learner, file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert Path(files[0]).read_text().startswith('{\n "no runs": {\n  "take": {')


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_wins_against_random_and_greedy(variant):
    trio = [load_decide(name) for name in ("random", "greedy", "learner")]
    weak, middle, strong = chips_per_game(variant, trio, 25)
    assert weak < middle < strong


def test_the_curve_is_drawn_over_all_seeds(program):
    curve, train = program("curve"), program("train")
    runs = [[train.Point(0, 0.0, -1.0, 0.1), train.Point(80, 0.5, 3.0 + n, 0.1)] for n in range(2)]
    assert curve.table(runs).splitlines()[-1] == "| 80 | 0.50 | +3.50 | +3.00 | +4.00 |"
    assert 'class="band"' in curve.drawing(runs)
