"""The SDK's side of the stream, played by real processes at a scripted table."""

import grpc
import pytest
from tongits.v1 import table_pb2 as pb2
from tongits_bot.testing import make_view

from tests.bots.scripted_table import LIMIT_S, TOKEN, ScriptedTable, start_bot

pytestmark = pytest.mark.process

FIRST = "from tongits_bot import serve; serve(lambda view: view.legal[0], concurrent_games=7)"
LAST_WITH_NOTE = """
from tongits_bot import serve
def decide(view):
    view.note = "of " + view.game.id
    return view.legal[-1]
serve(decide)
"""
STRANGE = "from tongits_bot import *; serve(lambda view: Action.parse('discard KS'))"
BROKEN = """
from tongits_bot import serve
def decide(view):
    if view.turn == 5:
        raise ZeroDivisionError("turn five")
    return view.legal[0]
serve(decide)
"""
REMEMBERS = """
from tongits_bot import GameBot, serve_games
class Bot(GameBot):
    def start(self, game):
        self.game, self.seen = game, []
    def observe(self, event):
        self.seen.append(event.number)
    def decide(self, view):
        view.note = f"{self.game.id} {self.seen}"
        return view.legal[0]
    def over(self, result):
        print(self.game.id, self.seen, result.termination, result.winner)
serve_games(Bot)
"""


@pytest.fixture
def table():
    with ScriptedTable() as table:
        yield table


@pytest.fixture
def start(table, tmp_path):
    started = []

    def start_program(program, address=table.address):
        process = start_bot(["python3", "-c", program], address, cwd=tmp_path)
        started.append(process)
        return process

    yield start_program
    for process in started:
        process.kill()
        process.communicate()


def request(number, game="g", turn=3, events=()):
    view = make_view("9C 4H KD", ["discard 4H", "discard 9C", "discard KD"], turn=turn)
    observation = view._message
    for event in events:
        observation.events.add(number=event, kind=6, seat=1, cards=b"\5")
    return pb2.DecisionRequest(
        decision_id=number, game_id=game, time_left_us=1_000_000, observation=observation
    )


def started(*games, **fields):
    return [pb2.GameStarted(game_id=game, bot_seed=bytes(8), **fields) for game in games]


def finish(table, process):
    table.end()
    out, err = process.communicate(timeout=LIMIT_S)
    return process.returncode, out, err


def test_hello_comes_first_and_the_end_of_the_stream_is_a_quiet_end(table, start):
    process = start(FIRST)
    hello = table.welcome()
    assert (hello.protocol_version, hello.token, hello.concurrent_games) == (1, TOKEN, 7)
    assert hello.sdk.startswith("tongits_bot")
    assert finish(table, process) == (0, "", "")


def test_a_batch_is_answered_in_order_by_index_in_one_message(table, start):
    process = start(LAST_WITH_NOTE)
    table.welcome()
    requests = [request(1, "a"), request(2, "b"), request(3, "a")]
    table.send(pb2.TableMessage(started=started("a", "b"), requests=requests))
    answers = table.receive().decisions.decisions
    assert [(a.decision_id, a.index, a.note) for a in answers] == [
        (1, 2, "of a"),
        (2, 2, "of b"),
        (3, 2, "of a"),
    ]
    assert finish(table, process)[0] == 0


def test_answers_are_sent_early_when_a_tenth_of_the_limit_has_passed(table, start):
    start(FIRST)
    table.welcome(decision_limit_us=0)
    requests = [request(number) for number in range(1, 4)]
    table.send(pb2.TableMessage(started=started("g"), requests=requests))
    sizes = [len(table.receive().decisions.decisions) for _ in requests]
    assert sizes == [1, 1, 1]


def test_practice_decisions_of_an_unannounced_game_are_answered(table, start):
    start(FIRST)
    table.welcome()
    table.send(pb2.TableMessage(requests=[request(1, "warm-up")]))
    assert [a.decision_id for a in table.answers(1)] == [1]


def test_an_action_that_is_not_legal_is_sent_spelled_out(table, start):
    start(STRANGE)
    table.welcome()
    table.send(pb2.TableMessage(started=started("g"), requests=[request(1)]))
    (answer,) = table.answers(1)
    assert answer.WhichOneof("choice") == "action"
    assert (answer.action.kind, answer.action.cards) == (pb2.ACTION_KIND_DISCARD, b"\x33")


def test_an_exception_ends_the_process_after_the_answers_before_it(table, start):
    process = start(BROKEN)
    table.welcome()
    requests = [request(1), request(2), request(3, turn=5), request(4)]
    table.send(pb2.TableMessage(started=started("g"), requests=requests))
    assert [a.decision_id for a in table.receive().decisions.decisions] == [1, 2]
    assert table.receive_raw() is None
    code, _, err = finish(table, process)
    assert code == 1
    assert "ZeroDivisionError: turn five" in err


def test_events_are_observed_once_each_also_over_a_resume(table, start):
    process = start(REMEMBERS)
    table.welcome()
    history = [pb2.Event(number=n, kind=6, seat=1, cards=b"\5") for n in range(3)]
    table.send(
        pb2.TableMessage(
            started=started("new") + started("old", resumed=True, history=history),
            requests=[request(1, "new", events=[0]), request(2, "old", events=[2, 3])],
        )
    )
    assert [a.note for a in table.answers(2)] == ["new [0]", "old [0, 1, 2, 3]"]
    last = pb2.Event(number=4, kind=6, seat=1, cards=b"\5")
    over = pb2.GameOver(game_id="old", termination=1, winner=2, events=[last])
    table.send(pb2.TableMessage(over=[over]))
    code, out, _ = finish(table, process)
    assert (code, out) == (0, "old [0, 1, 2, 3, 4] tongits 2\n")


def test_a_refusal_is_shown_to_the_author(table, start):
    process = start(FIRST)
    table.receive()
    table.refuse(grpc.StatusCode.FAILED_PRECONDITION, "this harness speaks version 2")
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1
    assert "this harness speaks version 2" in err


def test_a_table_that_is_taken_away_is_a_quiet_end(table, start):
    process = start(FIRST)
    table.welcome()
    table.send(pb2.TableMessage(started=started("g"), requests=[request(1)]))
    table.answers(1)
    table.refuse(grpc.StatusCode.UNAVAILABLE, "gone")
    out, err = process.communicate(timeout=LIMIT_S)
    assert (process.returncode, out, err) == (0, "", "")


def test_without_an_address_a_bot_tells_how_it_is_run(start):
    process = start(FIRST, address=None)
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert "tongits run" in err
    assert "Traceback" not in err
