"""What follows from a fault: forgiven so often, then the match is lost and the fallback plays."""

import pytest
from tongits.v1 import table_pb2 as pb
from tongits_engine import deck, replay
from tongits_harness.faults import FaultKind
from tongits_harness.play.fallback import fallback_action
from tongits_harness.play.session import NOTE_LIMIT_BYTES

from tests.harness.play.driving import (
    MATCH,
    SEED,
    failing,
    is_forced,
    play,
    player,
    players,
    setup_for,
)


def steps_of(played, number):
    """The game once more: (state before, action text, source letter)."""
    game = played.outcome.games[number]
    cards = deck(SEED, MATCH.key, number)
    again = replay(played.setup.rules, cards, game.dealer, game.actions)
    return [
        (step.before, step.action, source) for step, source in zip(again, game.sources, strict=True)
    ]


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_so_many_faults_are_forgiven_and_one_more_forfeits(limit):
    for count, forfeited in ((limit, False), (limit + 1, True)):
        bad = failing(player(1), range(count))
        played = play(setup_for(faults=limit), players(p1=bad))
        assert [seat.forfeited for seat in played.outcome.seats] == [False, forfeited, False]
        assert [fault.forfeit for fault in played.outcome.faults] == [False] * limit + [True] * (
            count - limit
        )


def test_three_faults_are_forgiven_unless_it_is_said_otherwise():
    assert not play(answers=players(p2=failing(player(1), range(3)))).outcome.seats[2].forfeited
    assert play(answers=players(p2=failing(player(1), range(4)))).outcome.seats[2].forfeited


def test_the_stated_action_stands_in_for_a_fault():
    played = play(setup_for(games=1), players(p0=failing(player(7), {0, 2})))
    stood_in = [(s, a) for s, a, source in steps_of(played, 0) if source == "x"]
    assert len(stood_in) == 2
    for state, action in stood_in:
        assert state.to_act == 0
        assert action is fallback_action(state)


@pytest.mark.parametrize("lost", [True, False])
def test_after_a_forfeit_the_seat_is_not_asked_and_the_fallback_finishes(lost):
    bad = failing(player(1), range(4) if not lost else {0}, lost=lost)
    played = play(setup_for(games=3), players(p1=bad))
    asked = len(played.asks_of(1))
    assert asked == (1 if lost else 4)
    assert played.outcome.seats[1].decisions == asked
    assert len(played.outcome.games) == 3
    stood_in = 0
    for number in range(3):
        for state, action, source in steps_of(played, number):
            if state.to_act == 1 and source == "x":
                assert action is fallback_action(state)
                stood_in += 1
            elif state.to_act == 1 and number > 0:
                assert is_forced(state)
    assert stood_in > asked


def test_the_others_are_asked_to_the_end():
    played = play(setup_for(games=2), players(p1=failing(player(1), {0}, lost=True)))
    for number in range(2):
        for state, _, source in steps_of(played, number):
            if state.to_act != 1:
                assert source == ("f" if is_forced(state) else "d")


def test_a_lost_process_forfeits_at_once():
    bad = failing(player(1), {0}, kind=FaultKind.CRASH, us=0, lost=True)
    played = play(answers=players(p1=bad))
    (fault,) = played.outcome.faults
    assert (fault.forfeit, fault.process_lost, fault.charged) == (True, True, True)
    assert fault.fault.kind is FaultKind.CRASH


def test_a_fault_is_recorded_where_it_happened():
    setup = setup_for(seating=3)
    played = play(setup, players(p2=failing(player(1), {1, 9})))
    assert len(played.outcome.faults) == 2
    for fault in played.outcome.faults:
        assert (fault.seat, fault.entrant) == (2, setup.plan.seats[2])
        assert fault.observation == b"request"
        state, _, source = steps_of(played, fault.game)[fault.step]
        assert state.to_act == 2
        assert source == "x"


