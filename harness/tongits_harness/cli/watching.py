"""A game told while it is played: turn by turn, with faults, notes and prints when they happen."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tongits_engine import GameResult, State, Table

from tongits_harness.bots.output import Output
from tongits_harness.cli.fault_text import evidence_lines, fault_line
from tongits_harness.cli.prints import Prints
from tongits_harness.cli.table_view import (
    WIDTH,
    brief_result,
    draw_table,
    result_lines,
    told,
)
from tongits_harness.play.onlooker import Move
from tongits_harness.results.records import FaultRecord
from tongits_harness.text import safe_text

Tell = Callable[[str], None]


@dataclass(slots=True)
class Watching:
    """Tells a session as `viewer` sees it, None for all of it (an `onlooker.Onlooker`)."""

    names: Sequence[str]
    viewer: int | None
    tell: Tell
    """Takes a line for the screen."""
    shows_turns: bool = True
    is_brief: bool = False
    """One line a game."""
    draws_tables: bool = False
    prints: Prints = field(default_factory=Prints)
    games: int = 1
    state: State | None = None
    """The game as it stands."""
    pot: int = 0
    since: list[str] = field(default_factory=list)
    """What happened since this was emptied, in words for the viewer."""
    thought_us: tuple[list[int], list[int], list[int]] = field(default_factory=lambda: ([], [], []))
    """Charged thinking time of every decision, by seat."""
    _turn: list[str] = field(default_factory=list)
    _elapsed_us: int = 0
    _held_back: list[str] = field(default_factory=list)

    def dealt(self, number: int, table: Table, state: State) -> None:
        """Announces a game."""
        self.state, self.pot = state, table.pot
        self.since.clear()
        if not self.is_brief:
            dealer = f"seat {table.dealer} {self.names[table.dealer]}"
            title = f"game {number + 1} of {self.games}" if self.games > 1 else "the game"
            pot = f", pot {table.pot}" if table.pot else ""
            self.tell(f"{title}: {dealer} deals and plays first{pot}")
            if self.shows_turns and not self.draws_tables:
                self._draw_hands(state)

    def acted(self, move: Move) -> None:
        """Adds to the turn's line, and prints it when the turn is over."""
        self._show_prints()
        self.state = move.after
        if move.source == "d" and move.elapsed_us:
            self.thought_us[move.before.to_act].append(move.elapsed_us)
        words = self._marked(move, told(move.events, self.viewer))
        if words:
            self._add_to_since(move.before.to_act, words)
        if self.shows_turns:
            self._add_to_turn(move, words)

    def blamed(self, fault: FaultRecord) -> None:
        """Shows a fault; from a player at the table the evidence is kept back until the end."""
        lines = [fault_line(fault), *evidence_lines(fault, self.state)]
        if self.viewer is None:
            self._flush_turn(None)
            for line in lines:
                self.tell(line)
        else:
            self.tell(lines[0])
            self._held_back += lines

    def settled(self, number: int, table: Table, result: GameResult) -> None:
        """Tells the result."""
        self._flush_turn(None)
        if self.state is None:
            return
        if self.is_brief:
            self.tell(brief_result(number, result, self.names))
            return
        if self.draws_tables:
            self._draw(self.state)
        if self.viewer is not None:
            self.tell("")
            self.tell_since("since you were asked last:")
            self._draw(self.state)
            self.tell("")
        for line in result_lines(
            self.state, table, result, self.names, is_open=self.viewer is None
        ):
            self.tell(line)
        for line in self._held_back:
            self.tell(line)
        self._held_back.clear()
        if number + 1 < self.games:
            self.tell("")

    def parted(self, incarnation: str, *outputs: Output) -> None:
        """Shows the last words of a process."""
        self._say_prints(self.prints.last(incarnation, *outputs))

    def _add_to_since(self, seat: int, words: list[str]) -> None:
        who = f"seat {seat} {self.names[seat]} "
        if self.since and self.since[-1].startswith(who):
            self.since[-1] += ", " + ", ".join(words)
        else:
            self.since.append(who + ", ".join(words))

    def tell_since(self, title: str) -> None:
        """Tells what has happened since this was done last."""
        if self.since:
            self.tell(title)
        for line in self.since:
            for part in textwrap.wrap(line, WIDTH - 3, subsequent_indent="  "):
                self.tell(f"  {part}")
        self.since.clear()

    def _add_to_turn(self, move: Move, words: list[str]) -> None:
        if self.draws_tables and not self._turn:
            self._draw(move.before)
        self._turn += words
        self._elapsed_us += move.elapsed_us
        if move.note and self.viewer is None:
            self._turn.append(f"(note: {safe_text(move.note)})")
        after = move.after
        if after.is_over or (after.turn, after.to_act) != (move.before.turn, move.before.to_act):
            self._flush_turn(move)

    def _marked(self, move: Move, words: list[str]) -> list[str]:
        """A fallback is told as one; what is forced is marked for the seat that it happens to."""
        mark = " (fallback)" if move.source == "x" else ""
        if move.source == "f" and self.viewer == move.before.to_act:
            mark = " (nothing else was possible)"
        return [words[0] + mark, *words[1:]] if words and mark else words

    def _flush_turn(self, move: Move | None) -> None:
        words, self._turn = self._turn, []
        elapsed_us, self._elapsed_us = self._elapsed_us, 0
        if not words or self.state is None:
            return
        before = move.before if move else self.state
        seat = before.to_act
        cards, stock = self.state.hands[seat].bit_count(), len(self.state.stock)
        left = f"{before.turn:4}  {seat} {self.names[seat]:<12.12} {cards:2}/{stock:<2}  "
        think = f" ({elapsed_us / 1000:.0f} ms)" if elapsed_us and self.viewer is None else ""
        for line in textwrap.wrap(
            ", ".join(words) + think, WIDTH - 1, initial_indent=left, subsequent_indent=" " * 28
        ):
            self.tell(line)

    def _draw(self, state: State) -> None:
        self.tell("")
        for line in draw_table(state, self.names, viewer=self.viewer, pot=self.pot):
            self.tell(line)

    def _draw_hands(self, state: State) -> None:
        for line in draw_table(state, self.names, viewer=None)[-len(self.names) :]:
            self.tell(line)
        self.tell("turn  seat         cards/stock, what was done")

    def _show_prints(self) -> None:
        self._say_prints(self.prints.news())

    def _say_prints(self, news: Iterator[tuple[int, str]]) -> None:
        for seat, line in news:
            if self.viewer is None and self.shows_turns:
                self.tell(f"      {seat} {self.names[seat]:<12.12} | {line}")
