"""What a bot is shown: the View, its actions and its chance."""

import pytest
from tongits.v1 import table_pb2 as pb2
from tongits_bot import Action, Game, Kind, Phase, View, parse_cards
from tongits_bot.testing import make_game, make_view
from tongits_bot.view import events_of, message_of, result_of

ACTIONS = [
    "draw",
    "take 4H 5H 6H",
    "expose 7C 7D 7H",
    "conceal KC KD KH KS",
    "layoff 7H 0",
    "discard 9C",
    "call",
    "challenge",
    "fold",
]


def drawn(view, count=3):
    return [view.rng.random() for _ in range(count)]


@pytest.mark.parametrize("text", ACTIONS)
def test_the_text_of_an_action_is_read_back(text):
    assert str(Action.parse(text)) == text


@pytest.mark.parametrize("text", ACTIONS)
def test_an_action_comes_back_from_its_message(text):
    message = message_of(Action.parse(text))
    view = View(pb2.Observation(legal=[message, message]), make_game())
    assert [str(action) for action in view.legal] == [text, text]


def test_every_action_kind_of_the_protocol_has_its_name_here():
    named = {kind.name: kind.value for kind in Kind}
    assert {"ACTION_KIND_" + name: number for name, number in named.items()} == {
        name: n for name, n in pb2.ActionKind.items() if n
    }


def test_a_view_gives_what_the_observation_says():
    view = make_view(
        "9C 4H 5H 6H",
        ["challenge", "fold"],
        phase=Phase.RESPOND,
        turn=7,
        discards="AC KD",
        melds=["1: 7C 7D 7H", "2: 2S 3S 4S"],
        caller=2,
    )
    assert view.phase is Phase.RESPOND
    assert (view.seat, view.turn, view.stock_size, view.caller) == (0, 7, 10, 2)
    assert view.hand == parse_cards("4H 5H 6H 9C")
    assert view.hand_sizes == (4, 12, 12)
    assert view.opened == (False, True, True)
    assert view.call_blocked == (False, False, False)
    assert view.discards[-1:] == parse_cards("KD")
    assert [(meld.owner, meld.cards) for meld in view.melds] == [
        (1, parse_cards("7C 7D 7H")),
        (2, parse_cards("2S 3S 4S")),
    ]
    assert [action.kind for action in view.legal] == [Kind.CHALLENGE, Kind.FOLD]
    assert view.challengers == ()
    assert view.caller_points is None


def test_absent_fields_are_none():
    view = make_view("9C", ["draw", "call"], phase=Phase.START)
    assert view.caller is None
    event, announced = events_of([pb2.Event(seat=1, kind=7), pb2.Event(seat=1, kind=7, points=0)])
    assert event.points is None
    assert announced.points == 0


def test_chance_is_the_same_for_the_same_decision_and_seed():
    first, again = (make_view("9C 4H", ["discard 9C", "discard 4H"]) for _ in range(2))
    assert drawn(first) == drawn(again)


def test_chance_goes_on_within_a_decision():
    view = make_view("9C 4H", ["discard 9C", "discard 4H"])
    assert len(set(drawn(view, 10))) == 10


@pytest.mark.parametrize(
    "other",
    [
        {"game": make_game(bot_seed=bytes(7) + b"\1")},
        {"turn": 4},
        {"phase": Phase.START},
        {"hand": "9C 5H"},
    ],
)
def test_chance_differs_from_decision_to_decision_and_from_seed_to_seed(other):
    view = {"hand": "9C 4H", "legal": ["draw", "call"]}
    assert drawn(make_view(**view)) != drawn(make_view(**(view | other)))


def test_chance_does_not_depend_on_events_which_a_resume_may_leave_out():
    plain = make_view("9C 4H", ["draw", "call"])
    told = make_view("9C 4H", ["draw", "call"])
    told._message.events.add(number=3, kind=6, seat=1, cards=b"\5")
    assert len(told.events) == 1
    assert drawn(plain) == drawn(told)


def test_game_parameters_are_json_values():
    game = make_game(
        rules="sa-tong",
        parameters={"meld.runs": False, "score.win": 1, "pot.after_hit": "continue"},
        seat=2,
    )
    assert game.parameters == {"meld.runs": False, "score.win": 1, "pot.after_hit": "continue"}
    assert (game.rules, game.runs, game.seat, game.resumed) == ("sa-tong", False, 2, False)


def test_runs_are_melds_unless_the_rules_say_otherwise():
    assert Game(pb2.GameStarted()).runs


def test_a_result_names_its_ending():
    result = result_of(
        pb2.GameOver(termination=3, winner=0, payments=[4, -2, -2], hands=[b"\1", b"", b""])
    )
    assert result.termination == "draw_contested"
    assert (result.winner, result.payments) == (0, (4, -2, -2))
    assert result_of(pb2.GameOver(termination=5)).winner is None
