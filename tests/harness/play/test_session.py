"""A session, from the first shuffle to the last chip."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits.v1 import table_pb2 as pb
from tongits_engine import bot_seed, deck, first_dealer
from tongits_harness.results.latency import bucket_of

from tests.harness.play.driving import MATCH, SEED, play, player, players, setup_for
from tests.harness.protocol.random_play import bounded

SEEDS = st.integers(0, 10_000)
NAMES = ["tongits-lite", "sa-tong", "ngalimba", "chips-2-4-4", "sa-tong+ngalimba"]


@given(st.sampled_from(NAMES), SEEDS, st.integers(1, 4))
@bounded(40)
def test_chips_of_a_session_sum_to_nothing(name, seed, games):
    outcome = play(setup_for(name, games=games), players(seed)).outcome
    assert sum(seat.chips for seat in outcome.seats) == 0
    assert len(outcome.games) == games
    for seat in range(3):
        assert outcome.seats[seat].chips == sum(game.chips[seat] for game in outcome.games)
    for game in outcome.games:
        assert sum(game.payments) == 0


@given(st.sampled_from(NAMES), SEEDS)
@bounded(15)
def test_the_same_answers_give_the_same_session(name, seed):
    setup = setup_for(name)
    one, two = play(setup, players(seed)), play(setup, players(seed))
    assert one.outcome == two.outcome
    assert [ask.view for ask in one.asks] == [ask.view for ask in two.asks]
    assert [ask.game.started for ask in one.asks] == [ask.game.started for ask in two.asks]


def test_game_ids_are_new_every_time_and_for_every_seat():
    ids = [i for _ in range(2) for end in play().ends for i in end.game_ids]
    assert len(set(ids)) == 12
    assert all(len(i) == 16 and i.isalnum() for i in ids)


def test_every_seating_gets_the_same_decks_and_the_same_first_dealer():
    for seating in range(6):
        outcome = play(setup_for(seating=seating), players(seating)).outcome
        digests = [game.deck_digest for game in outcome.games]
        assert digests == [game.deck_digest for game in play().outcome.games]
        assert outcome.games[0].dealer == first_dealer(SEED, MATCH.key)


def test_games_of_a_session_and_matches_have_decks_of_their_own():
    outcomes = [play(setup_for(games=3)).outcome, play(setup_for(games=3, key="other")).outcome]
    digests = {game.deck_digest for outcome in outcomes for game in outcome.games}
    assert len(digests) == 6


def test_a_bots_chance_differs_by_game_seat_and_seating_and_is_the_documented_one():
    seeds = set()
    for seating in range(6):
        for ask in play(setup_for(seating=seating)).asks:
            game = pb.GameStarted.FromString(ask.game.started)
            seeds.add((seating, game.seat, game.bot_seed))
    expected = {
        (seating, seat, bot_seed(SEED, MATCH.key, seating, game, seat))
        for seating in range(6)
        for seat in range(3)
        for game in range(2)
    }
    assert seeds <= expected
    assert len(seeds) > 30


def test_each_seat_is_told_its_own_seat_the_dealer_and_the_state_of_the_session():
    played = play(setup_for("ngalimba", games=3))
    for ask in played.asks:
        game = pb.GameStarted.FromString(ask.game.started)
        view = pb.Observation.FromString(ask.view)
        assert game.seat == view.seat == ask.seat
        assert game.dealer == view.dealer
    dealers = [game.dealer for game in played.outcome.games]
    assert dealers[0] == first_dealer(SEED, MATCH.key)


def test_nothing_a_bot_is_told_names_entrants_match_or_seed():
    played = play()
    told = b"".join(ask.game.started + ask.view for ask in played.asks)
    told += b"".join(over for end in played.ends for over in end.over)
    for secret in (*MATCH.entrants, MATCH.key):
        assert secret.encode() not in told
    assert SEED not in told
    assert deck(SEED, MATCH.key, 0)[:12] not in told


@pytest.mark.parametrize("name", NAMES)
def test_forced_decisions_are_played_without_asking(name):
    for seed in range(5):
        played = play(setup_for(name), players(seed))
        assert all(len(ask.legal) > 1 for ask in played.asks)
        sources = "".join(game.sources for game in played.outcome.games)
        assert set(sources) <= {"d", "f"}
        assert sources.count("d") == len(played.asks)


def test_what_a_forced_seat_did_is_found_among_the_events():
    for seed in range(8):
        played = play(setup_for(games=1), players(seed))
        (game,) = played.outcome.games
        (end,) = played.ends
        for seat in range(3):
            asked = [pb.Observation.FromString(ask.view).events for ask in played.asks_of(seat)]
            told = [event for events in asked for event in events]
            told += pb.GameOver.FromString(end.over[seat]).events
            assert [event.number for event in told] == list(range(len(told)))
            drawn = sum(event.kind == pb.EVENT_KIND_DREW for event in told)
            assert drawn == game.actions.count("draw")


def test_a_seat_is_told_of_no_card_that_another_drew():
    played = play(setup_for(games=1))
    for ask in played.asks:
        for event in pb.Observation.FromString(ask.view).events:
            if event.kind == pb.EVENT_KIND_DREW and event.seat != ask.seat:
                assert event.cards == b""


def test_a_game_can_be_told_again_to_a_new_process_at_any_moment():
    played = play(setup_for(games=1))
    last = played.asks[-1]
    again = pb.GameStarted.FromString(last.game.resumed())
    assert again.resumed
    assert [event.number for event in again.history] == list(range(len(again.history)))
    assert again.bot_seed == pb.GameStarted.FromString(last.game.started).bot_seed


def test_the_history_told_again_hides_what_was_hidden():
    played = play(setup_for(games=1))
    for seat in range(3):
        history = pb.GameStarted.FromString(played.asks_of(seat)[-1].game.resumed()).history
        drew = [event for event in history if event.kind == pb.EVENT_KIND_DREW]
        assert all(bool(event.cards) == (event.seat == seat) for event in drew)


def test_thinking_time_adds_up():
    slow = player(1, us=2500)
    played = play(answers=players(p1=slow))
    seat = played.outcome.seats[1]
    assert seat.decisions == len(played.asks_of(1))
    assert seat.bank_used_us == 2500 * seat.decisions
    assert seat.latency == {bucket_of(2500): seat.decisions}
    charged = sum(us for game in played.outcome.games for us in game.elapsed_us)
    assert charged == sum(seat.bank_used_us for seat in played.outcome.seats)


def test_seats_are_recorded_under_their_entrants():
    for seating in range(6):
        setup = setup_for(seating=seating)
        outcome = play(setup).outcome
        assert tuple(seat.entrant for seat in outcome.seats) == setup.plan.seats
