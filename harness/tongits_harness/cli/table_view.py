"""The table drawn in the terminal, for games that are played and for replays.

Plain text of at most WIDTH columns: every card is readable without colour. What a viewer may not
see is not there to be drawn, because everything comes from `observe`.
"""

import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tongits_engine import (
    SUITS,
    Event,
    EventKind,
    GameResult,
    Meld,
    Observation,
    Phase,
    Rules,
    State,
    Table,
    card_text,
    cards_of,
    cards_text,
    deadwood,
    grouping,
    loose_cards,
    mask_of,
    observe,
    redact,
)

from tongits_harness.results.game_view import event_text

if TYPE_CHECKING:
    from rich.text import Text

WIDTH = 80
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_SUIT_STYLES = {"C": "green", "D": "bright_blue", "H": "red", "S": "bold"}
_PHASES = {
    Phase.START: "to draw, take or call",
    Phase.ACTION: "to meld, lay off or discard",
    Phase.RESPOND: "to answer the call",
    Phase.OVER: "the game is over",
}

Names = Sequence[str]
"""Names by seat."""


def draw_table(state: State, names: Names, *, viewer: int | None, pot: int = 0) -> list[str]:
    """The whole table as one seat sees it; all hands are up where `viewer` is None."""
    seen = observe(state, state.to_act if viewer is None else viewer)
    melds = _all_melds(state) if viewer is None else seen.melds
    lines = [_heading(seen, names, pot)]
    lines += [_seat_line(seen, seat, names, viewer) for seat in range(len(names))]
    lines += _meld_lines(melds, names)
    lines += _pile_lines(seen.discards)
    if viewer is not None:
        return lines + _own_hand(state.rules, seen)
    for seat, name in enumerate(names):
        lines += _hand_lines(state.rules, observe(state, seat).hand, f"  {seat} {name:<12.12} ")
    return lines


def told(events: Iterable[Event], viewer: int | None) -> list[str]:
    """What a viewer was told of an action, in words; others than the one who acted are named.

    The end of a game and the hands it shows are left to `result_lines`.
    """
    shown = [event for event in events if not _is_of_the_end(event)]
    actor = shown[0].seat if shown else -1
    return [
        ("" if event.seat == actor else f"seat {event.seat} ")
        + event_text(event if viewer is None else redact(event, viewer))
        for event in shown
    ]


def _is_of_the_end(event: Event) -> bool:
    return event.kind is EventKind.ENDED or (event.kind is EventKind.REVEALED and event.meld < 0)


def result_lines(
    state: State, table: Table, result: GameResult, names: Names, *, is_open: bool
) -> list[str]:
    """How a game ended and who pays what; unless `is_open`, only what the end shows to all."""
    winner = "nobody wins" if result.winner is None else f"seat {result.winner} wins"
    lines = [f"the game ends: {ending_text(result)}, {winner}"]
    for seat, name in enumerate(names):
        hand = cards_of(state.hands[seat]) if is_open else result.shown_hands[seat]
        burned = ", burned" if result.burned[seat] else ""
        points = "hand not shown" if hand is None else f"deadwood {result.deadwood[seat]}"
        lines.append(
            f"  {seat} {name:<20.20} {result.payments[seat]:+4d} paid"
            f"  {table.chips[seat]:+4d} in all  {points}{burned}"
        )
        if hand:
            lines += _wrapped(hand_text(state.rules, hand), " " * 25)
    if table.pot:
        lines.append(f"  {table.pot} chips stay in the pot")
    return lines


def ending_text(result: GameResult) -> str:
    """How a game ended, in words."""
    return result.termination.text.replace("_", " ")


def brief_result(number: int, result: GameResult, names: Names) -> str:
    """How a game ended in one line."""
    who = "nobody" if result.winner is None else names[result.winner]
    paid = " ".join(f"{chips:+d}" for chips in result.payments)
    return f"game {number + 1}: {ending_text(result)}, {who} wins, paid {paid}"


