"""A stored game as frames to be shown one by one: for one seat, for onlookers, or with all hands.

A seat's frames are made from `observe` for that seat alone, so nothing else can be in them.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tongits_engine import (
    EngineError,
    Event,
    EventKind,
    Meld,
    Observation,
    Replayed,
    Rules,
    State,
    cards_text,
    deadwood,
    observe,
    redact,
    replay,
)

from tongits_harness.errors import ConfigError
from tongits_harness.results.game_view import event_text
from tongits_harness.results.records import FaultRecord, GameRecord, SessionRecord

VIEWS = ("all", "seat0", "seat1", "seat2", "public")
ONLOOKER = -1
"""The seat of somebody who sits nowhere."""


@dataclass(frozen=True, slots=True)
class MeldFrame:
    """A meld on the table."""

    owner: int
    cards: str
    """Empty where it is hidden."""
    size: int
    face_down: bool
    laid_off: tuple[tuple[str, int], ...]
    """Cards that were added, each with the seat that did."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One decision and the table before it, as far as the viewer could see both."""

    number: int
    seat: int
    """Who acts."""
    phase: str
    turn: int
    hands: tuple[str | None, str | None, str | None]
    """By seat; None where the viewer does not see the cards."""
    sizes: tuple[int, int, int]
    opened: tuple[bool, bool, bool]
    blocked: tuple[bool, bool, bool]
    deadwood: tuple[int | None, int | None, int | None]
    stock: int
    discards: str
    melds: tuple[MeldFrame, ...]
    legal: tuple[str, ...] | None
    """What there was to choose from; None where the viewer cannot know."""
    action: str
    events: tuple[tuple[int, str], ...]
    """What came of it: seat (-1 for the game itself) and words."""
    source: str | None
    """d, f or x: decided, forced, fallback; None where the viewer cannot know."""
    think_us: int | None
    note: str | None
    faults: tuple[FaultRecord, ...]

    def as_json(self) -> dict[str, object]:
        """Short keys, for a page holds many of these; `static/replay.js` reads them."""
        return {
            "d": self.number,
            "s": self.seat,
            "p": self.phase,
            "t": self.turn,
            "h": list(self.hands),
            "n": list(self.sizes),
            "o": list(self.opened),
            "b": list(self.blocked),
            "w": list(self.deadwood),
            "k": self.stock,
            "x": self.discards,
            "m": [
                [meld.owner, meld.cards, meld.size, meld.face_down, list(map(list, meld.laid_off))]
                for meld in self.melds
            ],
            "l": None if self.legal is None else list(self.legal),
            "a": self.action,
            "e": [list(event) for event in self.events],
            "q": self.source,
            "u": self.think_us,
            "r": self.note,
            "f": [
                [fault.fault.kind.value, fault.fault.message, fault.charged, fault.forfeit]
                for fault in self.faults
            ],
        }  # fmt: skip


def frames(
    rules: Rules, deck: bytes, session: SessionRecord, game: int, view: str
) -> tuple[Frame, ...]:
    """Every decision of one game of a session.

    Args:
        rules: What is played.
        deck: The shuffle of the game.
        session: The stored session.
        game: Which of its games, from 0.
        view: One of VIEWS.

    Raises:
        ConfigError: The deck is not the one that was played, or the record does not replay.
    """
    record = session.games[game]
    where = f"game {game} of match {session.plan.match.key}"
    if hashlib.sha256(deck).hexdigest() != record.deck_digest:
        raise ConfigError(f"{where} was played with another shuffle; look with `tongits verify`")
    faults = [fault for fault in session.faults if fault.game == game]
    try:
        steps = replay(rules, deck, record.dealer, record.actions)
        return tuple(_frames(steps, rules, record, faults, view))
    except EngineError as error:
        raise ConfigError(
            f"{where} does not replay: {error}; look with `tongits verify`"
        ) from error


def _frames(
    steps: Iterator[Replayed], rules: Rules, record: GameRecord, faults: Sequence[FaultRecord],
    view: str,
) -> Iterator[Frame]:  # fmt: skip
    for number, step in enumerate(steps):
        actor = step.before.to_act
        viewer = _viewer(view, actor)
        is_open = view == "all" or viewer == actor
        seen = observe(step.before, actor if viewer == ONLOOKER else viewer)
        own = _told(step.events, None if view == "all" else viewer)
        yield Frame(
            number=number,
            seat=actor,
            phase=seen.phase.text,
            turn=seen.turn,
            hands=_hands(step.before, view, viewer),
            sizes=seen.hand_sizes,
            opened=seen.opened,
            blocked=seen.blocked,
            deadwood=_deadwood(step.before, rules, view, viewer),
            stock=seen.stock_size,
            discards=cards_text(seen.discards),
            melds=tuple(_meld(meld) for meld in _melds(step.before, seen, view, viewer)),
            legal=tuple(action.text for action in seen.legal) if is_open else None,
            action=step.action.text if is_open else (own[0][1] if own else "answers out of sight"),
            events=tuple(own),
            source=record.sources[number] if is_open else None,
            think_us=record.elapsed_us[number] if is_open else None,
            note=record.notes.get(number) if is_open else None,
            faults=tuple(f for f in faults if f.step == number and (is_open or f.seat == viewer)),
        )


def _viewer(view: str, actor: int) -> int:
    match view:
        case "all":
            return actor
        case "public":
            return ONLOOKER
        case _:
            return int(view.removeprefix("seat"))


def _hands(state: State, view: str, viewer: int) -> tuple[str | None, str | None, str | None]:
    a, b, c = (
        cards_text(observe(state, seat).hand) if view == "all" or seat == viewer else None
        for seat in range(3)
    )
    return a, b, c


def _deadwood(
    state: State, rules: Rules, view: str, viewer: int
) -> tuple[int | None, int | None, int | None]:
    a, b, c = (
        deadwood(rules, state.hands[seat]) if view == "all" or seat == viewer else None
        for seat in range(3)
    )
    return a, b, c


def _melds(state: State, seen: Observation, view: str, viewer: int) -> Sequence[Meld]:
    if view == "all":
        return state.melds
    if viewer != ONLOOKER:
        return seen.melds
    return [
        meld._replace(cards=b"", laid_off=()) if meld.concealed else meld for meld in seen.melds
    ]


def _meld(meld: Meld) -> MeldFrame:
    laid_off = tuple((cards_text(bytes([added.card])), added.seat) for added in meld.laid_off)
    return MeldFrame(meld.owner, cards_text(meld.cards), meld.size, meld.concealed, laid_off)


def _told(events: Sequence[Event], viewer: int | None) -> list[tuple[int, str]]:
    shown = [event if viewer is None else redact(event, viewer) for event in events]
    return [(event.seat, event_text(event)) for event in shown if viewer is None or _is_told(event)]


def _is_told(event: Event) -> bool:
    return event.kind is not EventKind.REVEALED or bool(event.cards)
