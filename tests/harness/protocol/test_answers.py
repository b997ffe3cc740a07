"""What a bot answers and what becomes of it: chosen, refused, late, nobody's."""

import pytest
import trio
from tongits.v1 import table_pb2 as pb
from tongits_engine import ActionKind, parse_action
from tongits_harness.faults import Blame, FaultKind, Phase
from tongits_harness.play.warm_up import warm_up_asks
from tongits_harness.protocol import codec
from tongits_harness.protocol.conversation import Stage
from tongits_harness.protocol.decisions import Chosen, Failed
from tongits_harness.protocol.link import MESSAGE_LIMIT_BYTES

from tests.harness.protocol.bench import ask_for

LEGAL = warm_up_asks()[0].legal


def test_the_sample_position_only_offers_melds_and_discards():
    assert {action.kind for action in LEGAL} <= {ActionKind.EXPOSE, ActionKind.DISCARD}
    assert len(LEGAL) > 2


async def test_an_index_chooses_from_the_legal_list(open_bench):
    bench = open_bench()
    ids = bench.ask_games(2)
    bench.answer(ids[0], index=0)
    bench.answer(ids[1], index=len(LEGAL) - 1)
    assert [bench.replies[i].action for i in ids] == [LEGAL[0], LEGAL[-1]]


async def test_an_action_can_be_spelled_out_with_its_note(open_bench):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    action = codec.action_message(LEGAL[-1])
    bench.decide(pb.Decision(decision_id=number, action=action, note="high cards first"))
    assert bench.replies[number].action is LEGAL[-1]
    assert bench.replies[number].note == "high cards first"


async def test_cards_of_a_meld_may_be_named_in_any_order(open_bench):
    bench = open_bench()
    meld = parse_action("expose 4H 5H 6H")
    (number,) = bench.ask(ask_for(0, legal=(meld, *LEGAL)))
    action = pb.Action(kind=pb.ACTION_KIND_EXPOSE, cards=meld.cards[::-1])
    bench.decide(pb.Decision(decision_id=number, action=action))
    assert bench.replies[number].action is meld


HELD = {action.cards[0] for action in LEGAL if action.kind is ActionKind.DISCARD}
NOT_HELD = next(card for card in range(52) if card not in HELD)
REFUSED = [
    ("an index outside the list", {"index": 999}, FaultKind.ILLEGAL_ACTION, "999"),
    ("the index after the last", {"index": len(LEGAL)}, FaultKind.ILLEGAL_ACTION, str(len(LEGAL))),
    ("no choice at all", {}, FaultKind.BAD_MESSAGE, "neither an index nor an action"),
    (
        "a card that is not held",
        {"action": pb.Action(kind=pb.ACTION_KIND_DISCARD, cards=bytes([NOT_HELD]))},
        FaultKind.ILLEGAL_ACTION,
        "not among",
    ),
    (
        "an action of another phase",
        {"action": pb.Action(kind=pb.ACTION_KIND_FOLD)},
        FaultKind.ILLEGAL_ACTION,
        "'fold' is not among",
    ),
    (
        "a kind that does not exist",
        {"action": pb.Action(kind=77)},
        FaultKind.ILLEGAL_ACTION,
        "kind 77",
    ),
    ("no kind", {"action": pb.Action()}, FaultKind.ILLEGAL_ACTION, "kind 0"),
    (
        "a number that is no card",
        {"action": pb.Action(kind=pb.ACTION_KIND_DISCARD, cards=b"\xff")},
        FaultKind.ILLEGAL_ACTION,
        "no action",
    ),
    (
        "two cards at once",
        {"action": pb.Action(kind=pb.ACTION_KIND_DISCARD, cards=bytes(sorted(HELD)[:2]))},
        FaultKind.ILLEGAL_ACTION,
        "no action",
    ),
    (
        "three cards that are no meld",
        {"action": pb.Action(kind=pb.ACTION_KIND_EXPOSE, cards=bytes([0, 5, 10]))},
        FaultKind.ILLEGAL_ACTION,
        "no action",
    ),
    (
        "a meld number where there is none",
        {"action": pb.Action(kind=pb.ACTION_KIND_LAYOFF, cards=b"\x00", meld=4_000_000_000)},
        FaultKind.ILLEGAL_ACTION,
        "no action",
    ),
]


@pytest.mark.parametrize(
    ("choice", "kind", "words"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED]
)
async def test_a_bad_answer_is_a_fault_with_its_evidence(open_bench, choice, kind, words):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    bench.decide(pb.Decision(decision_id=number, note="why not", **choice))
    reply = bench.replies[number]
    assert isinstance(reply, Failed)
    assert (reply.fault.kind, reply.fault.blame, reply.fault.phase) == (
        kind,
        Blame.BOT,
        Phase.DECISION,
    )
    assert words in reply.fault.message
    assert "why not" in reply.fault.evidence["answer"]
    assert pb.DecisionRequest.FromString(reply.request) == bench.link.requests()[-1]
    assert not reply.process_lost
    assert bench.talk.stage is Stage.READY


async def test_evidence_is_bounded(open_bench):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    bench.decide(pb.Decision(decision_id=number, index=999, note="x" * 60_000))
    assert len(bench.replies[number].fault.evidence["answer"]) <= 2048