def hand_text(rules: Rules, hand: Sequence[int]) -> str:
    """A hand in one line: its melds in brackets, then the cards outside them."""
    mask = mask_of(hand)
    melds = [f"[{cards_text(meld)}]" for meld in grouping(rules, mask)]
    return " ".join([*melds, *map(card_text, loose_cards(rules, mask))]) or "no card"


def paint(line: str) -> "Text":
    """The line with its cards in four colours, for a console that shows them."""
    from rich.text import Text

    text = Text(line)
    for suit, style in _SUIT_STYLES.items():
        text.highlight_regex(rf"(?<![\w-])[A2-9TJQK]{suit}(?![\w-])", style)
    return text


def _heading(seen: Observation, names: Names, pot: int) -> str:
    who = f"seat {seen.to_act} {names[seen.to_act][:16]} "
    doing = _PHASES[seen.phase] if seen.phase is Phase.OVER else who + _PHASES[seen.phase]
    parts = [f"turn {seen.turn}", doing, f"stock {seen.stock_size}"]
    return " · ".join([*parts, f"pot {pot}"] if pot else parts)


def _seat_line(seen: Observation, seat: int, names: Names, viewer: int | None) -> str:
    mark = ">" if seat == seen.to_act and seen.phase is not Phase.OVER else " "
    facts = ["opened" if seen.opened[seat] else "not opened"]
    facts += ["deals"] if seat == seen.dealer else []
    facts += ["cannot call now"] if seen.blocked[seat] else []
    if seat == seen.caller:
        points = f" with {seen.caller_points} points" if seen.caller_points >= 0 else ""
        facts.append(f"called Draw{points}")
    facts += [seen.answers[seat].name.lower().replace("_", "-")] if seen.answers[seat] else []
    name = f"{names[seat]} (you)" if seat == viewer and names[seat] != "you" else names[seat]
    return f"{mark} {seat} {name:<20.20} {seen.hand_sizes[seat]:2} cards  {', '.join(facts)}"


def _meld_lines(melds: Sequence[Meld], names: Names) -> list[str]:
    if not melds:
        return ["melds     none"]
    return ["melds     number, owner, cards", *(_meld_line(meld, names) for meld in melds)]


def _meld_line(meld: Meld, names: Names) -> str:
    cards = cards_text(meld.cards) or f"{meld.size} cards"
    down = "  (face down)" if meld.concealed else ""
    return f"  {meld.number:2} {names[meld.owner]:<12.12} {cards}{down}"


def _pile_lines(discards: bytes) -> list[str]:
    if not discards:
        return ["pile      empty"]
    older = cards_text(discards[:-1])
    return _wrapped(f"{older} [{card_text(discards[-1])}]".strip(), "pile      ")


def _own_hand(rules: Rules, seen: Observation) -> list[str]:
    mask = mask_of(seen.hand)
    loose = loose_cards(rules, mask)
    points = deadwood(rules, mask)
    lines = [f"your hand {len(seen.hand)} cards, deadwood {points}"]
    if melds := grouping(rules, mask):
        lines += _wrapped(" ".join(f"[{cards_text(meld)}]" for meld in melds), "  melds     ")
    for number, name in enumerate(_SUIT_NAMES):
        cards = [card for card in loose if card % len(SUITS) == number]
        lines += _wrapped(cards_text(cards), f"  {name:<9} ") if cards else []
    return lines


def _hand_lines(rules: Rules, hand: bytes, title: str) -> list[str]:
    return _wrapped(f"{hand_text(rules, hand)} ({deadwood(rules, mask_of(hand))})", title)


def _all_melds(state: State) -> list[Meld]:
    """Every meld as its owner sees it."""
    return [observe(state, meld.owner).melds[meld.number] for meld in state.melds]


def _wrapped(text: str, title: str) -> list[str]:
    later = " " * len(title)
    return textwrap.wrap(text, WIDTH - 1, initial_indent=title, subsequent_indent=later)
