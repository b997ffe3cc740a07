"""Three lost matches running suspend; which match finished first decides nothing."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tongits_harness.play.schedule import round_robin
from tongits_harness.results.match_result import SeatOutcome, settle_match
from tongits_harness.results.suspension import LiveMatches, counted, suspended_after

from tests.harness.results.builders import match_plan

TRIO = ("ana", "ben", "cy")


def result(index, lost=(), entrants=TRIO):
    plan = match_plan(index, entrants)
    seats = (
        SeatOutcome(name, chips=0, games=1, forfeited=False, process_lost=name in lost)
        for name in plan.entrants
    )
    return settle_match(plan, seats)


def test_three_lost_matches_running_suspend_and_the_third_still_counts():
    matches = [result(i, ["ben"]) for i in range(5)]
    assert suspended_after(matches) == {"ben": 2}
    assert [m.index for m in counted(matches)] == [0, 1, 2]


def test_a_match_without_loss_ends_the_streak():
    matches = [result(i, ["ben"] if i != 2 else []) for i in range(5)]
    assert suspended_after(matches) == {}


def test_only_the_entrants_own_matches_make_its_streak():
    others = ("ana", "cy", "dee")
    matches = [
        result(0, ["ben"]),
        result(1, [], others),
        result(2, ["ben"]),
        result(3, [], others),
        result(4, ["ben"]),
        result(5, [], others),
        result(6),
    ]
    assert suspended_after(matches) == {"ben": 4}
    assert [m.index for m in counted(matches)] == [0, 1, 2, 3, 4, 5]


def test_a_match_that_does_not_count_touches_nobody_elses_streak():
    with_cy = ("cy", "dee", "eve")
    matches = [
        *(result(i, ["ben"]) for i in range(3)),
        result(3, ["cy"], with_cy),
        result(4, ["cy"], with_cy),
        result(5, ["cy"]),
        result(6, [], with_cy),
        result(7, ["cy"], with_cy),
    ]
    assert suspended_after(matches) == {"ben": 2}
    without = [m for m in matches if m.index != 5]
    assert suspended_after(without) == suspended_after(matches)
    assert counted(without) == counted(matches)


def test_two_can_be_suspended_by_one_match():
    matches = [result(i, ["ana", "cy"]) for i in range(3)]
    assert suspended_after(matches) == {"ana": 2, "cy": 2}


def test_the_order_in_which_matches_are_given_changes_nothing():
    matches = [result(i, ["ben"]) for i in range(5)]
    assert suspended_after(reversed(matches)) == suspended_after(matches)


def test_a_late_match_holds_back_the_decision():
    plans = [match_plan(i) for i in range(5)]
    live = LiveMatches(plans)
    for index in (0, 2, 3):
        live.add(result(index, ["ben"]))
    assert live.suspended == {}
    assert [m.index for m in live.add(result(1, ["ben"]))] == [1, 2]
    assert live.suspended == {"ben": 2}
    assert [live.is_barred(plan) for plan in plans] == [False, False, False, True, True]


def test_matches_that_will_not_be_played_hold_nothing_back():
    plans = [*(match_plan(i) for i in range(4)), match_plan(4, ("ana", "cy", "dee"))]
    live = LiveMatches(plans)
    for index in range(3):
        live.add(result(index, ["ben"]))
    assert [m.index for m in live.add(result(4, [], ("ana", "cy", "dee")))] == [4]


PLANS = tuple(round_robin("cup", ["ana", "ben", "cy", "dee"], 4))


@st.composite
def courses(draw):
    losses = [draw(st.sets(st.sampled_from(plan.entrants), max_size=2)) for plan in PLANS]
    return [result(p.index, lost, p.entrants) for p, lost in zip(PLANS, losses, strict=True)]


@settings(max_examples=25, deadline=None)
@given(courses(), st.randoms(use_true_random=False))
def test_live_and_stored_decisions_agree_whatever_finishes_first(matches, chance):
    live = LiveMatches(PLANS)
    order = list(matches)
    chance.shuffle(order)
    settled = []
    for match in order:
        if not live.is_barred(PLANS[match.index]) or chance.random() < 0.5:
            settled += live.add(match)
    assert tuple(settled) == counted(matches)
    assert live.suspended == suspended_after(matches)
