"""Formats whose matches do not depend on results: the gauntlet, and taking up any schedule."""

from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_harness.play.formats import Format, Schedule
from tongits_harness.play.formats.gauntlet import gauntlet, matches_in_pass
from tongits_harness.play.schedule import match_key, round_robin

SIZES = st.tuples(st.integers(2, 9), st.integers(1, 4), st.integers(1, 3))


def names(count, letter="f"):
    return [f"{letter}{number}" for number in range(count)]


@given(SIZES)
def test_every_match_of_a_gauntlet_holds_one_challenger_and_two_of_the_field(sizes):
    field, challengers = names(sizes[0]), names(sizes[1], "c")
    length = matches_in_pass(*sizes[:2])
    matches = list(islice(gauntlet("cup", field + challengers, challengers), length * sizes[2]))

    assert all(len(set(match.entrants) & set(challengers)) == 1 for match in matches)
    wanted = {tuple(sorted((c, *two))) for c in challengers for two in combinations(field, 2)}
    for number in range(sizes[2]):
        one_pass = matches[number * length : (number + 1) * length]
        assert {match.entrants for match in one_pass} == wanted
        assert {match.round for match in one_pass} == {number}
    assert len({match.key for match in matches}) == len(matches)
    assert [match.index for match in matches] == list(range(len(matches)))


@given(SIZES)
def test_a_gauntlet_keeps_challengers_within_one_and_the_field_level(sizes):
    field, challengers = names(sizes[0]), names(sizes[1], "c")
    length = matches_in_pass(*sizes[:2])
    played = Counter(dict.fromkeys(field + challengers, 0))
    for match in islice(gauntlet("cup", field + challengers, challengers), 2 * length):
        played.update(match.entrants)
        own = [played[name] for name in challengers]
        others = [played[name] for name in field]
        assert max(own) - min(own) <= 1
        assert max(others) - min(others) <= 2 * len(challengers)
    assert len({played[name] for name in field}) == 1


def test_the_order_of_names_changes_no_gauntlet():
    forward = list(islice(gauntlet("cup", ["a", "b", "c", "d", "e"], ["b", "e"]), 20))
    assert list(islice(gauntlet("cup", ["e", "c", "d", "b", "a"], ["e", "b"]), 20)) == forward


def test_keys_of_a_gauntlet_are_those_of_any_format():
    (match,) = islice(gauntlet("cup", ["x", "y", "z"], ["y"]), 1)
    assert match.key == match_key("cup", ("x", "y", "z"), 0)


@pytest.mark.parametrize(
    ("entrants", "challengers"), [("abc", "d"), ("abc", ""), ("abc", "ab"), ("ab", "a")]
)
def test_a_gauntlet_without_challengers_or_field_is_refused(entrants, challengers):
    with pytest.raises(ValueError, match="a gauntlet needs"):
        next(gauntlet("cup", list(entrants), list(challengers)))


@given(count=st.integers(3, 8), first=st.integers(0, 200), is_gauntlet=st.booleans())
def test_a_schedule_can_be_taken_up_at_any_match(count, first, is_gauntlet):
    played = Format("gauntlet", ("f0",)) if is_gauntlet else Format()
    schedule = Schedule("cup", tuple(names(count)), played, matches=150)
    whole = list(schedule.plans())
    assert len(whole) == 150
    assert list(schedule.plans(first)) == whole[first:]


@pytest.mark.parametrize(("count", "first"), [(3, 7), (5, 33), (12, 219), (12, 220), (12, 221)])
def test_a_round_robin_taken_up_is_the_rest_of_the_whole(count, first):
    whole = list(round_robin("cup", names(count), 3))
    assert list(round_robin("cup", names(count), 3, first)) == whole[first:]