async def test_answers_in_any_order_reach_who_asked(open_bench, autojump_clock):
    bench = open_bench()
    first, second, third = bench.ask_games(3)
    await trio.sleep(0.25)
    bench.answer(third, second, index=1)
    await trio.sleep(0.25)
    bench.answer(first)
    charges = {number: reply.elapsed_us for number, reply in bench.replies.items()}
    assert charges == {first: pytest.approx(500_000, abs=10), second: 0, third: 0}
    assert bench.replies[third].action is LEGAL[1]


async def test_the_caller_is_told_once_that_nothing_is_outstanding(open_bench):
    bench = open_bench()
    first, second = bench.ask_games(2)
    bench.answer(second)
    assert bench.rounds_done == 0
    bench.answer(first)
    assert bench.rounds_done == 1


async def test_a_late_answer_is_dropped_and_is_no_stray(open_bench, autojump_clock):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    await trio.sleep(1.5)
    assert isinstance(bench.replies[number], Failed)
    bench.answer(number)
    assert isinstance(bench.replies[number], Failed)
    assert bench.talk.strays == 0
    bench.answer(number)
    assert bench.talk.strays == 1


async def test_an_answer_counts_once_however_often_it_comes(open_bench):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    bench.decide(pb.Decision(decision_id=number, index=1), pb.Decision(decision_id=number, index=0))
    assert bench.replies[number].action is LEGAL[1]
    assert bench.talk.strays == 1


@pytest.mark.parametrize("at_once", [True, False])
async def test_sixteen_answers_that_nobody_asked_for_are_forgiven(open_bench, at_once):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    for ids in [range(500, 516)] if at_once else [[i] for i in range(500, 516)]:
        bench.answer(*ids)
    assert bench.talk.strays == 16
    assert bench.talk.fault is None
    bench.answer(number)
    assert isinstance(bench.replies[number], Chosen)


async def test_the_seventeenth_breaks_the_protocol(open_bench):
    bench = open_bench()
    (number,) = bench.ask_games(1)
    bench.answer(*[0] * 17)
    assert bench.talk.fault.kind is FaultKind.BAD_MESSAGE
    assert "17 answers" in bench.talk.fault.message
    assert bench.talk.over.is_set()
    assert [p.ask.game.game_id for p in bench.talk.outstanding] == [b"game-0"]
    assert number not in bench.replies


async def test_a_game_is_told_as_begun_once(open_bench):
    bench = open_bench()
    for _ in range(2):
        bench.answer(*bench.ask(ask_for(7)))
    started = [game for message in bench.link.sent for game in message.started]
    assert [(game.game_id, game.resumed) for game in started] == [("game-7", False)]


async def test_a_game_of_an_earlier_process_is_told_as_resumed(open_bench):
    bench = open_bench()
    bench.ask(ask_for(1), ask_for(2), known=lambda game: game.game_id == b"game-2")
    started = {game.game_id: game.resumed for game in bench.link.sent[-1].started}
    assert started == {"game-1": False, "game-2": True}


async def test_only_who_knows_a_game_is_told_of_its_end_and_once(open_bench):
    bench = open_bench()
    bench.answer(*bench.ask(ask_for(1)))
    over = pb.GameOver(winner=2).SerializeToString()
    for game_id in (b"game-1", b"game-1", b"game-9"):
        bench.talk.tell_over(game_id, over)
    bench.talk.flush()
    assert [(g.game_id, g.winner) for m in bench.link.sent for g in m.over] == [("game-1", 2)]


async def test_the_end_of_a_game_travels_with_the_next_request(open_bench):
    bench = open_bench()
    bench.answer(*bench.ask(ask_for(1)))
    sent_before = len(bench.link.sent)
    bench.talk.tell_over(b"game-1", b"")
    bench.ask(ask_for(2))
    (message,) = bench.link.sent[sent_before:]
    assert [over.game_id for over in message.over] == ["game-1"]
    assert [request.game_id for request in message.requests] == ["game-2"]


async def test_a_bot_never_holds_more_games_than_it_wants(open_bench):
    bench = open_bench(games=1)
    bench.answer(*bench.ask(ask_for(1)))
    sent_before = len(bench.link.sent)
    bench.talk.tell_over(b"game-1", b"")
    bench.ask(ask_for(2))
    over, request = bench.link.sent[sent_before:]
    assert [game.game_id for game in over.over] == ["game-1"]
    assert [game.game_id for game in request.started] == ["game-2"]


async def test_a_batch_is_split_where_a_message_would_be_too_large(open_bench):
    bench = open_bench(games=64)
    sent_before = len(bench.link.sent)
    ids = bench.ask_games(64, padding=4000)
    messages = bench.link.sent[sent_before:]
    assert len(messages) > 1
    assert max(bench.link.sizes) <= MESSAGE_LIMIT_BYTES
    assert [r.decision_id for m in messages for r in m.requests] == ids
    for message in messages:
        begun = {game.game_id for game in message.started}
        assert {request.game_id for request in message.requests} == begun


async def test_the_link_is_told_how_many_answers_may_come(open_bench):
    bench = open_bench(games=64)
    bench.ask_games(64, padding=4000)
    assert bench.link.asked == 64
