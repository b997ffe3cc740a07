"""A stored game is enough: it replays to the same result, and its views to the same digests."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_engine import Table, bot_seed, deck, observe, open_game, replay, settle
from tongits_harness.protocol import codec

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
from tests.harness.protocol.random_play import bounded

NAMES = ["tongits-lite", "sa-tong", "ngalimba"]
SEEDS = st.integers(0, 10_000)


@given(st.sampled_from(NAMES), SEEDS)
@bounded(25)
def test_a_game_replays_to_its_result(name, seed):
    played = play(setup_for(name), players(seed, p1=failing(player(seed), {1, 2})))
    for number, game in enumerate(played.outcome.games):
        cards = deck(SEED, MATCH.key, number)
        assert hashlib.sha256(cards).hexdigest() == game.deck_digest
        *_, last = replay(played.setup.rules, cards, game.dealer, game.actions)
        assert last.after.is_over
        result = settle(last.after)
        assert result.termination.text == game.termination
        assert (result.winner, result.deadwood, result.burned, result.payments) == (
            game.winner,
            game.deadwood,
            game.burned,
            game.payments,
        )


@given(st.sampled_from(NAMES), SEEDS)
@bounded(15)
def test_every_action_has_a_source_and_a_time(name, seed):
    for game in play(setup_for(name), players(seed)).outcome.games:
        assert len(game.actions) == len(game.sources) == len(game.elapsed_us)
        for source, elapsed_us in zip(game.sources, game.elapsed_us, strict=True):
            assert elapsed_us == (100 if source == "d" else 0)


def recomputed_digests(played, number):
    """The view digests of a game, from its deck, its actions and what is known of faults."""
    setup, game = played.setup, played.outcome.games[number]
    rules = setup.rules
    turned_down = rules.meld_face_down == "after_show"
    digests = [hashlib.blake2b(digest_size=16) for _ in range(3)]
    told, fields = [0, 0, 0], ([], [], [])
    for seat, digest in enumerate(digests):
        digest.update(started_of(played, number, seat))
    gone = {fault.seat for fault in played.outcome.faults if fault.game < number and fault.forfeit}
    lost_at = {
        (fault.seat, fault.step)
        for fault in played.outcome.faults
        if fault.game == number and fault.forfeit
    }
    cards = deck(SEED, MATCH.key, number)
    for at, step in enumerate(replay(rules, cards, game.dealer, game.actions)):
        seat = step.before.to_act
        if not is_forced(step.before) and seat not in gone:
            view = codec.encode_view(
                observe(step.before, seat), fields[seat][told[seat] :], turned_down=turned_down
            )
            told[seat] = len(fields[seat])
            digests[seat].update(view)
            if (seat, at) in lost_at:
                gone.add(seat)
        for event in step.events:
            if codec.is_told(event):
                encoded = codec.encode_event(len(fields[0]), event)
                for mine, one in zip(fields, encoded, strict=True):
                    mine.append(one)
    return tuple(digest.hexdigest() for digest in digests)


def started_of(played, number, seat):
    """A game as it is told to a seat, made again from the rules of a session."""
    game = played.outcome.games[number]
    table = open_game(Table(played.setup.rules, game.dealer))
    return codec.encode_started(
        played.setup.rules,
        seat=seat,
        dealer=game.dealer,
        bot_seed=bot_seed(SEED, MATCH.key, played.setup.plan.seating, number, seat),
        pot=table.pot,
        streaks=table.streaks,
    )


@given(st.sampled_from(["tongits-lite", "sa-tong"]), SEEDS)
@bounded(25)
def test_the_digests_of_what_was_seen_can_be_made_again(name, seed):
    answers = players(seed, p1=failing(player(seed), {1, 4}), p2=failing(player(1), {3}, lost=True))
    played = play(setup_for(name, games=1), answers)
    assert recomputed_digests(played, 0) == played.outcome.games[0].view_digests


@pytest.mark.parametrize("name", ["tongits-lite", "sa-tong"])
def test_digests_are_over_the_exact_bytes_in_the_order_of_sending(name):
    played = play(setup_for(name, games=2))
    for number, (game, end) in enumerate(zip(played.outcome.games, played.ends, strict=True)):
        for seat in range(3):
            asks = [a for a in played.asks if a.game.game_id == end.game_ids[seat]]
            sent = asks[0].game.started + b"".join(ask.view for ask in asks)
            digest = hashlib.blake2b(sent, digest_size=16).hexdigest()
            assert game.view_digests[seat] == digest, (number, seat)


def test_digests_tell_seats_and_games_apart():
    games = play(setup_for(games=3)).outcome.games
    assert len({digest for game in games for digest in game.view_digests}) == 9
