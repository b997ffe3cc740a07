"""The value of a game at one moment. Not its start (``dealing``), nor what is legal next."""

from enum import IntEnum
from typing import Final, NamedTuple

from tongits_engine.actions import Action
from tongits_engine.events import Event
from tongits_engine.meld_shapes import MeldKind
from tongits_engine.rules import Rules


class Phase(IntEnum):
    """What kind of decision is due."""

    START = 1
    ACTION = 2
    RESPOND = 3
    OVER = 4

    @property
    def text(self) -> str:
        """The phase in small letters, as the referee prints it."""
        return self.name.lower()


class Answer(IntEnum):
    """What a seat said to the call of Draw."""

    NONE = 0
    CHALLENGED = 1
    FOLDED = 2
    AUTO_FOLDED = 3


class Termination(IntEnum):
    """How a game ended."""

    NONE = 0
    """It has not ended."""
    TONGITS = 1
    DRAW_UNCONTESTED = 2
    DRAW_CONTESTED = 3
    STOCK_OUT = 4
    VOID = 5

    @property
    def text(self) -> str:
        """The termination in small letters, as results print it."""
        return self.name.lower()


_OVER: Final = Phase.OVER


class LaidOff(NamedTuple):
    """A card that was laid off, and by whom."""

    seat: int
    card: int


class Meld(NamedTuple):
    """A meld on the table."""

    number: int
    """Place in order of exposure over all seats, from 0. Rule: R-MELD-5."""
    owner: int
    kind: MeldKind
    cards: bytes
    """In card order, laid-off ones included; empty where hidden."""
    size: int
    concealed: bool
    """A four put down face down; a meld turned down after it was shown is not concealed."""
    taken: bool
    """It was made with a discard."""
    laid_off: tuple[LaidOff, ...]
    """In the order they were laid off."""
    mask: int
    """``cards`` as a set; 0 where hidden."""
    fits: int
    """The cards that may be laid off on it now, as a set."""


Triple = tuple[int, int, int]
"""A number by seat."""

NEVER: Final = -100
FOR_GOOD: Final = 1_000_000
"""Turn indices for ``State.blocks``: before and after every turn."""

Answers = tuple[Answer, Answer, Answer]
NO_ANSWERS: Final[Answers] = (Answer.NONE, Answer.NONE, Answer.NONE)


def with_number(numbers: Triple, seat: int, number: int) -> Triple:
    """The numbers by seat with that of one seat replaced."""
    first, second, third = numbers
    if seat == 0:
        return number, second, third
    if seat == 1:
        return first, number, third
    return first, second, number


def with_answer(answers: Answers, seat: int, answer: Answer) -> Answers:
    """The answers by seat with that of one seat replaced."""
    given = [answer if by == seat else known for by, known in enumerate(answers)]
    return given[0], given[1], given[2]


class State:
    """A game at one moment; never changed, ``apply`` makes the next one.

    Made by ``deal``, ``position`` and ``apply`` alone, which fill it field by field: for the
    interpreter that is the fastest way, and this is the inner loop of a tournament.
    """

    __slots__ = (
        "answers", "blocks", "caller", "dealer", "deck", "discards", "drawn", "hands",
        "known_legal", "last_drawer", "melds", "melds_this_turn", "opened", "phase", "rules",
        "termination", "to_act", "turn",
    )  # fmt: skip

    rules: Rules
    phase: Phase
    to_act: int
    """The seat that decides; once the game is over, the seat that acted last."""
    dealer: int
    turn: int
    """Index of the turn, from 0 (the dealer's first); kept while answers are due."""
    hands: Triple
    """By seat, as sets of cards."""
    deck: bytes
    """The stock from its first card on, drawn ones included."""
    drawn: int
    """How many cards of ``deck`` have been drawn."""
    discards: bytes
    """Oldest first, the top last."""
    melds: tuple[Meld, ...]
    """By number."""
    opened: int
    """Bit ``seat`` is set for every seat that owns a meld on the table. Rule: R-EXP-5."""
    blocks: Triple
    """By seat: the latest turn index at which something happened that stops a call."""
    melds_this_turn: int
    """How many melds were exposed or concealed in this turn."""
    last_drawer: int
    """The seat that drew last from the stock, -1 if nobody did."""
    caller: int
    """The seat that called Draw, else -1."""
    answers: Answers
    """By seat."""
    termination: Termination
    known_legal: tuple[Action, ...] | None
    """What ``legal_actions`` has found here, once it was asked; no part of the value."""

    @property
    def stock(self) -> bytes:
        """What is left of the stock, next card first."""
        return self.deck[self.drawn :]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is _OVER

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        named = zip(_FIELDS, _values(self), strict=True)
        return f"State({', '.join([f'{name}={value!r}' for name, value in named])})"

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _restored, (_values(self),)


_FIELDS: Final = (
    "rules", "phase", "to_act", "dealer", "turn", "hands", "deck", "drawn", "discards", "melds",
    "opened", "blocks", "melds_this_turn", "last_drawer", "caller", "answers", "termination",
)  # fmt: skip


def _values(state: State) -> tuple[object, ...]:
    return tuple([getattr(state, name) for name in _FIELDS])


def _restored(values: tuple[object, ...]) -> State:
    state = State()
    for name, value in zip(_FIELDS, values, strict=True):
        setattr(state, name, value)
    state.known_legal = None
    return state


def copied(state: State) -> State:
    """A state to be changed into the next one, before anybody else sees it."""
    after = State()
    after.rules = state.rules
    after.phase = state.phase
    after.to_act = state.to_act
    after.dealer = state.dealer
    after.turn = state.turn
    after.hands = state.hands
    after.deck = state.deck
    after.drawn = state.drawn
    after.discards = state.discards
    after.melds = state.melds
    after.opened = state.opened
    after.blocks = state.blocks
    after.melds_this_turn = state.melds_this_turn
    after.last_drawer = state.last_drawer
    after.caller = state.caller
    after.answers = state.answers
    after.termination = state.termination
    after.known_legal = None
    return after


class Step(NamedTuple):
    """What an action led to."""

    state: State
    events: tuple[Event, ...]
