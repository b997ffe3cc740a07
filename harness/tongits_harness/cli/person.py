"""A person at the table: sees what a seat may see, chooses by number or by text."""

import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import trio
from tongits_engine import (
    RANKS,
    SUITS,
    Action,
    EngineError,
    State,
    legal_actions,
    parse_action,
    why_illegal,
)

from tongits_harness.cli.table_view import WIDTH, draw_table
from tongits_harness.cli.watching import Watching
from tongits_harness.protocol.decisions import Ask, Chosen, Reply

PROMPT = "your move (number or words, ? help, q leaves): "
_GAP = 3
_VERBS = ("draw", "take", "expose", "conceal", "layoff", "discard", "call", "challenge", "fold")
HELP = """\
A turn: draw from the stock, or take the top of the pile with a meld from your hand, or call Draw;
then put down melds and lay cards off as you like; a discard ends the turn.
  3                  the choice of that number
  draw               a card from the stock
  take 4H 5H 6H      the top of the pile, with this meld
  expose 7C 7D 7H    a meld onto the table; conceal for a four, face down
  layoff 7H 0        a card onto meld number 0
  discard 9C         or just 9C; ends your turn
  call               Draw; the others then challenge or fold
  t                  the table once more
  ?                  this help; `tongits rules` explains the game
  q                  leaves the table
Small letters do, verbs may be cut short (`dis 9c`), cards may come in any order."""


class LeftError(Exception):
    """The person left the table."""


class Lines:
    """Lines of standard input, a terminal or a pipe, read without a thread."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._held = b""
        self._is_over = False

    async def next(self) -> str | None:
        """The next line without its end; None when there is no more."""
        while b"\n" not in self._held and not self._is_over:
            await self._readable()
            data = os.read(self._descriptor, 4096)
            self._is_over = not data
            self._held += data
        if not self._held:
            return None
        line, _, self._held = self._held.partition(b"\n")
        return line.decode("utf-8", "replace").rstrip("\r")

    async def _readable(self) -> None:
        try:
            await trio.lowlevel.wait_readable(self._descriptor)
        except PermissionError:  # a regular file is always readable, and cannot be waited for
            await trio.lowlevel.checkpoint()


@dataclass(slots=True)
class PersonPlayer:
    """Asks a person (a `quick.Player`); no clock runs."""

    seat: int
    watching: Watching
    lines: Lines
    tell: Callable[[str], None]
    prompt: Callable[[str], None]
    """Writes without a line's end."""
    _is_new: bool = field(default=True)

    async def answer(self, ask: Ask) -> Reply:  # noqa: ARG002  # the table itself is looked at
        """The person's choice.

        Raises:
            LeftError: the person left, or there is no more input.
        """
        state = self.watching.state
        if state is None:
            raise RuntimeError("a person is asked before the cards are dealt")
        self._show(state)
        while True:
            self.prompt(PROMPT)
            line = await self.lines.next()
            if line is None or line.strip().lower() in {"q", "quit", "exit"}:
                raise LeftError
            chosen = self._read(state, line.strip())
            if chosen is not None:
                return Chosen(chosen, 0)

    def tell_over(self, game_id: bytes, over: bytes) -> None:
        """The result is shown by `Watching`."""

    def _show(self, state: State) -> None:
        self.tell("")
        self.watching.tell_since("so far:" if self._is_new else "since you were asked last:")
        self._is_new = False
        self.tell("")
        self._draw(state)

    def _draw(self, state: State) -> None:
        names, pot = self.watching.names, self.watching.pot
        for line in draw_table(state, names, viewer=self.seat, pot=pot):
            self.tell(line)
        for line in menu(legal_actions(state)):
            self.tell(line)

    def _read(self, state: State, line: str) -> Action | None:
        """The action meant; None when the line was none, and the person was told why."""
        legal = legal_actions(state)
        match line.lower():
            case "":
                return None
            case "?" | "h" | "help":
                for part in HELP.splitlines():
                    self.tell(part)
                return None
            case "t" | "table":
                self._draw(state)
                return None
        if line.isdigit():
            number = int(line) if len(line) < 4 else 0
            if 1 <= number <= len(legal):
                return legal[number - 1]
            self._refuse(f"there is no choice {line[:9]}: 1 to {len(legal)} are")
            return None
        try:
            action = parse_action(canonical(line))
        except EngineError as error:
            self._refuse(f"{error}; ? shows how to write")
            return None
        illegal = why_illegal(state, action)
        if illegal is None:
            return action
        self._refuse(f"{action.text}: not now: {illegal.reason} ({illegal.rule})")
        return None

    def _refuse(self, why: str) -> None:
        for line in textwrap.wrap(why, WIDTH - 1):
            self.tell(line)


def menu(legal: Sequence[Action]) -> list[str]:
    """The choices with their numbers, in columns."""
    items = [f"{number:2} {action.text}" for number, action in enumerate(legal, start=1)]
    short = [item for item in items if len(item) <= WIDTH // 3 - _GAP]
    wide = max(map(len, short), default=0) + _GAP
    lines, row = ["choices"], ""
    for item in items:
        if row and (len(row) + len(item) > WIDTH - 2 or item not in short):
            lines.append(row.rstrip())
            row = ""
        row += "  " + item if not row else item
        row = row.ljust(2 + -(-(len(row) - 2) // wide) * wide) if item in short else row + "  "
    return [*lines, row.rstrip()] if row else lines


def canonical(line: str) -> str:
    """What a person wrote in the way actions are written; what is no action stays as it is."""
    words = line.split()
    if not words:
        return line
    if len(words) == 1 and is_card(words[0]):
        words = ["discard", *words]
    verb, *rest = words
    near = [known for known in _VERBS if known.startswith(verb.lower())]
    if len(near) > 1 and not rest:
        near = [known for known in near if known in {"draw", "call"}]
    elif len(near) > 1:
        near = [known for known in near if known not in {"draw", "call", "challenge"}]
    verb = near[0] if len(near) == 1 else verb.lower()
    cards = [word.upper().replace("10", "T") for word in rest if is_card(word)]
    others = [word for word in rest if not is_card(word)]
    return " ".join([verb, *sorted(cards, key=_card_key), *others])


def is_card(word: str) -> bool:
    """Whether a word is a card, small letters and 10 for T included."""
    text = word.upper().replace("10", "T")
    return len(text) == 2 and text[0] in RANKS and text[1] in SUITS


def _card_key(text: str) -> tuple[int, int]:
    return RANKS.index(text[0]), SUITS.index(text[1])


def stdin_lines() -> Lines:
    """Lines of the command's own standard input."""
    return Lines(sys.stdin.fileno())
