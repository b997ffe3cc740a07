"""The sample bots: legal, alike every time, of rising strength, and what each of them is about."""

import tomllib
from random import Random

import pytest
from tongits.v1 import table_pb2 as pb2
from tongits_bot import Game, Phase, View
from tongits_bot.testing import make_game, make_view
from tongits_engine import rules_named

from tests.bots.games import (
    BOTS,
    VARIANTS,
    chips_per_game,
    decisions_of,
    decks,
    load_decide,
    play,
    started,
)
from tests.bots.scripted_table import LIMIT_S, SAMPLE_BOTS, ScriptedTable, start_bot

DEALS = 25
"""Enough for the order to hold with room to spare; decks are fixed, so the outcome is too."""


@pytest.mark.parametrize("variant", [*VARIANTS, "sa-tong-literal", "ngalimba"])
@pytest.mark.parametrize("name", BOTS)
def test_every_answer_is_legal_whatever_the_others_play(name, variant):
    decide = load_decide(name)
    wild = Random(2)
    others = [lambda view: wild.choice(view.legal)] * 2
    for deck in decks(8, seed=3):
        play(rules_named(variant), deck, 1, [decide, *others])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", BOTS)
def test_the_same_view_gets_the_same_answer_in_any_order_of_asking(name, variant):
    decide = load_decide(name)
    found = decisions_of(name, variant, games=2)
    assert len(found) > 15
    for observation, answer in reversed(found):
        game = Game(started(rules_named(variant), observation.seat))
        assert decide(View(observation, game)) == answer


@pytest.mark.process
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", [*BOTS, "learner"])
def test_a_fresh_process_gives_the_same_answers(name, variant):
    found = decisions_of(name, variant, games=2)
    folder = SAMPLE_BOTS / "python" / name
    run = tomllib.loads((folder / "bot.toml").read_text())["run"]
    rules = rules_named(variant)
    with ScriptedTable() as table, start_bot(run, table.address, cwd=folder) as process:
        table.welcome()
        games = [started(rules, seat, game_id=f"seat {seat}") for seat in range(3)]
        table.send(pb2.TableMessage(started=games, requests=requests(found)))
        answers = table.answers(len(found))
        table.end()
        _, err = process.communicate(timeout=LIMIT_S)
    assert (process.returncode, err) == (0, "")
    assert [answer.decision_id for answer in answers] == list(range(len(found)))
    for (observation, expected), answer in zip(found, answers, strict=True):
        chosen = observation.legal[answer.index]
        assert (chosen.kind, chosen.cards, chosen.meld) == expected


def requests(found):
    return [
        pb2.DecisionRequest(
            decision_id=number,
            game_id=f"seat {observation.seat}",
            time_left_us=1_000_000,
            observation=observation,
        )
        for number, (observation, _) in enumerate(found)
    ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_strength_rises_from_bot_to_bot(variant):
    trio = ("random", "greedy", "caller")
    weak, middle, strong = chips_per_game(variant, [load_decide(name) for name in trio], DEALS)
    assert weak < middle < strong


def chosen(name, view):
    return str(load_decide(name)(view))


def test_greedy_takes_a_discard_that_melds():
    view = make_view("4H 5H 9C KD", ["draw", "take 4H 5H 6H"], phase=Phase.START, discards="6H")
    assert chosen("greedy", view) == "take 4H 5H 6H"


def test_greedy_keeps_a_meld_when_it_discards():
    view = make_view("KC KD KH 9C 2S", ["discard 2S", "discard 9C", "discard KC"])
    assert chosen("greedy", view) == "discard 9C"


@pytest.mark.parametrize("name", ["cautious", "caller", "planner"])
def test_an_opened_hand_holds_its_other_melds(name):
    hand = "7C 7D 7H 9S JD QS"
    legal = ["expose 7C 7D 7H", *(f"discard {card}" for card in hand.split())]
    view = make_view(hand, legal, melds=["0: 2C 2D 2H"])
    assert chosen(name, view).startswith("discard")
    assert chosen(name, make_view(hand, legal)) == "expose 7C 7D 7H"


@pytest.mark.parametrize("name", ["cautious", "caller", "planner"])
def test_melds_are_put_down_when_that_ends_the_game(name):
    hand = "7C 7D 7H 9S"
    legal = ["expose 7C 7D 7H", *(f"discard {card}" for card in hand.split())]
    assert chosen(name, make_view(hand, legal, melds=["0: 2C 2D 2H"])) == "expose 7C 7D 7H"


@pytest.mark.parametrize("name", ["cautious", "caller", "planner"])
def test_melds_are_put_down_where_held_ones_count(name):
    hand = "7C 7D 7H 9S JD QS"
    legal = ["expose 7C 7D 7H", *(f"discard {card}" for card in hand.split())]
    game = make_game(parameters={"deadwood.held_melds_free": False})
    view = make_view(hand, legal, game=game, melds=["0: 2C 2D 2H"])
    assert chosen(name, view) == "expose 7C 7D 7H"


@pytest.mark.parametrize("name", ["caller", "planner"])
def test_a_call_that_nobody_may_contest_is_made(name):
    hand = "5C 8D JD QS"
    view = make_view(hand, ["draw", "call"], phase=Phase.START, melds=["0: 2C 2D 2H"])
    assert chosen(name, view) == "call"


@pytest.mark.parametrize("name", ["caller", "planner"])
def test_no_call_is_made_against_a_hand_that_is_likely_lighter(name):
    view = make_view(
        "8C 9D JD QS KD",
        ["draw", "call"],
        phase=Phase.START,
        melds=["0: 2C 2D 2H", "1: 3C 3D 3H"],
        hand_sizes=(5, 2, 12),
        stock_size=3,
    )
    assert chosen(name, view) == "draw"


@pytest.mark.parametrize("name", BOTS[1:])
def test_a_call_is_contested_with_a_light_hand_and_not_with_a_heavy_one(name):
    def answer(hand):
        melds = ["0: 2C 2D 2H", "1: 3C 3D 3H"]
        legal = ["challenge", "fold"]
        return chosen(name, make_view(hand, legal, phase=Phase.RESPOND, melds=melds, caller=1))

    assert answer("AC 4D") == "challenge"
    assert answer("9C TC TD JH JS QC QD KH KS") == "fold"
