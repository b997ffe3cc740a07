"""A recorded decision asked anew: the same words, told as after a restart; who agrees with whom."""

import pytest
from tongits.v1 import table_pb2 as pb
from tongits_harness.verify.opinions import Opinions, agreements, leading, retold
from tongits_harness.verify.situation import Answer, Situation

from tests.harness.play.driving import play, players

AT = Situation(0, 4, 1, 2, "start", "2C 3C", "9D", ("draw", "call"), "draw")


def said(*texts):
    return tuple(Answer(text) for text in texts)


def opinions(**answers):
    return Opinions(AT, {bot: said(text) for bot, text in answers.items()})


def asked_anew(number=0):
    """Questions of a session, each with the same asked anew at that moment."""
    found, others = [], players()

    def answer(ask):
        found.append((ask, retold(ask, number)))
        return others[ask.seat](ask)

    play(answers=[answer] * 3)
    return found


def test_a_question_is_asked_anew_with_all_that_happened():
    for ask, told in asked_anew():
        game = pb.GameStarted.FromString(told.game.started)
        shown = pb.Observation.FromString(told.view).events
        assert game.resumed
        assert list(game.history)[len(game.history) - len(shown) :] == list(shown)
        assert [event.number for event in game.history] == list(range(len(game.history)))
        assert (told.view, told.legal) == (ask.view, ask.legal)
        assert told.game.game_id != ask.game.game_id


def test_only_the_first_time_has_the_chance_of_the_record():
    last_ask, _ = asked_anew()[-1]
    own = pb.GameStarted.FromString(last_ask.game.started).bot_seed
    seeds = [
        pb.GameStarted.FromString(retold(last_ask, number).game.started).bot_seed
        for number in (0, 1, 2, 1)
    ]

    assert seeds[0] == own
    assert len(set(seeds)) == 3
    assert seeds[1] == seeds[3]


@pytest.mark.parametrize(
    ("texts", "first"),
    [(["draw"], "draw"), (["call", "draw", "draw"], "draw"), (["call", "draw"], "call")],
)
def test_the_most_frequent_answer_leads(texts, first):
    assert leading(said(*texts)) == first


def test_pairs_are_counted_over_all_decisions():
    all_alike = opinions(a="draw", b="draw", c="draw")
    one_differs = opinions(a="draw", b="draw", c="call")

    assert all_alike.is_unanimous
    assert not one_differs.is_unanimous
    found = {
        (p.first, p.second): (p.same, p.decisions) for p in agreements([all_alike, one_differs])
    }
    assert found == {("a", "b"): (2, 2), ("a", "c"): (1, 2), ("b", "c"): (1, 2)}
    assert not list(agreements([]))
