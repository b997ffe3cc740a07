"""Who sees what: observations, events and what the end of a game shows."""

import pytest
from tongits_engine import (
    Answer,
    EventKind,
    apply,
    cards_text,
    observe,
    parse_action,
    position,
    redact,
    rules_named,
    settle,
)

HANDS = ("AC 2C", "3C 9D", "4C 9H")
OPEN = [(0, "TC TD TH", "exposed"), (1, "JC JD JH", "exposed"), (2, "QC QD QH", "exposed")]
HIDDEN_FOUR = (0, "KC KD KH KS", "concealed")


def at(name="tongits-lite", overrides=None, **where):
    return position(rules_named(name, overrides), **{"hands": HANDS, "melds": OPEN, **where})


def after(state, *actions):
    for text in actions:
        state = apply(state, parse_action(text)).state
    return state


def test_a_seat_sees_its_hand_the_sizes_the_stock_size_and_the_pile():
    seen = observe(at(discards="5S 6S", stock="7S 8S 9S"), 1)
    assert (seen.seat, cards_text(seen.hand)) == (1, "3C 9D")
    assert (seen.hand_sizes, seen.stock_size) == ((2, 2, 2), 3)
    assert cards_text(seen.discards) == "5S 6S"
    assert seen.opened == (True, True, True)


def test_only_the_seat_to_act_is_told_what_it_may_do():
    state = at()
    assert observe(state, 0).legal
    assert observe(state, 1).legal == observe(state, 2).legal == ()


def test_a_concealed_four_shows_owner_and_size_only():
    state = at(melds=[HIDDEN_FOUR, *OPEN])
    for seat in (1, 2):
        meld = observe(state, seat).melds[0]
        assert (meld.owner, meld.size, meld.cards, meld.mask) == (0, 4, b"", 0)
    assert cards_text(observe(state, 0).melds[0].cards) == "KC KD KH KS"
    assert observe(state, 1).opened[0]


def test_turned_down_melds_of_sa_tong_stay_known():
    state = at("sa-tong")
    assert [cards_text(meld.cards) for meld in observe(state, 2).melds] == [c for _, c, _ in OPEN]


def test_a_drawn_card_is_told_to_its_seat_alone():
    (event,) = apply(at(stock="7S 8S"), parse_action("draw")).events
    assert (event.kind, event.seat) == (EventKind.DREW, 0)
    assert cards_text(redact(event, 0).cards) == "7S"
    assert [redact(event, seat).cards for seat in (1, 2, -1)] == [b"", b"", b""]


def test_a_taken_card_and_a_discard_are_told_to_all():
    state = at(hands=("4H 5H 2C", "3C", "4C"), discards="6H", melds=[])
    for text, cards in [("take 4H 5H 6H", "4H 5H 6H"), ("discard 2C", "2C")]:
        state, (event, *_) = apply(state, parse_action(text))
        assert {cards_text(redact(event, seat).cards) for seat in (-1, 0, 1, 2)} == {cards}


def test_later_answers_see_earlier_ones():
    state = after(at(), "call", "challenge")
    assert observe(state, 2).answers == (Answer.NONE, Answer.CHALLENGED, Answer.NONE)
    assert observe(state, 2).caller == 0


def test_simultaneous_answers_are_seen_when_all_are_in():
    state = after(at(overrides={"draw.response_order": "simultaneous"}), "call")
    answered = apply(state, parse_action("challenge"))
    assert answered.events == ()
    assert observe(answered.state, 2).answers == (Answer.NONE,) * 3
    assert observe(answered.state, 1).answers[1] is Answer.CHALLENGED
    ended = apply(answered.state, parse_action("fold"))
    told = [(event.kind, event.seat) for event in ended.events[:2]]
    assert told == [(EventKind.CHALLENGED, 1), (EventKind.FOLDED, 2)]


def test_automatic_folds_are_seen_at_once():
    state = after(at(melds=[OPEN[0], OPEN[2]]), "call")
    assert observe(state, 2).answers == (Answer.NONE, Answer.AUTO_FOLDED, Answer.NONE)


@pytest.mark.parametrize(("name", "points"), [("tongits-lite", -1), ("ngalimba", 3)])
def test_a_caller_tells_his_points_only_where_the_rules_say_so(name, points):
    state, (called, *_) = apply(at(name), parse_action("call"))
    assert called.points == points
    assert observe(state, 1).caller_points == points
    assert observe(at(name), 1).caller_points == -1


def test_a_blocked_call_is_public():
    state = at(
        hands=("7H 2C 3S", "8C 9D", "4C 9H"),
        melds=[(1, "4H 5H 6H", "exposed")],
        phase="action",
        stock="8D 9S TS",
    )
    assert observe(state, 2).blocked == (False, False, False)
    state = after(state, "layoff 7H 0", "discard 2C")
    assert [observe(state, seat).blocked for seat in range(3)] == [(False, True, False)] * 3
    state = after(state, "draw", "discard 8D")
    assert observe(state, 0).blocked == (False, False, False)


def shown(state):
    """The hands and concealed melds the end shows, by the result and by the events alike."""
    result = settle(state)
    hands = [None if hand is None else cards_text(hand) for hand in result.shown_hands]
    return hands, result.shown_melds


ENDINGS = [
    ("an uncontested call", ["call", "fold", "fold"], {}, [HANDS[0], None, None]),
    ("a contested call", ["call", "fold", "challenge"], {}, [HANDS[0], None, HANDS[2]]),
    (
        "the end of the stock",
        ["discard AC"],
        {"phase": "action", "stock": ""},
        ["2C", HANDS[1], HANDS[2]],
    ),
    (
        "a void game",
        ["discard AC"],
        {"phase": "action", "stock": "", "melds": []},
        ["2C", HANDS[1], HANDS[2]],
    ),
    (
        "Tongits",
        ["discard AC"],
        {"phase": "action", "hands": ("AC", HANDS[1], HANDS[2])},
        ["", None, None],
    ),
]


@pytest.mark.parametrize(
    ("actions", "where", "hands"), [pytest.param(*row[1:], id=row[0]) for row in ENDINGS]
)
def test_the_end_shows_the_winner_and_whom_he_was_compared_with(actions, where, hands):
    state = after(at(**where), *actions[:-1])
    ended = apply(state, parse_action(actions[-1]))
    assert shown(ended.state)[0] == hands
    revealed = {e.seat: cards_text(e.cards) for e in ended.events if e.kind is EventKind.REVEALED}
    assert revealed == {seat: hand for seat, hand in enumerate(hands) if hand}
    assert [e.kind for e in ended.events].count(EventKind.ENDED) == 1


@pytest.mark.parametrize(("caller_points", "numbers"), [("AC", (0,)), ("8C 8D", ())])
def test_of_concealed_melds_the_end_shows_the_winners(caller_points, numbers):
    state = at(melds=[HIDDEN_FOUR, *OPEN[1:]], hands=(caller_points, "3C", "4C"))
    assert shown(after(state, "call", "challenge", "fold"))[1] == numbers


def test_settling_a_game_that_goes_on_is_an_error():
    with pytest.raises(ValueError, match="not over"):
        settle(at())
