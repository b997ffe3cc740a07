"""Engine values as messages: complete, the same every time, and blind to what is hidden."""

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits.v1 import table_pb2 as pb
from tongits_engine import (
    Answer,
    Event,
    EventKind,
    apply,
    observe,
    parse_action,
    position,
    rules_named,
    settle,
)
from tongits_harness.protocol import codec

from tests.engine.hidden import permuted
from tests.harness.protocol.random_play import ALL_KINDS, LITE, SA_TONG, VARIANTS, bounded, steps

SEEDS = st.integers(0, 10_000)
OPEN = [(0, "TC TD TH", "exposed"), (1, "JC JD JH", "exposed"), (2, "QC QD QH", "exposed")]


def view_of(state, seat, events=()):
    turned_down = state.rules.meld_face_down == "after_show"
    return codec.encode_view(observe(state, seat), events, turned_down=turned_down)


def events_of(events):
    """The events as told to seat 0, 1, 2."""
    fields = [codec.encode_event(n, e) for n, e in enumerate(e for e in events if codec.is_told(e))]
    return [tuple(field[seat] for field in fields) for seat in range(3)]


@bounded(60)
@given(st.sampled_from(ALL_KINDS), SEEDS)
def test_a_view_says_all_that_the_seat_observes(rules, seed):
    for state, *_ in steps(rules, seed):
        seen = observe(state, state.to_act)
        view = pb.Observation.FromString(view_of(state, state.to_act))
        assert (view.seat, view.phase, view.dealer, view.turn) == (
            seen.seat,
            int(seen.phase),
            seen.dealer,
            seen.turn,
        )
        assert (view.hand, view.discards, view.stock_size) == (
            seen.hand,
            seen.discards,
            seen.stock_size,
        )
        assert tuple(view.hand_sizes) == seen.hand_sizes
        assert tuple(view.opened) == seen.opened
        assert tuple(view.call_blocked) == seen.blocked
        assert [codec.read_action(action) for action in view.legal] == list(seen.legal)
        assert [(m.owner, m.cards, m.size) for m in view.melds] == [
            (m.owner, m.cards, m.size) for m in seen.melds
        ]
        assert (view.caller if view.HasField("caller") else -1) == seen.caller
        assert view.HasField("caller_points") == (seen.caller_points >= 0)
        assert list(view.challengers) == [
            seat for seat, answer in enumerate(seen.answers) if answer is Answer.CHALLENGED
        ]


@bounded(60)
@given(st.sampled_from(ALL_KINDS), SEEDS)
def test_a_view_is_the_same_bytes_every_time(rules, seed):
    for state, *_ in islice(steps(rules, seed), 30):
        assert view_of(state, state.to_act) == view_of(state, state.to_act)
        message = pb.Observation.FromString(view_of(state, state.to_act))
        again = message.SerializeToString(deterministic=True)
        assert pb.Observation.FromString(again) == message


@bounded(25)
@given(st.sampled_from(ALL_KINDS), SEEDS)
def test_a_view_never_changes_when_hidden_cards_are_elsewhere(rules, seed):
    rng = random.Random(seed)
    for state, *_ in steps(rules, seed):
        for seat in range(3):
            assert view_of(permuted(state, seat, rng), seat) == view_of(state, seat)


@bounded(60)
@given(st.sampled_from(VARIANTS), SEEDS)
def test_what_is_told_of_anothers_draw_does_not_depend_on_the_card(rules, seed):
    rng = random.Random(seed)
    for state, action, _, events in steps(rules, seed):
        if action.text != "draw":
            continue
        for seat in {0, 1, 2} - {state.to_act}:
            other_events = apply(permuted(state, seat, rng), action).events
            assert events_of(other_events)[seat] == events_of(events)[seat]


def test_a_drawn_card_is_told_to_its_seat_alone():
    fields = codec.encode_event(5, Event(EventKind.DREW, 1, b"\x07"))
    told = [pb.Observation.FromString(field).events[0] for field in fields]
    assert [event.cards for event in told] == [b"", b"\x07", b""]
    assert {(event.number, event.seat) for event in told} == {(5, 1)}


def test_a_concealed_four_is_told_to_its_owner_alone():
    event = Event(EventKind.CONCEALED, 2, bytes(range(8, 12)), meld=3)
    told = [pb.Observation.FromString(f).events[0] for f in codec.encode_event(0, event)]
    assert [event.cards for event in told] == [b"", b"", bytes(range(8, 12))]
    assert {event.meld for event in told} == {3}


