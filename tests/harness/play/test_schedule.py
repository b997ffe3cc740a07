"""The schedule: every triple once a round, everybody level at every moment."""

import hashlib
import re
from collections import Counter
from itertools import combinations, islice

import pytest
from tongits_harness.play.plan import SEATINGS, sessions_of
from tongits_harness.play.schedule import match_key, matches_in_round, round_robin


def names(count):
    return [f"bot-{number:02}" for number in range(count)]


def check_round(count):
    """One round of so many entrants: all triples, level all the way, equal at the end."""
    counts = Counter(dict.fromkeys(names(count), 0))
    triples = set()
    for match in round_robin("cup", names(count), 1):
        triples.add(match.entrants)
        counts.update(match.entrants)
        assert max(counts.values()) - min(counts.values()) <= 2, match
    assert triples == set(combinations(names(count), 3))
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize("count", [*range(3, 22), 24, 30])
def test_a_round_has_every_triple_once_and_keeps_entrants_within_two(count):
    check_round(count)


@pytest.mark.soak
@pytest.mark.parametrize("count", [22, 23, *range(25, 30), *range(31, 41)])
def test_a_large_round_has_every_triple_once_and_keeps_entrants_within_two(count):
    check_round(count)


def test_the_beginning_of_the_largest_round_is_level_too():
    counts = Counter(dict.fromkeys(names(40), 0))
    for match in islice(round_robin("cup", names(40), 1), 1500):
        counts.update(match.entrants)
        assert max(counts.values()) - min(counts.values()) <= 2


@pytest.mark.parametrize("count", [4, 5, 7])
def test_entrants_stay_within_two_from_round_to_round(count):
    counts = Counter(dict.fromkeys(names(count), 0))
    matches = list(round_robin("cup", names(count), 3))
    for match in matches:
        counts.update(match.entrants)
        assert max(counts.values()) - min(counts.values()) <= 2
    assert len(matches) == 3 * matches_in_round(count)
    for number in range(3):
        in_round = [match.entrants for match in matches if match.round == number]
        assert sorted(in_round) == sorted(combinations(names(count), 3))


def test_matches_are_numbered_in_order_and_rounds_follow_each_other():
    matches = list(round_robin("cup", names(5), 2))
    assert [match.index for match in matches] == list(range(20))
    assert [match.round for match in matches] == [0] * 10 + [1] * 10


def test_the_order_of_naming_changes_nothing():
    forward = list(round_robin("cup", names(7), 2))
    assert list(round_robin("cup", names(7)[::-1], 2)) == forward


def test_the_entrants_of_a_match_are_in_sorted_order():
    for match in round_robin("cup", ["b", "C", "a", "Z"], 1):
        assert list(match.entrants) == sorted(match.entrants)


def test_more_rounds_are_a_longer_list_with_the_same_beginning():
    short = list(round_robin("cup", names(5), 1))
    assert list(islice(round_robin("cup", names(5), 9), len(short))) == short


def test_a_match_key_is_made_of_content_alone():
    keys = {match.entrants: match.key for match in round_robin("cup", names(6), 1)}
    for match in round_robin("cup", names(4), 1):
        assert match.key == keys[match.entrants]
    text = "tongits-match/1\0cup\0a\0b\0c\x004"
    assert match_key("cup", ("c", "a", "b"), 4) == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_keys_differ_by_tournament_triple_and_round():
    keys = {
        match_key(cup, triple, number)
        for cup in ("cup", "cup2")
        for triple in combinations(names(6), 3)
        for number in range(5)
    }
    assert len(keys) == 2 * 20 * 5
    assert all(re.fullmatch("[0-9a-f]{16}", key) for key in keys)


def test_nothing_is_worked_out_before_it_is_asked_for():
    assert next(round_robin("cup", names(200), 10_000_000)).index == 0


@pytest.mark.parametrize("entrants", [[], ["a"], ["a", "b"], ["a", "b", "a"], ["a", "b", "c", "c"]])
def test_fewer_than_three_or_two_of_one_name_are_refused(entrants):
    with pytest.raises(ValueError, match="at least three entrants of different names"):
        list(round_robin("cup", entrants, 1))


def test_no_rounds_are_no_matches():
    assert list(round_robin("cup", names(4), 0)) == []


@pytest.mark.parametrize("seatings", [1, 3, 6])
def test_every_seating_is_another_order_of_the_same_three(seatings):
    (match,) = round_robin("cup", ["x", "y", "z"], 1)
    sessions = sessions_of(match, seatings)
    assert [session.seating for session in sessions] == list(range(seatings))
    assert len({session.seats for session in sessions}) == seatings
    assert {tuple(sorted(session.seats)) for session in sessions} == {("x", "y", "z")}
    assert {session.match for session in sessions} == {match}


@pytest.mark.parametrize(("seatings", "each"), [(3, 1), (6, 2)])
def test_everybody_sits_in_every_seat_equally_often(seatings, each):
    for seat in range(3):
        assert Counter(order[seat] for order in SEATINGS[seatings]) == dict.fromkeys(range(3), each)


def test_six_seatings_let_everybody_follow_everybody_equally_often():
    follows = Counter(
        (order[seat], order[(seat + 1) % 3]) for order in SEATINGS[6] for seat in range(3)
    )
    assert set(follows.values()) == {3}
