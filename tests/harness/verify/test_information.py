"""The audit sees every card that a seat is told of and cannot see, wherever it stands."""

import pytest
from tongits.v1 import table_pb2 as pb
from tongits_engine import cards_of
from tongits_harness.play.session import play_session
from tongits_harness.protocol.decisions import GameEnded
from tongits_harness.verify.claims import Place
from tongits_harness.verify.information import InformationAudit, hidden

from tests.harness.play.driving import players, setup_for

HERE = Place(3, 1, 0, 7)
FIELDS = {
    "hand": lambda card: pb.Observation(hand=card),
    "discards": lambda card: pb.Observation(discards=card),
    "a meld": lambda card: pb.Observation(melds=[pb.Meld(cards=card)]),
    "an event": lambda card: pb.Observation(events=[pb.Event(cards=card)]),
    "a legal action": lambda card: pb.Observation(legal=[pb.Action(cards=card)]),
}


class Seen(InformationAudit):
    """The audit, with the state that it goes by."""

    @property
    def state(self):
        return self._state


def session(audit, rules="tongits-lite"):
    """Every question of a session that the audit watches."""
    answers, play, reply = players(), play_session(setup_for(rules), audit), None
    try:
        while True:
            effect = play.send(reply)
            reply = None
            if not isinstance(effect, GameEnded):
                yield effect
                reply = answers[effect.seat](effect)
    except StopIteration:
        return


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
def test_what_is_sent_in_real_games_holds_nothing_hidden(rules):
    audit, asked = InformationAudit(), 0
    for ask in session(audit, rules):
        audit.look(ask.seat, ask.view, HERE)
        asked += 1
    assert asked > 10
    assert (audit.observations, audit.failures) == (asked, [])


@pytest.mark.parametrize("where", FIELDS)
def test_a_hidden_card_is_found_in_every_field(where):
    audit = Seen()
    for ask in session(audit):
        card = cards_of(hidden(audit.state, ask.seat))[:1]
        audit.look(ask.seat, ask.view + FIELDS[where](card).SerializeToString(), HERE)
    assert len(audit.failures) == audit.observations
    assert all(failure.place == HERE for failure in audit.failures)
    assert "cannot see" in audit.failures[0].what


def test_a_view_of_another_seat_is_a_leak():
    audit = Seen()
    for ask in session(audit):
        audit.look((ask.seat + 1) % 3, ask.view, HERE)
    assert len(audit.failures) == audit.observations


def test_before_the_deal_there_is_nothing_to_go_by():
    with pytest.raises(RuntimeError, match="before anything was dealt"):
        InformationAudit().look(0, b"", HERE)