def test_a_public_event_is_told_alike():
    one, two, three = codec.encode_event(0, Event(EventKind.DISCARDED, 0, b"\x00"))
    assert one == two == three
    assert pb.Observation.FromString(one).events[0].cards == b"\x00"


def test_points_of_a_call_are_told_where_they_are_announced_even_if_none():
    quiet = pb.Observation.FromString(codec.encode_event(0, Event(EventKind.CALLED, 0))[1])
    loud = pb.Observation.FromString(codec.encode_event(0, Event(EventKind.CALLED, 0, points=0))[1])
    assert not quiet.events[0].HasField("points")
    assert loud.events[0].HasField("points")


def test_melds_that_were_turned_down_lie_face_down_and_stay_known():
    state = position(SA_TONG, hands=("AC 2C", "3C", "4C"), melds=OPEN)
    melds = pb.Observation.FromString(view_of(state, 0)).melds
    assert all(meld.face_down and len(meld.cards) == 3 for meld in melds)


def test_a_concealed_four_of_another_shows_its_size_and_nothing_else():
    state = position(
        LITE, hands=("AC 2C", "3C", "4C"), melds=[(0, "KC KD KH KS", "concealed"), *OPEN]
    )
    own, others = (pb.Observation.FromString(view_of(state, seat)).melds[0] for seat in (0, 1))
    assert (others.face_down, others.size, others.cards) == (True, 4, b"")
    assert len(own.cards) == 4


def test_an_answer_of_seat_zero_to_a_caller_of_seat_zero_is_not_mistaken_for_none():
    state = position(LITE, hands=("AC 2C", "3C", "4C"), melds=OPEN)
    view = pb.Observation.FromString(view_of(apply(state, parse_action("call")).state, 1))
    assert view.HasField("caller")
    assert view.caller == 0
    assert not pb.Observation.FromString(view_of(state, 0)).HasField("caller")


def started(rules, **how):
    about = {"seat": 1, "dealer": 2, "bot_seed": bytes(8), "pot": 6, "streaks": (0, 2, 0)}
    return codec.encode_started(rules, **(about | how))


def test_a_game_is_told_with_seat_dealer_pot_and_streaks():
    game = pb.GameStarted.FromString(started(LITE))
    assert (game.rules, game.seat, game.dealer, game.pot) == ("tongits-lite", 1, 2, 6)
    assert (game.bot_seed, list(game.streaks)) == (bytes(8), [0, 2, 0])
    assert not game.resumed


@pytest.mark.parametrize("name", ["sa-tong", "ngalimba", "sa-tong+ngalimba"])
def test_parameters_are_told_that_are_not_those_of_the_usual_rules(name):
    rules, usual = rules_named(name), LITE.parameters()
    told = dict(pb.GameStarted.FromString(started(rules)).parameters)
    assert set(told) == {k for k, value in rules.parameters().items() if value != usual[k]}
    assert dict(pb.GameStarted.FromString(started(LITE)).parameters) == {}


def test_parameters_are_json():
    told = dict(pb.GameStarted.FromString(started(SA_TONG)).parameters)
    assert told["layoff.enabled"] == "false"
    assert told["deal.next_dealer"] == '"next_seat"'


def test_a_resumed_game_is_told_with_its_whole_history():
    first = started(LITE)
    fields = [codec.encode_event(n, Event(EventKind.DREW, n % 3, b"\x01"))[0] for n in range(9)]
    game = pb.GameStarted.FromString(codec.encode_resumed(first, fields))
    assert game.resumed
    assert [event.number for event in game.history] == list(range(9))
    assert [bool(event.cards) for event in game.history] == [True, False, False] * 3
    game.ClearField("resumed")
    game.ClearField("history")
    assert game == pb.GameStarted.FromString(first)


@bounded(60)
@given(st.sampled_from(ALL_KINDS), SEEDS)
def test_the_end_is_told_as_it_was_settled(rules, seed):
    *_, (_, _, last, events) = steps(rules, seed)
    result = settle(last)
    fields = events_of(events)[0]
    over = pb.GameOver.FromString(codec.encode_over(result) + codec.last_events(fields))
    assert over.termination == int(result.termination)
    assert (over.winner if over.HasField("winner") else None) == result.winner
    assert tuple(over.payments) == result.payments
    assert [hand or None for hand in over.hands] == [hand or None for hand in result.shown_hands]
    assert len(over.events) == len([e for e in events if codec.is_told(e)])
    assert over.events == pb.Observation.FromString(b"".join(fields)).events
