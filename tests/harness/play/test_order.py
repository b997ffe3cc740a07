"""In which order sessions are seated, and what becomes of those that cannot be."""

from collections import Counter

import pytest
from tongits_harness.play.order import SessionQueue, session_order
from tongits_harness.play.schedule import round_robin

MATCHES = list(round_robin("cup", ["a", "b", "c", "d", "e"], 1))


def keys(sessions):
    return [(session.match.index, session.seating) for session in sessions]


def queue_of(count, *, barred=()):
    """A queue of the first sessions, one seating each; and what is barred, to be added to."""
    barred = set(barred)
    sessions = session_order(MATCHES[:count], 1, 64)
    return SessionQueue(sessions, lambda plan: plan.match.index in barred), barred


def drain(queue):
    taken = []
    while session := queue.take(lambda _: True):
        taken.append(session.match.index)
    return taken


def test_sessions_go_seating_by_seating_within_a_window_of_matches():
    order = keys(session_order(MATCHES[:5], 3, 2))
    first_window = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert order[:6] == first_window
    assert order[6:8] == [(2, 0), (3, 0)]
    assert order[-3:] == [(4, 0), (4, 1), (4, 2)]


@pytest.mark.parametrize("seatings", [1, 3, 6])
@pytest.mark.parametrize("window", [1, 3, 64])
def test_every_session_comes_once_whatever_the_window(seatings, window):
    order = keys(session_order(MATCHES, seatings, window))
    assert Counter(order) == Counter((m.index, s) for m in MATCHES for s in range(seatings))


def test_only_a_window_of_matches_is_drawn_ahead():
    drawn = []
    matches = (drawn.append(match.index) or match for match in MATCHES)
    order = session_order(matches, 6, 2)
    next(order)
    assert drawn == [0, 1]


def test_a_queue_gives_sessions_in_order():
    queue, _ = queue_of(4)
    assert drain(queue) == [0, 1, 2, 3]
    assert queue.is_empty


def test_a_session_that_cannot_be_seated_yet_is_overtaken_and_keeps_its_place():
    queue, _ = queue_of(4)
    assert queue.take(lambda plan: plan.match.index > 1).match.index == 2
    assert drain(queue) == [0, 1, 3]


def test_nothing_is_given_when_nothing_can_be_seated():
    queue, _ = queue_of(4)
    assert queue.take(lambda _: False) is None
    assert not queue.is_empty
    assert drain(queue) == [0, 1, 2, 3]


def test_a_void_session_is_the_next():
    queue, _ = queue_of(4)
    first, _ = queue.take(lambda _: True), queue.take(lambda _: True)
    queue.put_back(first)
    assert drain(queue) == [0, 2, 3]


def test_a_void_session_makes_a_drained_queue_go_on():
    queue, _ = queue_of(1)
    session = queue.take(lambda _: True)
    assert queue.is_empty
    queue.put_back(session)
    assert not queue.is_empty


def test_barred_sessions_are_never_given():
    queue, _ = queue_of(5, barred={0, 3})
    assert drain(queue) == [1, 2, 4]


def test_a_queue_of_barred_sessions_is_empty():
    queue, _ = queue_of(5, barred=range(5))
    assert queue.is_empty
    assert queue.take(lambda _: True) is None


def test_sessions_that_become_barred_while_near_are_forgotten():
    queue, barred = queue_of(5)
    queue.take(lambda plan: plan.match.index == 4)
    barred.update({1, 2})
    queue.drop_barred()
    assert drain(queue) == [0, 3]


def test_looking_ahead_is_bounded():
    many = list(round_robin("cup", [f"b{n}" for n in range(20)], 1))
    queue = SessionQueue(session_order(many, 1, 64), lambda _: False)
    looked = []
    assert queue.take(lambda plan: looked.append(plan.match.index)) is None
    assert 1 < len(looked) < len(many)
    assert not queue.is_empty