def test_two_can_forfeit_one_session():
    bad = {0: failing(player(1), {0}, lost=True), 2: failing(player(2), {0}, lost=True)}
    played = play(answers=players(p0=bad[0], p2=bad[2]))
    assert [seat.forfeited for seat in played.outcome.seats] == [True, False, True]
    assert sum(seat.chips for seat in played.outcome.seats) == 0


def test_three_forfeits_end_with_three_fallback_players():
    bad = [failing(player(n), {0}, lost=True) for n in range(3)]
    played = play(setup_for(games=2), bad)
    assert len(played.outcome.games) == 2
    assert all(seat.forfeited for seat in played.outcome.seats)
    assert sum(seat.chips for seat in played.outcome.seats) == 0


def test_what_is_left_of_the_bank_is_granted():
    played = play(setup_for(decision_s=1.0, bank_s=2.5), players(p1=player(1, us=800_000)))
    budgets = [ask.budget_us for ask in played.asks_of(1)]
    assert budgets == [1_000_000, 1_000_000, 900_000, 100_000]


def test_an_empty_bank_makes_every_decision_late_without_asking():
    slow = player(1, us=1_000_000)
    played = play(setup_for(decision_s=1.0, bank_s=2.0), players(p1=slow))
    assert len(played.asks_of(1)) == 2
    faults = played.outcome.faults
    assert [fault.fault.kind for fault in faults] == [FaultKind.TIMEOUT] * 4
    assert [fault.forfeit for fault in faults] == [False, False, False, True]
    assert all("time bank of 2 s is used up" in fault.fault.message for fault in faults)
    assert played.outcome.seats[1].bank_used_us == 2_000_000


def test_a_decision_that_was_not_asked_is_not_counted_as_asked():
    played = play(setup_for(bank_s=2.0), players(p1=player(1, us=1_000_000)))
    seat = played.outcome.seats[1]
    assert seat.decisions == len(played.asks_of(1)) == sum(seat.latency.values())


def test_the_bank_is_for_the_whole_session_and_each_seat_has_its_own():
    played = play(setup_for(games=3, bank_s=60.0), players(p1=player(1, us=900_000)))
    assert played.outcome.seats[1].bank_used_us > 20 * 900_000 or played.outcome.faults
    assert not any(fault.seat != 1 for fault in played.outcome.faults)


def test_notes_are_kept_at_their_step():
    played = play(setup_for(games=1), players(p0=player(5, note="I think")))
    (game,) = played.outcome.games
    expected = {
        number
        for number, (state, _, source) in enumerate(steps_of(played, 0))
        if state.to_act == 0 and source == "d"
    }
    assert game.notes == dict.fromkeys(sorted(expected), "I think")


def test_notes_are_capped_in_bytes_over_the_session():
    played = play(setup_for(games=3), players(p0=player(5, note="ñ" * 1000)))
    kept = [note for game in played.outcome.games for note in game.notes.values()]
    assert len(kept) == NOTE_LIMIT_BYTES // 2000
    assert sum(len(note.encode()) for note in kept) <= NOTE_LIMIT_BYTES


def test_a_note_too_long_is_dropped_and_a_short_one_after_it_is_kept():
    notes = iter(["x" * (NOTE_LIMIT_BYTES + 1), "short"])
    fine = player(5)

    def noted(ask):
        reply = fine(ask)
        return type(reply)(reply.action, reply.elapsed_us, next(notes, ""))

    played = play(setup_for(games=1), players(p0=noted))
    assert list(played.outcome.games[0].notes.values()) == ["short"]


def test_the_end_of_the_game_is_told_to_a_seat_that_forfeited_too():
    played = play(setup_for(games=1), players(p1=failing(player(1), {0}, lost=True)))
    (end,) = played.ends
    over = [pb.GameOver.FromString(message) for message in end.over]
    assert over[0].payments == over[1].payments == over[2].payments
    assert len({(message.termination, message.winner) for message in over}) == 1
