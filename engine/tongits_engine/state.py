"""The value of a game at one moment, and the deal that starts it. Not what is legal next."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

from tongits_engine.cards import PACK, SEATS, is_pack, mask_of
from tongits_engine.errors import DeckError
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
_NO_BLOCKS: Final = (NEVER, NEVER, NEVER)

Answers = tuple[Answer, Answer, Answer]
NO_ANSWERS: Final[Answers] = (Answer.NONE, Answer.NONE, Answer.NONE)


_T = TypeVar("_T")


def with_value(values: tuple[_T, _T, _T], seat: int, value: _T) -> tuple[_T, _T, _T]:
    """The values by seat with that of one seat replaced."""
    if seat == 0:
        return value, values[1], values[2]
    if seat == 1:
        return values[0], value, values[2]
    return values[0], values[1], value


class State(NamedTuple):
    """A game at one moment; never changed, ``apply`` makes the next one."""

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

    @property
    def stock(self) -> bytes:
        """What is left of the stock, next card first."""
        return self.deck[self.drawn :]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER


class Step(NamedTuple):
    """What an action led to."""

    state: State
    events: tuple[Event, ...]


def deal(rules: Rules, deck: Sequence[int], dealer: int) -> State:
    """The first state of a game.

    Args:
        rules: What is played.
        deck: The 52 cards, top first.
        dealer: The seat that deals and plays first.

    Raises:
        DeckError: the deck is not the 52 cards, or the dealer no seat.

    Rule: R-DEAL-1, R-TURN-2.
    """
    if not is_pack(deck):
        raise DeckError("a deck is the 52 cards, each once")
    if dealer not in range(SEATS):
        raise DeckError(f"the dealer is seat 0, 1 or 2, not {dealer!r}")
    for_dealer, for_others = rules.deal_cards
    dealt_round = for_others * SEATS
    hands = [0, 0, 0]
    for place in range(SEATS):
        hands[(dealer + place) % SEATS] = mask_of(deck[place:dealt_round:SEATS])
    stock_start = dealt_round + for_dealer - for_others
    hands[dealer] |= mask_of(deck[dealt_round:stock_start])
    phase = Phase.START if rules.turn_dealer_draws_first else Phase.ACTION
    stock = bytes(deck[stock_start:PACK])
    return tuple.__new__(
        State,
        (
            rules, phase, dealer, dealer, 0, (hands[0], hands[1], hands[2]), stock, 0, b"",
            (), 0, _NO_BLOCKS, 0, -1, -1, NO_ANSWERS, Termination.NONE,
        ),
    )  # fmt: skip
