"""Stages: what comes next is a function of the settings and the standing, within its bounds."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tongits_harness.play.formats import Format, Schedule, Stages
from tongits_harness.play.formats.informative import choose_stage
from tongits_harness.play.schedule import matches_in_round
from tongits_harness.results.fold import MatchFigures, Standing
from tongits_harness.results.match_result import EntrantOutcome, MatchResult
from tongits_harness.results.ratings import Rating

STRENGTHS = {"ana": 6, "ben": 4, "cy": 3.8, "dee": 0, "eve": -2, "flo": -5}
FIELDS = st.dictionaries(
    st.sampled_from([f"b{number}" for number in range(12)]),
    st.builds(Rating, st.floats(0, 50), st.floats(0.1, 8.3)),
    min_size=3,
)


def result(plan, chance, losers=()):
    """A match by strength and luck; whoever is among the losers loses its process."""
    luck = {name: STRENGTHS[name] + chance.gauss(0, 4) for name in plan.entrants}
    order = sorted(plan.entrants, key=lambda name: (name in losers, -luck[name]))
    chips = dict(zip(order, (2, 0, -2), strict=True))
    a, b, c = (
        EntrantOutcome(name, 1 + order.index(name), chips[name], 6, False, name in losers)
        for name in plan.entrants
    )
    return MatchFigures(MatchResult(plan.index, plan.key, plan.round, (a, b, c)), "full")


def play(schedule, seed=1, losers=()):
    """Stages to the end, and the standing then."""
    stages, standing = [], Standing(schedule.entrants, "seed")
    before, chance = Stages(), random.Random(seed)
    while True:
        stage = schedule.next_stage(before, standing)
        stages.append(stage)
        before.add(stage)
        if stage.ended:
            return stages, standing
        for plan in schedule.plans_of(stage):
            if not set(plan.entrants) & standing.suspended.keys():
                standing.add(result(plan, chance, losers))


def plans_of(stages, schedule):
    return [plan for stage in stages for plan in schedule.plans_of(stage)]


def informative(matches=200, **options):
    return Schedule("cup", tuple(STRENGTHS), Format("informative", **options), matches)


@given(FIELDS, st.integers(1, 40))
@settings(max_examples=60)
def test_a_stage_seats_entrants_lawfully_and_within_its_bounds(ratings, count):
    stage = choose_stage(ratings, count)

    assert len(stage) == count
    assert all(tuple(sorted(set(triple))) == triple for triple in stage)
    assert all(set(triple) <= ratings.keys() for triple in stage)
    even_share = -(-count // matches_in_round(len(ratings)))
    assert max(Counter(stage).values()) <= 2 * even_share
    if count >= len(ratings):
        assert {name for triple in stage for name in triple} == ratings.keys()
    assert choose_stage(dict(reversed(ratings.items())), count) == stage


def test_the_close_ones_meet_most_and_so_do_those_nobody_knows():
    known = {f"b{number}": Rating(10.0 * number, 1.0) for number in range(8)}
    close = known | {"b7": Rating(60.1, 1.0)}
    seats = Counter(name for triple in choose_stage(close, 12) for name in triple)
    assert min(seats["b6"], seats["b7"]) > max(seats[f"b{number}"] for number in range(6))

    new = known | {"b3": Rating(25.0, 8.0)}
    seats = Counter(name for triple in choose_stage(new, 12) for name in triple)
    assert seats["b3"] == max(seats.values())


def test_entrants_that_nobody_knows_yet_come_level():
    stage = choose_stage({f"b{number}": Rating() for number in range(9)}, 60)
    seats = Counter(name for triple in stage for name in triple)
    assert max(seats.values()) - min(seats.values()) <= 2


def test_two_entrants_make_no_match():
    with pytest.raises(ValueError, match="three entrants"):
        choose_stage({"a": Rating(), "b": Rating()}, 1)


def test_an_adaptive_tournament_ends_at_its_bound_with_no_key_twice():
    schedule = informative(stage=30)
    stages, _ = play(schedule)
    plans = plans_of(stages, schedule)
    assert list(schedule.plans_from(77, stages)) == plans[77:]
    assert [plan.index for plan in plans] == list(range(200))
    assert len({plan.key for plan in plans}) == 200
    assert [stage.matches for stage in stages] == [30] * 6 + [20, 0]
    assert stages[-1].ended == "every planned match was played"
    rounds = Counter()
    for plan in plans:
        assert plan.round == rounds[plan.entrants]
        rounds[plan.entrants] += 1


def test_the_same_results_give_the_same_stages_and_others_give_others():
    assert play(informative())[0] == play(informative())[0]
    assert play(informative())[0] != play(informative(), seed=2)[0]


def test_stages_can_be_taken_up_anywhere():
    stages, _ = play(informative(stage=30))
    whole = Stages(stages)
    for stop in range(len(stages)):
        half = Stages(stages[:stop])
        for stage in stages[stop:]:
            half.add(stage)
        assert vars(half) == vars(whole)
    with pytest.raises(ValueError, match="follows nothing"):
        half.add(stages[0])


def test_a_stage_seats_nobody_that_is_suspended():
    schedule = informative(stage=12)
    stages, standing = play(schedule, losers={"flo"})
    after = standing.suspended["flo"]
    later = plans_of([stage for stage in stages if stage.first > after], schedule)
    assert later
    assert not [plan for plan in later if "flo" in plan.entrants]


def test_it_ends_when_fewer_than_three_are_left():
    stages, _ = play(informative(stage=12), losers={"flo", "eve", "dee", "cy"})
    assert stages[-1].ended == "only 2 entrants are not suspended"


@pytest.mark.parametrize("name", ["round-robin", "gauntlet", "informative"])
def test_every_format_stops_early_at_a_stage_end_and_not_before(name):
    challengers = ("ana",) if name == "gauntlet" else ()
    played = Format(name, challengers, stage=30, until="p(ana>flo) > 0.99")
    schedule = Schedule("cup", tuple(STRENGTHS), played, 600)
    stages, _ = play(schedule)
    assert stages[-1].ended == "p(ana>flo) > 0.99 holds"
    assert 0 < stages[-1].first < 600
    assert {stage.matches for stage in stages[:-1]} == {30}
    if name != "informative":
        assert plans_of(stages, schedule) == list(schedule.plans())[: stages[-1].first]


def test_a_condition_that_never_comes_leaves_the_bound():
    played = Format(until="p(flo>ana) > 0.99", stage=50)
    stages, _ = play(Schedule("cup", tuple(STRENGTHS), played, 120))
    assert stages[-1].ended == "every planned match was played"


def test_a_condition_on_a_suspended_entrant_ends_the_tournament():
    played = Format(until="p(ana>flo) > 0.99", stage=20)
    stages, _ = play(Schedule("cup", tuple(STRENGTHS), played, 600), losers={"flo"})
    assert "cannot come any more: flo is suspended" in stages[-1].ended
