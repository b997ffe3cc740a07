"""The pure parts of planner: chances counted out by hand, and what it is worth to win."""

import importlib
import sys
from itertools import combinations

import pytest
from tongits_bot import Phase, parse_card, parse_cards
from tongits_bot.testing import make_game, make_view

from tests.bots.games import load_decide
from tests.bots.scripted_table import SAMPLE_BOTS


@pytest.fixture(scope="module")
def part():
    """A module of the bot by the end of its name."""
    folder = str(SAMPLE_BOTS / "python" / "planner")
    sys.path.insert(0, folder)
    yield lambda name: importlib.import_module(f"planner_{name}")
    sys.path.remove(folder)


@pytest.mark.parametrize("draws", [0, 1, 2, 3])
def test_the_expected_saving_is_the_mean_over_all_draws(part, draws):
    saved, hidden = [9.0, 4.0, 4.0], 7
    worth = [*saved, 0.0, 0.0, 0.0, 0.0]
    hands = list(combinations(worth, draws))
    mean = sum(max(hand, default=0.0) for hand in hands) / len(hands)
    assert part("cards").expected_saving(saved, hidden, draws) == pytest.approx(mean)


def test_savings_are_those_of_exact_deadwood(part):
    hand, helpful = parse_cards("4H 5H 9C 9D KS"), list(parse_cards("3H 6H 9S 2C"))
    saved = part("cards").savings(hand, helpful, runs=True, extra=0.0)
    assert saved == [9, 9, 18]
    assert part("cards").savings(hand, helpful, runs=False, extra=5.0) == [23.0]


def test_the_danger_of_a_discard_is_the_chance_of_a_pair_in_the_next_hand(part):
    hidden = set(parse_cards("5C 5D 7H 8H KC KD QS AC"))
    view = make_view("6H 2C 5S", ["discard 5S", "discard 6H"], hand_sizes=(3, 2, 5))
    five, six = parse_card("5S"), parse_card("6H")
    assert part("cards").chance_taken(view, five, hidden) == pytest.approx(1 / 28)
    assert part("cards").chance_taken(view, six, hidden) == pytest.approx(1 / 28)
    assert len(part("cards").pairs_with(six, hidden, runs=False)) == 0


def test_a_card_that_melds_is_known(part):
    hand = parse_cards("4H 5H 9C 9D AC KC")
    made = [card for card in range(52) if part("cards").makes_meld(card, hand, runs=True)]
    assert set(parse_cards("3H 6H 9H 9S")) <= set(made)
    assert not set(parse_cards("2C 2H QC 7H")) & set(made)


@pytest.mark.parametrize("rules", ["runs", "sets"])
def test_more_cards_and_fewer_own_points_make_it_less_likely_that_they_are_beaten(part, rules):
    parameters = {} if rules == "runs" else {"meld.runs": False}
    odds, game = part("odds"), make_game(parameters=parameters)

    def chance(mine, cards):
        view = make_view("5C 8D JD", ["draw", "call"], game=game, hand_sizes=(3, cards, 5))
        return odds.chance_of_at_most(view, 1, mine, odds.hidden_cards(view))

    by_points = [chance(mine, 6) for mine in (2, 10, 30, 60)]
    by_cards = [chance(20, cards) for cards in (2, 5, 9, 12)]
    assert by_points == sorted(by_points)
    assert by_cards == sorted(by_cards, reverse=True)
    assert 0 < by_points[0] < 0.1 < 0.9 < by_points[-1] < 1


def test_heavy_cards_unseen_make_heavy_hands_likely(part):
    odds = part("odds")
    light = make_view("5C 8D JD", ["draw", "call"], discards="KC KD KH KS QC QD QH QS")
    heavy = make_view("5C 8D JD", ["draw", "call"], discards="AC AD AH AS 2C 2D 2H 2S")
    chances = [odds.chance_of_at_most(v, 1, 30, odds.hidden_cards(v)) for v in (light, heavy)]
    assert chances[0] > chances[1]


def test_a_second_win_is_worth_the_pot(part):
    def worth(streaks):
        game = make_game()
        game.streaks = streaks
        stakes = part("stakes").Stakes(make_view("5C 8D", ["draw", "call"], game=game))
        return stakes.won(), stakes.lost(1)

    first, second, theirs = worth((0, 0, 0)), worth((1, 0, 0)), worth((0, 1, 0))
    assert second[0] == 6 + 2 + 2  # the pot, a chip from each, and both are burned
    assert second[0] > first[0] > theirs[0]
    assert theirs[1] < second[1]


def test_aces_and_sets_are_counted_where_they_are_paid(part):
    hand = "AC 7C 7D 7H"
    legal, melds = ["draw", "call"], ["0: 2C 2D 2H"]
    lite, sets = make_game(), make_game(parameters={"score.set_bonus_scope": "all_sets"})
    without, with_sets = (
        part("stakes").Stakes(make_view(hand, legal, game=game, melds=melds)).won()
        for game in (lite, sets)
    )
    assert with_sets - without == 2 * 2 * 3
    no_ace = part("stakes").Stakes(make_view(hand[3:], legal, game=lite, melds=melds)).won()
    assert without - no_ace == 2


def test_points_that_are_announced_decide_whether_to_contest():
    def answer(announced):
        view = make_view(
            "9C TD JD", ["challenge", "fold"], phase=Phase.RESPOND,
            melds=["0: 2C 2D 2H", "1: 3C 3D 3H"], caller=1,
        )  # fmt: skip
        view._message.caller_points = announced
        return str(load_decide("planner")(view))

    assert (answer(29), answer(28)) == ("challenge", "fold")


def test_a_hand_without_a_meld_keeps_what_may_become_one():
    hand = "KC KD 9H 7S 5D"
    view = make_view(hand, [f"discard {card}" for card in hand.split()], stock_size=14)
    assert str(load_decide("planner")(view)) == "discard 9H"
