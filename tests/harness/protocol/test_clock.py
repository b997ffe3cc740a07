"""First in, first out: what each answer is charged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_harness.protocol.clock import FifoClock

from tests.harness.protocol.random_play import bounded

CASES = [  # steps: (time, "ask", id, budget) | (time, "answer", ids) ; charges by id
    ("one answer is charged from its sending", [(0, "ask", 1), (7, "answer", [1])], {1: 7}),
    (
        "the second clock starts with the first answer",
        [(0, "ask", 1), (0, "ask", 2), (7, "answer", [1]), (9, "answer", [2])],
        {1: 7, 2: 2},
    ),
    (
        "a request sent later starts when it was sent",
        [(0, "ask", 1), (3, "answer", [1]), (10, "ask", 2), (14, "answer", [2])],
        {1: 3, 2: 4},
    ),
    (
        "a request sent while another is due waits for it",
        [(0, "ask", 1), (2, "ask", 2), (5, "answer", [1]), (6, "answer", [2])],
        {1: 5, 2: 1},
    ),
    (
        "answers in one message share the time alike",
        [(0, "ask", 1), (0, "ask", 2), (0, "ask", 3), (9, "answer", [1, 2, 3])],
        {1: 3, 2: 3, 3: 3},
    ),
    (
        "the order within a message does not matter",
        [(0, "ask", 1), (0, "ask", 2), (10, "answer", [2, 1])],
        {1: 5, 2: 5},
    ),
    (
        "an answer that overtakes costs nothing",
        [(0, "ask", 1), (0, "ask", 2), (4, "answer", [2]), (10, "answer", [1])],
        {1: 10, 2: 0},
    ),
    (
        "the head pays its whole time though others overtook it",
        [(0, "ask", i) for i in (1, 2, 3)]
        + [(1, "answer", [3]), (8, "answer", [1]), (9, "answer", [2])],
        {1: 8, 2: 1, 3: 0},
    ),
    (
        "a share is rounded down",
        [(0, "ask", 1), (0, "ask", 2), (0, "ask", 3), (11, "answer", [1, 2, 3])],
        {1: 3, 2: 3, 3: 3},
    ),
    ("an answer twice in one message is one", [(0, "ask", 1), (6, "answer", [1, 1])], {1: 6}),
    ("nobody asked: nothing is charged", [(0, "ask", 1), (6, "answer", [8])], {}),
    ("an answer stamped before its sending is free", [(9, "ask", 1), (6, "answer", [1])], {1: 0}),
]


@pytest.mark.parametrize(
    ("steps", "charges"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_charges(steps, charges):
    clock, charged = FifoClock(), {}
    for now, verb, what in steps:
        if verb == "ask":
            clock.sent(what, at_ns=now, budget_ns=100)
        else:
            charged |= clock.answered(what, at_ns=now)
    assert charged == charges


def clock_with(*budgets, at_ns=0):
    clock = FifoClock()
    for number, budget in enumerate(budgets, 1):
        clock.sent(number, at_ns=at_ns, budget_ns=budget)
    return clock


def test_only_the_oldest_request_has_a_running_deadline():
    clock = clock_with(10, 20)
    assert (clock.head.decision_id, clock.head.deadline_ns) == (1, 10)
    clock.answered([1], at_ns=4)
    assert (clock.head.decision_id, clock.head.started_ns, clock.head.deadline_ns) == (2, 4, 24)


def test_nothing_is_due_when_nothing_waits():
    clock = clock_with(10)
    clock.answered([1], at_ns=4)
    assert clock.head is None
    assert len(clock) == 0


def test_a_late_head_is_taken_away_and_the_next_clock_starts_then():
    clock = clock_with(10, 20)
    assert clock.expire(at_ns=10) == 1
    assert (clock.head.decision_id, clock.head.started_ns) == (2, 10)
    assert clock.answered([1, 2], at_ns=13) == {2: 3}


def test_expiring_nothing_is_our_own_error():
    with pytest.raises(LookupError):
        FifoClock().expire(at_ns=3)


def test_the_head_can_be_given_more_time_and_stays_the_head():
    clock = clock_with(10, 20)
    clock.extend_head(5)
    assert (clock.head.decision_id, clock.head.deadline_ns) == (1, 15)
    clock.answered([1], at_ns=12)
    assert clock.head.deadline_ns == 32


def test_giving_more_time_to_nothing_does_nothing():
    clock = FifoClock()
    clock.extend_head(5)
    assert clock.head is None


def test_a_process_that_is_gone_is_owed_nothing():
    clock = clock_with(10, 20)
    clock.clear()
    assert clock.head is None
    assert clock.answered([1, 2], at_ns=3) == {}


STEPS = st.lists(
    st.tuples(
        st.integers(0, 50),
        st.one_of(
            st.just("ask"),
            st.just("expire"),
            st.lists(st.integers(1, 12), min_size=1, max_size=5),
        ),
    ),
    max_size=40,
)


@bounded(60)
@given(STEPS)
def test_charges_never_add_up_to_more_than_the_time_that_passed(steps):
    clock, now, asked, charged = FifoClock(), 0, 0, 0
    busy_ns = 0
    for wait, what in steps:
        busy_ns += wait if len(clock) else 0
        now += wait
        if what == "ask":
            asked += 1
            clock.sent(asked, at_ns=now, budget_ns=30)
        elif what == "expire":
            head = clock.head
            if head is not None and head.deadline_ns <= now:
                charged += head.budget_ns
                clock.expire(at_ns=head.deadline_ns)
        else:
            charges = clock.answered(what, at_ns=now)
            assert all(charge >= 0 for charge in charges.values())
            charged += sum(charges.values())
        assert charged <= busy_ns


@bounded(60)
@given(STEPS)
def test_heads_come_in_the_order_of_sending_and_never_start_before(steps):
    clock, now, asked, sent_at, heads = FifoClock(), 0, 0, {}, []
    for wait, what in steps:
        now += wait
        if isinstance(what, list):
            clock.answered(what, at_ns=now)
        else:
            asked += 1
            sent_at[asked] = now
            clock.sent(asked, at_ns=now, budget_ns=30)
        if clock.head is not None:
            assert clock.head.started_ns >= sent_at[clock.head.decision_id]
            assert clock.head.started_ns <= now
            heads.append(clock.head.decision_id)
    assert heads == sorted(heads)


@bounded(60)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=10))
def test_a_bot_that_works_in_order_is_charged_for_each_what_it_took(times):
    clock, now = clock_with(*[1000] * len(times)), 0
    for number, took in enumerate(times, 1):
        now += took
        assert clock.answered([number], at_ns=now) == {number: took}
