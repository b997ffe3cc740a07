"""What a bot is shown and what it may answer: thin values over the protocol's messages."""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random

from tongits.v1 import table_pb2 as pb2

from tongits_bot.values import Action, Event, EventKind, Kind, Meld, Phase, Result


class Game:
    """What stays the same throughout one game."""

    __slots__ = (
        "bot_seed",
        "dealer",
        "history",
        "id",
        "parameters",
        "pot",
        "resumed",
        "rules",
        "runs",
        "seat",
        "streaks",
    )

    def __init__(self, message: pb2.GameStarted) -> None:
        self.id: str = message.game_id
        self.rules: str = message.rules
        self.parameters: Mapping[str, object] = {
            name: _value(text) for name, text in message.parameters.items()
        }
        """Those that are not as in tongits-lite: `parameters.get("layoff.enabled", True)`."""
        self.runs = self.parameters.get("meld.runs", True) is not False
        """Whether runs are melds under these rules."""
        self.seat: int = message.seat
        self.dealer: int = message.dealer
        self.bot_seed: bytes = message.bot_seed
        self.pot: int = message.pot
        self.streaks = tuple(message.streaks)
        """Games won in a row by each seat."""
        self.resumed: bool = message.resumed
        self.history = events_of(message.history)
        """Only if the game is resumed: all its events so far."""


class View:
    """What your seat sees at one decision, and the actions it may choose from."""

    __slots__ = (
        *(
            "_legal",
            "_melds",
            "_message",
            "_rng",
            "decision_id",
            "discards",
            "game",
            "hand",
            "note",
        ),
        *("phase", "seat", "stock_size", "time_left_us", "turn"),
    )

    def __init__(
        self,
        message: pb2.Observation,
        game: Game,
        time_left_us: int = 0,
        decision_id: int = 0,
    ) -> None:
        self._message = message
        self._legal: tuple[Action, ...] | None = None
        self._melds: tuple[Meld, ...] | None = None
        self._rng: Random | None = None
        self.game = game
        self.time_left_us = time_left_us
        self.decision_id = decision_id
        """Counts the decisions of this process, from 1."""
        self.note = ""
        """Set it to have a text shown beside this decision in the replay."""
        self.seat: int = message.seat
        self.phase = _PHASES[message.phase]
        self.turn: int = message.turn
        """Number of the turn in this game, from 0."""
        self.hand: bytes = message.hand
        """In card order."""
        self.stock_size: int = message.stock_size
        self.discards: bytes = message.discards
        """Oldest first: the last one may be taken."""

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards in the hand of each seat."""
        return tuple(self._message.hand_sizes[:])  # a slice is read at twice the speed

    @property
    def opened(self) -> tuple[bool, ...]:
        """Whether each seat owns a meld on the table."""
        return tuple(self._message.opened[:])

    @property
    def call_blocked(self) -> tuple[bool, ...]:
        """Whether a lay-off keeps each seat from calling Draw on its next turn."""
        return tuple(self._message.call_blocked[:])

    @property
    def caller(self) -> int | None:
        """In RESPOND: the seat that called Draw."""
        return self._message.caller if self._message.HasField("caller") else None

    @property
    def caller_points(self) -> int | None:
        """In RESPOND: the caller's points, where the rules have them announced."""
        return self._message.caller_points if self._message.HasField("caller_points") else None

    @property
    def challengers(self) -> tuple[int, ...]:
        """In RESPOND: seats that have challenged so far."""
        return tuple(self._message.challengers[:])

    @property
    def legal(self) -> tuple[Action, ...]:
        """The actions to choose from: at least two, in canonical order."""
        if self._legal is None:
            self._legal = tuple([_action(a.kind, a.cards, a.meld) for a in self._message.legal[:]])
        return self._legal

    @property
    def melds(self) -> tuple[Meld, ...]:
        """Melds on the table in order of exposure: meld number = position."""
        if self._melds is None:
            self._melds = tuple(
                [Meld(m.owner, m.cards, m.face_down, m.size) for m in self._message.melds[:]]
            )
        return self._melds

    @property
    def events(self) -> tuple[Event, ...]:
        """What everybody saw since your last decision in this game, oldest first."""
        return events_of(self._message.events)

    @property
    def rng(self) -> Random:
        """Chance for this decision, drawn from `bot_seed` and from what is on the table.

        It does not depend on earlier decisions of this process, so that a bot that takes all its
        chance from here plays alike after a restart and on another machine.
        """
        if self._rng is None:
            where = bytes((self.turn & 255, self.phase)) + self.hand
            self._rng = Random(int.from_bytes(self.game.bot_seed + where, "big"))
        return self._rng


_PHASES = (Phase.START, *Phase)  # an unspecified phase (0) never reaches a bot
_value = lru_cache(maxsize=1024)(json.loads)


@lru_cache(maxsize=4096)
def _action(kind: int, cards: bytes, meld: int) -> Action:
    """One shared value for equal actions: making it anew for each decision would cost more."""
    return Action(Kind(kind), cards, meld)


def events_of(messages: Iterable[pb2.Event]) -> tuple[Event, ...]:
    """Events out of their messages."""
    return tuple(
        Event(
            m.number,
            EventKind(m.kind),
            m.seat,
            m.cards,
            m.meld,
            m.points if m.HasField("points") else None,
        )
        for m in messages
    )


def result_of(message: pb2.GameOver) -> Result:
    """The result out of its message."""
    termination = pb2.Termination.Name(message.termination).removeprefix("TERMINATION_").lower()
    winner = message.winner if message.HasField("winner") else None
    return Result(termination, winner, tuple(message.payments), tuple(message.hands))


def message_of(action: Action) -> pb2.Action:
    """The action as a message."""
    kind, cards, meld = action
    return pb2.Action(kind=pb2.ActionKind.Name(kind), cards=cards, meld=meld)
