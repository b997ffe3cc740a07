"""Decisions as lines of text, as `tongits-stdio` writes and reads them. Pure functions."""

import json
from functools import lru_cache

from tongits_bot.cards import format_cards
from tongits_bot.values import Action, Event, EventKind, Meld, Phase
from tongits_bot.view import Game, View

_texts = lru_cache(maxsize=4096)(format_cards)
_parse = lru_cache(maxsize=4096)(Action.parse)
_PHASES = {phase: phase.name.lower() for phase in Phase}
_EVENTS = {kind: kind.name.lower() for kind in EventKind}


def line_of(view: View) -> str:
    """What the program is told of one decision: JSON, written the same way for every decision.

    It is put together by hand, which takes a third of the time of a JSON encoder.
    """
    return (
        f'{{"id": {view.decision_id}, {_head(view.game, view.seat)}, '
        f'"phase": "{_PHASES[view.phase]}", "turn": {view.turn}, "hand": "{_texts(view.hand)}", '
        f'"hand_sizes": {list(view.hand_sizes)}, "opened": {_flags(view.opened)}, '
        f'"call_blocked": {_flags(view.call_blocked)}, "stock_size": {view.stock_size}, '
        f'"discards": "{format_cards(view.discards)}", '
        f'"melds": [{", ".join([_meld(meld) for meld in view.melds])}], '
        f'"caller": {_number(view.caller)}, "caller_points": {_number(view.caller_points)}, '
        f'"challengers": {list(view.challengers)}, '
        f'"legal": [{", ".join([_quoted(action) for action in view.legal])}], '
        f'"events": [{", ".join([_event(event) for event in view.events])}], '
        f'"time_left_ms": {view.time_left_us // 1000}}}'
    )


def action_of(answer: str, view: View) -> Action:
    """The action meant by a line of the program; its note goes to the view.

    An action that is not legal is an answer too: the harness judges it.

    Raises:
        ValueError: The line is neither an action's text nor the number of a legal one; says why.
    """
    words, _, note = answer.partition("#")
    words, view.note = words.strip(), note.strip()
    if not words:
        raise ValueError("is empty")
    if words.isascii() and words.isdigit():
        number = int(words[:9])
        if number >= len(view.legal):
            raise ValueError(f"is not in `legal`, which goes from 0 to {len(view.legal) - 1}")
        return view.legal[number]
    try:
        return _parse(words)
    except (KeyError, ValueError):
        raise ValueError("is neither the text of an action nor its number in `legal`") from None


@lru_cache(maxsize=1024)
def _head(game: Game, seat: int) -> str:
    """What stays the same throughout a game."""
    values = {
        "game": game.id,
        "rules": game.rules,
        "runs": game.runs,
        "parameters": dict(sorted(game.parameters.items())),
        "seat": seat,
        "dealer": game.dealer,
        "pot": game.pot,
        "streaks": game.streaks,
        "bot_seed": game.bot_seed.hex(),
    }
    return json.dumps(values)[1:-1]


@lru_cache(maxsize=4096)
def _quoted(action: Action) -> str:
    return f'"{action}"'


@lru_cache(maxsize=4096)
def _meld(meld: Meld) -> str:
    owner, cards, face_down, size = meld
    return (
        f'{{"owner": {owner}, "cards": "{_texts(cards)}", '
        f'"face_down": {_flag(face_down)}, "size": {size}}}'
    )


def _event(event: Event) -> str:
    number, kind, seat, cards, meld, points = event
    return (
        f'{{"number": {number}, "kind": "{_EVENTS[kind]}", "seat": {seat}, '
        f'"cards": "{_texts(cards)}", "meld": {meld}, "points": {_number(points)}}}'
    )


@lru_cache(maxsize=8)
def _flags(values: tuple[bool, ...]) -> str:
    return f"[{', '.join([_flag(value) for value in values])}]"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _number(value: int | None) -> str:
    return "null" if value is None else str(value)
