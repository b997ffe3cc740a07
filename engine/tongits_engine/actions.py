"""Every action of the game, made once, with its text. Knows nothing of what is legal.

An action is identified by its place in ``ACTIONS``; the order there is the canonical order of
legal lists. Because actions are made once, they compare by identity.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from tongits_engine.cards import CARD_TEXTS, PACK, cards_text, mask_of, parse_card
from tongits_engine.errors import EngineError, InvalidAction
from tongits_engine.meld_shapes import MAX_MELDS, MELD_SHAPES


class ActionKind(IntEnum):
    """What an action does."""

    DRAW = 1
    TAKE = 2
    EXPOSE = 3
    CONCEAL = 4
    LAYOFF = 5
    DISCARD = 6
    CALL = 7
    CHALLENGE = 8
    FOLD = 9


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """One thing a seat can do; find it in ``ACTIONS`` or by ``parse_action``."""

    code: int
    """Place in ``ACTIONS``."""
    kind: ActionKind
    cards: bytes
    """Cards named, in card order; for a take the whole meld with the top discard in it."""
    meld: int
    """Number of the meld a lay-off goes to, else -1."""
    text: str
    """The canonical text, for instance ``take 4H 5H 6H``."""
    mask: int
    """The cards named, as a set."""

    def __reduce__(self) -> "tuple[object, tuple[int]]":
        return action_of, (self.code,)

    def __repr__(self) -> str:
        return f"<{self.text}>"


def action_of(code: int) -> Action:
    """The action with this code."""
    return ACTIONS[code]


def _outlines() -> Iterator[tuple[ActionKind, bytes, int]]:
    melds = [shape.cards for shape in MELD_SHAPES]
    yield ActionKind.DRAW, b"", -1
    yield from ((ActionKind.TAKE, cards, -1) for cards in melds)
    yield from ((ActionKind.EXPOSE, cards, -1) for cards in melds)
    yield from ((ActionKind.CONCEAL, bytes(range(c, c + 4)), -1) for c in range(0, PACK, 4))
    for card in range(PACK):
        yield from ((ActionKind.LAYOFF, bytes([card]), number) for number in range(MAX_MELDS))
    yield from ((ActionKind.DISCARD, bytes([card]), -1) for card in range(PACK))
    yield from ((kind, b"", -1) for kind in (ActionKind.CALL, ActionKind.CHALLENGE))
    yield ActionKind.FOLD, b"", -1


def _action(code: int, kind: ActionKind, cards: bytes, meld: int) -> Action:
    text = " ".join(filter(None, [kind.name.lower(), cards_text(cards)]))
    if meld >= 0:
        text += f" {meld}"
    return Action(code, kind, cards, meld, text, mask_of(cards))


ACTIONS: Final[tuple[Action, ...]] = tuple(
    _action(code, *outline) for code, outline in enumerate(_outlines())
)
"""All actions under all rules, in canonical order."""

_BY_TEXT: Final = {action.text: action for action in ACTIONS}
_MELD_WORDS: Final = ("take", "expose", "conceal")
_BARE_WORDS: Final = ("draw", "call", "challenge", "fold")

DRAW: Final = _BY_TEXT["draw"]
CALL: Final = _BY_TEXT["call"]
CHALLENGE: Final = _BY_TEXT["challenge"]
FOLD: Final = _BY_TEXT["fold"]
TAKE_OF_SHAPE: Final = ACTIONS[1 : 1 + len(MELD_SHAPES)]
EXPOSE_OF_SHAPE: Final = ACTIONS[1 + len(MELD_SHAPES) : 1 + 2 * len(MELD_SHAPES)]
CONCEAL_OF_RANK: Final = tuple(a for a in ACTIONS if a.kind is ActionKind.CONCEAL)
DISCARD_OF_CARD: Final = tuple(a for a in ACTIONS if a.kind is ActionKind.DISCARD)
_LAYOFFS: Final = tuple(a for a in ACTIONS if a.kind is ActionKind.LAYOFF)
LAYOFF_OF_CARD: Final = tuple(
    _LAYOFFS[card * MAX_MELDS : (card + 1) * MAX_MELDS] for card in range(PACK)
)
"""Lay-offs by card, then by meld number."""


def parse_action(text: str) -> Action:
    """The action a canonical text means.

    Raises:
        InvalidAction: the text is no action, or not written in the canonical form (one space
            between words; cards of a meld by rank, then C < D < H < S; a plain meld number).
    """
    action = _BY_TEXT.get(text)
    if action is None:
        raise InvalidAction(f"{text!r} is no action: {_reason(text)}")
    return action


def _reason(text: str) -> str:
    words = text.split()
    if not words:
        return "it is empty"
    if " ".join(words) != text:
        return "write single spaces between words and none at the ends"
    verb, *rest = words
    if verb in _BARE_WORDS:
        return f"'{verb}' stands alone"
    if verb == "discard":
        return _card_reason(rest, 1) or "write 'discard' and one card"
    if verb == "layoff":
        return _layoff_reason(rest)
    if verb in _MELD_WORDS:
        return _card_reason(rest, len(rest)) or _meld_reason(verb, rest)
    verbs = ", ".join([*_BARE_WORDS, *_MELD_WORDS, "layoff", "discard"])
    return f"unknown verb {verb!r}, write one of {verbs}"


def _card_reason(words: list[str], count: int) -> str:
    if len(words) != count or not words:
        return "the number of cards is wrong"
    for word in words:
        try:
            parse_card(word)
        except EngineError as error:
            return str(error)
    return ""


def _layoff_reason(words: list[str]) -> str:
    if len(words) != 2:  # a card and a meld number
        return "write 'layoff', one card and a meld number"
    top = MAX_MELDS - 1
    return _card_reason(words[:1], 1) or f"{words[1]!r} is no meld number (0 to {top}, plain)"


def _meld_reason(verb: str, words: list[str]) -> str:
    ordered = sorted(set(words), key=CARD_TEXTS.index)
    if len(ordered) != len(words):
        return "a card is named twice"
    if ordered != words:
        return f"cards go by rank, then C < D < H < S: {verb} {' '.join(ordered)}"
    if verb == "conceal":
        return "only a set of four can be concealed"
    return "the cards are neither a set (three or four of one rank) nor a run of one suit"
