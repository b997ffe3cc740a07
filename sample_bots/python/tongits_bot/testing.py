"""Make a View out of text, for the unit tests of a bot. No harness and no gRPC needed."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tongits.v1 import table_pb2 as pb2

from tongits_bot.cards import parse_cards
from tongits_bot.values import Action, Phase
from tongits_bot.view import Game, View, message_of


def make_game(
    *,
    rules: str = "tongits-lite",
    parameters: Mapping[str, object] | None = None,
    seat: int = 0,
    bot_seed: bytes = bytes(8),
) -> Game:
    """A game as `GameStarted` tells it; parameters by their dotted name."""
    values = {name: json.dumps(value) for name, value in (parameters or {}).items()}
    return Game(
        pb2.GameStarted(
            game_id="test",
            rules=rules,
            parameters=values,
            seat=seat,
            bot_seed=bot_seed,
            pot=6,
            streaks=[0, 0, 0],
        )
    )


def make_view(
    hand: str,
    legal: Sequence[str],
    *,
    game: Game | None = None,
    phase: Phase = Phase.ACTION,
    turn: int = 3,
    discards: str = "",
    melds: Sequence[str] = (),
    hand_sizes: tuple[int, int, int] | None = None,
    stock_size: int = 10,
    caller: int | None = None,
) -> View:
    """The view of `game.seat`.

    Args:
        hand: "4H 5H 6H KS", in any order.
        legal: Texts of the actions to choose from, for instance "discard KS".
        game: What `make_game` gave; else a game of tongits-lite at seat 0.
        phase: START, ACTION or RESPOND.
        turn: Number of the turn.
        discards: The pile, oldest first.
        melds: Owner and cards, "1: 7C 7D 7H", in order of exposure; a seat with a meld has opened.
        hand_sizes: Cards in the hand of each seat; else 12, and as many as you hold.
        stock_size: Cards left in the stock.
        caller: In RESPOND, who called.
    """
    game = game or make_game()
    table = [_meld(text) for text in melds]
    cards = bytes(sorted(parse_cards(hand)))
    sizes = hand_sizes or tuple(len(cards) if seat == game.seat else 12 for seat in range(3))
    owners = {meld.owner for meld in table}
    message = pb2.Observation(
        seat=game.seat,
        phase=pb2.Phase.Name(phase),
        turn=turn,
        hand=cards,
        hand_sizes=sizes,
        opened=[seat in owners for seat in range(3)],
        call_blocked=[False] * 3,
        stock_size=stock_size,
        discards=parse_cards(discards),
        melds=table,
        caller=caller,
        legal=[message_of(Action.parse(text)) for text in legal],
    )
    return View(message, game)


def read_views(file: Path) -> Iterator[tuple[str, View]]:
    """Name and view of every recorded observation in a file.

    Args:
        file: `corpus.jsonl`, or what `tongits check --save` wrote.
    """
    for line in file.read_text(encoding="utf-8").splitlines():
        recorded = json.loads(line)
        started = pb2.GameStarted.FromString(base64.b64decode(recorded["started"]))
        request = pb2.DecisionRequest.FromString(base64.b64decode(recorded["request"]))
        yield recorded["id"], View(request.observation, Game(started), request.time_left_us)


def _meld(text: str) -> pb2.Meld:
    owner, _, cards = text.partition(":")
    held = bytes(sorted(parse_cards(cards)))
    return pb2.Meld(owner=int(owner), cards=held, size=len(held))
