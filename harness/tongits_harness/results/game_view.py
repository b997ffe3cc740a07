"""A stored game made again by the engine, as one seat saw it or as all did. Values only, no I/O."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tongits_engine import (
    EngineError,
    Event,
    EventKind,
    Observation,
    Replayed,
    Rules,
    Termination,
    cards_text,
    observe,
    redact,
    replay,
    rules_named,
)

from tongits_harness.errors import ConfigError
from tongits_harness.results.records import (
    FaultRecord,
    GameRecord,
    SessionRecord,
    TournamentRecord,
)

SOURCES = {"d": "decision", "f": "forced", "x": "fallback"}


@dataclass(frozen=True, slots=True)
class StepView:
    """One action of a game, as far as the viewer could see it."""

    step: int
    seat: int
    """Who acted."""
    phase: str
    turn: int
    legal: int | None
    """How many actions there were to choose from; None where the viewer cannot know."""
    action: str
    """What was done; of another seat, what could be seen of it."""
    source: str | None
    """d, f or x, as in the record; None where the viewer cannot know."""
    think_us: int | None
    """Charged thinking time; None where the viewer cannot know."""
    hand: str
    """The viewer's hand before the action; with a view of all, the acting seat's."""
    stock: int
    top: str
    """The top of the discard pile before the action, if there is one."""
    events: tuple[str, ...]
    note: str | None
    """What the bot wrote beside its decision; only in its own view and that of all."""
    faults: tuple[FaultRecord, ...]


def rules_of(tournament: TournamentRecord) -> Rules:
    """The rules a tournament was played by.

    Raises:
        ConfigError: This version knows no such rules.
    """
    try:
        return rules_named(tournament.rules, dict(tournament.parameters))
    except EngineError as error:
        raise ConfigError(f"rules of tournament {tournament.name!r}: {error}") from error


def view_game(
    rules: Rules, deck: bytes, session: SessionRecord, game: int, *, seat: int | None = None
) -> tuple[StepView, ...]:
    """Every action of one game of a session; `seat` None shows all.

    Raises:
        ConfigError: The deck is not the one that was played, or the record does not replay.
    """
    record = session.games[game]
    if hashlib.sha256(deck).hexdigest() != record.deck_digest:
        raise ConfigError(
            f"game {game} of match {session.plan.match.key} was played with another shuffle: the"
            " secret is not this tournament's, or the record was changed"
        )
    faults = [fault for fault in session.faults if fault.game == game]
    try:
        return tuple(
            _views(replay(rules, deck, record.dealer, record.actions), record, faults, seat)
        )
    except EngineError as error:
        raise ConfigError(
            f"game {game} of match {session.plan.match.key} does not replay: {error}"
        ) from error


def _views(
    steps: Iterable[Replayed], record: GameRecord, faults: Sequence[FaultRecord], seat: int | None
) -> Iterator[StepView]:
    for number, step in enumerate(steps):
        actor = step.before.to_act
        seen = observe(step.before, actor if seat is None else seat)
        is_open = seat is None or seat == actor
        yield StepView(
            step=number,
            seat=actor,
            phase=seen.phase.text,
            turn=seen.turn,
            legal=len(seen.legal) if is_open else None,
            action=step.action.text if is_open else _seen_of(step, seen),
            source=record.sources[number] if is_open else None,
            think_us=record.elapsed_us[number] if is_open else None,
            hand=cards_text(seen.hand),
            stock=seen.stock_size,
            top=cards_text(seen.discards[-1:]),
            events=tuple(_subject(event) for event in _visible(step.events, seat)),
            note=record.notes.get(number) if is_open else None,
            faults=tuple(f for f in faults if f.step == number and (is_open or f.seat == seat)),
        )


def _visible(events: Iterable[Event], seat: int | None) -> Iterator[Event]:
    for event in events:
        yield event if seat is None else redact(event, seat)


def _seen_of(step: Replayed, seen: Observation) -> str:
    own = [redact(e, seen.seat) for e in step.events if e.seat == step.before.to_act]
    return event_text(own[0]) if own else "(answers out of sight)"


def _subject(event: Event) -> str:
    return event_text(event) if event.seat < 0 else f"seat {event.seat} {event_text(event)}"


def event_text(event: Event) -> str:
    """An event in words, without its seat."""
    cards = cards_text(event.cards) or "a hidden card"
    match event.kind:
        case EventKind.DREW:
            return f"drew {cards}"
        case EventKind.TOOK:
            return f"took {cards} (meld {event.meld})"
        case EventKind.EXPOSED:
            return f"exposed {cards} (meld {event.meld})"
        case EventKind.CONCEALED:
            shown = cards_text(event.cards) or "a hidden four"
            return f"concealed {shown} (meld {event.meld})"
        case EventKind.LAID_OFF:
            return f"laid off {cards} on meld {event.meld}"
        case EventKind.DISCARDED:
            return f"discarded {cards}"
        case EventKind.CALLED:
            return "called Draw" if event.points < 0 else f"called Draw with {event.points} points"
        case EventKind.ENDED:
            return f"the game ends: {Termination(event.points).text}"
        case EventKind.REVEALED:
            what = "shows" if event.meld < 0 else f"shows meld {event.meld}:"
            return f"{what} {cards_text(event.cards) or 'no card'}"
        case _:
            return event.kind.name.lower().replace("_", "-")
