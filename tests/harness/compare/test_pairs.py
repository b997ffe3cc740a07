"""Who plays the pairs of a comparison, and on which shuffles."""

from itertools import islice

from tongits_harness.compare.pairs import all_pairs, pair_of, sessions

FIELD = ("random", "cautious", "caller", "planner")


def test_both_arms_have_the_same_shuffles_and_seats_but_no_entrant_in_common():
    new, old = pair_of(FIELD, 7).matches

    assert new.key == old.key
    assert (new.index, old.index) == (14, 15)
    assert not set(new.entrants) & set(old.entrants)
    assert [name.replace("new", "old") for name in new.entrants] == list(old.entrants)
    assert new.key != pair_of(FIELD, 8).matches[0].key


def test_every_two_of_the_field_take_turns_whatever_order_they_were_named_in():
    pairs = list(islice(all_pairs(FIELD, 0), 12))

    assert len({pair.others for pair in pairs[:6]}) == 6
    assert [pair.others for pair in pairs[:6]] == [pair.others for pair in pairs[6:]]
    assert pairs[5:] == list(islice(all_pairs(reversed(FIELD), 5), 7))


def test_whole_pairs_come_seating_by_seating_few_at_first():
    plans = list(islice(sessions(all_pairs(FIELD, 0), 6), 48 + 96))

    assert {plan.match.round for plan in plans[:48]} == set(range(4))
    assert {plan.match.round for plan in plans[48:]} == set(range(4, 12))
    assert [plan.seating for plan in plans[:48]] == [s for s in range(6) for _ in range(8)]
    assert len({(plan.match.index, plan.seating) for plan in plans}) == len(plans)
