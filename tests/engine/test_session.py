"""Dealer, pot, streaks and chips from game to game, with positions T21 and T55."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_engine import (
    GameResult,
    Table,
    Termination,
    close_game,
    close_session,
    open_game,
    rules_named,
)

from tests.engine.steady import steady


def won_by(winner, payments=(0, 0, 0)):
    """A result that only says who won and who paid."""
    return GameResult(
        termination=Termination.VOID if winner is None else Termination.STOCK_OUT,
        winner=winner,
        deadwood=(0, 0, 0),
        burned=(False, False, False),
        payments=payments,
        aces=0,
        bonus_sets=0,
        shown_hands=(None, None, None),
        shown_melds=(),
    )


def after(name, winners, overrides=None, dealer=0):
    """The table after games won by these seats, with the chips after each."""
    table = Table(rules_named(name, overrides), dealer)
    history = []
    for winner in winners:
        table = close_game(open_game(table), won_by(winner))
        history.append(table.chips)
    return table, history


NEXT_DEALERS = [
    ("T21 the lite winner deals next", "tongits-lite", {}, 0, 1, 1),
    ("T21 the lite winner deals next again", "tongits-lite", {}, 0, 2, 2),
    ("T21 in sa-tong the next seat deals, who won too", "sa-tong", {}, 0, 1, 1),
    ("T21 in sa-tong the next seat deals, whoever won", "sa-tong", {}, 0, 2, 1),
    ("in sa-tong seat 0 deals after seat 2", "sa-tong", {}, 2, 1, 0),
    ("in sa-tong-literal the seat before deals", "sa-tong-literal", {}, 0, 1, 2),
    ("after a void game the dealer deals again", "tongits-lite", {}, 2, None, 2),
    ("after a void sa-tong game too", "sa-tong", {}, 1, None, 1),
]


@pytest.mark.parametrize(
    ("name", "overrides", "dealer", "winner", "then"),
    [pytest.param(*row[1:], id=row[0]) for row in NEXT_DEALERS],
)
def test_who_deals_next(name, overrides, dealer, winner, then):
    table, _ = after(name, [winner], overrides, dealer)
    assert table.dealer == then


def test_t55_two_wins_running_take_the_pot_and_the_next_win_the_new_one():
    table, history = after("tongits-lite", [1, 2, 2, 2])
    assert history == [(-2, -2, -2), (-4, -4, -4), (-6, -6, 12), (-8, -8, 16)]
    assert (table.pot, table.streaks, table.games) == (0, (0, 0, 3), 4)


def test_after_a_reset_the_next_pot_takes_two_more_wins():
    table, history = after("tongits-lite", [2, 2, 2], {"pot.after_hit": "reset"})
    assert history[1:] == [(-4, -4, 8), (-6, -6, 6)]
    assert (table.pot, table.streaks) == (6, (0, 0, 1))


def test_a_void_game_leaves_its_antes_and_the_streaks():
    table, history = after("tongits-lite", [1, None, 1])
    assert history == [(-2, -2, -2), (-4, -4, -4), (-6, 12, -6)]
    assert table.pot == 0


def test_a_void_game_may_break_the_streaks():
    table, _ = after("tongits-lite", [1, None, 1], {"pot.void_hand": "break"})
    assert (table.pot, table.streaks) == (18, (0, 1, 0))


def test_losers_may_pay_the_ante_after_the_game():
    table, history = after("ngalimba", [1, None, 1])
    assert history == [(-1, 0, -1), (-1, 0, -1), (-2, 4, -2)]
    assert table.pot == 0


def test_the_pot_is_no_part_of_the_payments():
    table = open_game(Table(rules_named("tongits-lite"), 0))
    table = close_game(table, won_by(1, (-3, 7, -4)))
    assert (table.chips, table.pot) == ((-5, 5, -6), 6)


def test_a_pot_left_over_is_split():
    table, _ = after("tongits-lite", [1])
    assert close_session(table).chips == (0, 0, 0)
    uneven = Table(rules_named("ngalimba"), 0, pot=5, chips=(0, -5, 0))
    assert close_session(uneven).chips == (2, -3, 1)
    assert close_session(uneven).pot == 0


def test_a_pot_left_over_may_go_to_the_most_chips():
    rules = rules_named("tongits-lite", {"pot.match_end": "winner"})
    assert close_session(Table(rules, 0, pot=6, chips=(-8, 3, -1))).chips == (-8, 9, -1)
    assert close_session(Table(rules, 0, pot=6, chips=(-3, -3, 0))).chips == (-3, -3, 6)
    assert close_session(Table(rules, 0, pot=5, chips=(-1, -3, -1))).chips == (2, -3, 1)


@steady
@given(
    st.sampled_from(["tongits-lite", "sa-tong", "ngalimba", "chips-2-4-4"]),
    st.lists(st.sampled_from([0, 1, 2, None]), max_size=12),
    st.fixed_dictionaries(
        {
            "pot.ante": st.integers(0, 3),
            "pot.ante_payers": st.sampled_from(["all", "losers"]),
            "pot.streak": st.integers(1, 4),
            "pot.after_hit": st.sampled_from(["continue", "reset"]),
            "pot.void_hand": st.sampled_from(["keep", "break"]),
            "pot.match_end": st.sampled_from(["split", "winner"]),
        }
    ),
)
def test_chips_and_pot_always_sum_to_zero(name, winners, overrides):
    table, _ = after(name, winners, overrides)
    assert sum(table.chips) + table.pot == 0
    assert table.pot >= 0
    closed = close_session(table)
    assert sum(closed.chips) == 0
    assert closed.pot == 0
