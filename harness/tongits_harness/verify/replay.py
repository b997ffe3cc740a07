"""A stored session played again: the generator that played it gets the stored answers.

What comes out must be what is stored: shuffle, dealers, forced and fallback actions, results,
chips, fault policy, and the digests of every byte that each seat was sent.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, fields, replace
from typing import Never

from tongits_engine import EngineError, parse_action

from tongits_harness.play.onlooker import Onlooker
from tongits_harness.play.session import SessionOutcome, SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen, Failed, GameEnded, Reply
from tongits_harness.results.records import FaultRecord, GameRecord, SessionRecord
from tongits_harness.verify.claims import Failure, Place
from tongits_harness.verify.information import InformationAudit

_DERIVED = (
    "dealer",
    "termination",
    "winner",
    "deadwood",
    "burned",
    "payments",
    "chips",
    "view_digests",
    "elapsed_us",
    "notes",
    "deck_digest",
)
"""Fields of a game in the order in which a difference is told; actions come before them."""
_SHOWN = 120


class ContradictionError(Exception):
    """The stored answers do not fit what is asked."""

    def __init__(self, game: int, step: int, what: str) -> None:
        super().__init__(what)
        self.game, self.step, self.what = game, step, what


def replay_session(
    setup: SessionSetup, stored: SessionRecord, audit: InformationAudit
) -> Iterator[Failure]:
    """Everything in which a stored session differs from its replay, the first thing first.

    The audit is given every observation that was sent.
    """
    index, seating = stored.plan.match.index, stored.plan.seating
    if len(stored.games) != setup.games:
        what = f"{len(stored.games)} games are stored of {setup.games}"
        yield Failure(Place(index, seating), what)
        return
    try:
        outcome = _play(setup, stored, audit)
    except ContradictionError as error:
        yield Failure(Place(index, seating, error.game, error.step), error.what)
        return
    yield from _compare(stored, outcome, Place(index, seating))


def _play(setup: SessionSetup, stored: SessionRecord, audit: InformationAudit) -> SessionOutcome:
    at = Place(stored.plan.match.index, stored.plan.seating)
    steps = retrace(setup, stored, audit)
    try:
        while True:
            if isinstance(step := next(steps), Recorded):
                place = replace(at, game=step.game, step=step.step)
                audit.look(step.ask.seat, step.ask.view, place)
    except StopIteration as stop:
        outcome: SessionOutcome = stop.value
        return outcome


@dataclass(frozen=True, slots=True)
class Recorded:
    """A decision that was asked in a stored session, and the stored answer."""

    ask: Ask
    reply: Reply
    game: int
    step: int
    """Place in the game's list of actions."""


def retrace(
    setup: SessionSetup, stored: SessionRecord, onlooker: Onlooker | None = None
) -> Generator[Recorded | GameEnded, None, SessionOutcome]:
    """Goes through a stored session as it was played, decision by decision.

    Raises:
        ContradictionError: what is stored does not fit what is asked.
    """
    play = play_session(setup, onlooker)
    answers = StoredAnswers(stored, setup.limits.bank_us)
    reply: Reply | None = None
    try:
        while True:
            effect = play.send(reply)
            if isinstance(effect, GameEnded):
                answers.next_game()
                reply = None
                yield effect
            else:
                reply = answers.to(effect)
                yield Recorded(effect, reply, *answers.place)
    except StopIteration as stop:
        outcome: SessionOutcome = stop.value
        return outcome
    finally:
        play.close()


class StoredAnswers:
    """Finds for each question the stored answer to it.

    A bot was asked where the record says so (d), and where it says fallback (x) because of a fault,
    unless the fault was that the bot's time bank was empty by then.
    """

    def __init__(self, stored: SessionRecord, bank_us: int) -> None:
        self._games = stored.games
        self.place = (0, 0)
        """Game and step of the latest answer."""
        self._faults = {(fault.game, fault.step): fault for fault in stored.faults}
        self._bank_us = [bank_us, bank_us, bank_us]
        self._game = 0
        self._step = 0

    def next_game(self) -> None:
        """The game before has ended."""
        self._game += 1
        self._step = 0

    def to(self, ask: Ask) -> Reply:
        """What was answered when this was asked.

        Raises:
            ContradictionError: nothing that is stored fits.
        """
        game = self._games[self._game]
        step = self._next_asked(game)
        self._step = step + 1
        self.place = (self._game, step)
        elapsed_us = game.elapsed_us[step]
        self._bank_us[ask.seat] -= elapsed_us
        if game.sources[step] == "d":
            return self._chosen(ask, game, step, elapsed_us)
        fault = self._faults[self._game, step]
        if fault.seat != ask.seat:
            self._contradict(step, f"the fault is of seat {fault.seat}, the turn of {ask.seat}")
        if fault.observation and ask.view not in fault.observation:
            self._contradict(step, "the request kept with the fault is not what was asked here")
        return Failed(
            fault.fault, elapsed_us, process_lost=fault.process_lost, request=fault.observation
        )

    def _next_asked(self, game: GameRecord) -> int:
        end = len(game.sources)
        for step in range(self._step, end):
            letter = game.sources[step]
            if letter == "d" or (letter == "x" and self._was_asked(step)):
                return step
        return self._contradict(end, "the stored game ends here, its replay does not")

    def _was_asked(self, step: int) -> bool:
        fault = self._faults.get((self._game, step))
        return fault is not None and self._bank_us[fault.seat] > 0

    def _chosen(self, ask: Ask, game: GameRecord, step: int, elapsed_us: int) -> Chosen:
        text = game.actions[step]
        try:
            action = parse_action(text)
        except EngineError as error:
            self._contradict(step, str(error))
        if action not in ask.legal:
            self._contradict(step, f"{text!r} is not legal for seat {ask.seat}")
        return Chosen(action, elapsed_us, game.notes.get(step, ""))

    def _contradict(self, step: int, what: str) -> Never:
        raise ContradictionError(self._game, step, what)


def _compare(stored: SessionRecord, made: SessionOutcome, at: Place) -> Iterator[Failure]:
    for number, (old, new) in enumerate(zip(stored.games, made.games, strict=True)):
        if old != new:
            place = replace(at, game=number)
            yield _differing_step(old, new, place) or _differing_field(old, new, place)
            return
    for seat, (was, replayed) in enumerate(zip(stored.seats, made.seats, strict=True)):
        now = replace(replayed, incarnations=was.incarnations)
        if was != now:
            name = next(f.name for f in fields(was) if getattr(was, f.name) != getattr(now, f.name))
            what = f"seat {seat} {name}: " + _versus(getattr(was, name), getattr(now, name))
            yield Failure(at, what)
            return
    if stored.faults != made.faults:
        yield _differing_fault(stored.faults, made.faults, at)


def _differing_step(old: GameRecord, new: GameRecord, at: Place) -> Failure | None:
    before = zip(old.actions, old.sources, strict=False)
    after = zip(new.actions, new.sources, strict=False)
    for step, (was, now) in enumerate(zip(before, after, strict=False)):
        if was != now:
            return Failure(replace(at, step=step), _versus(" ".join(was), " ".join(now)))
    if len(old.actions) != len(new.actions):
        return Failure(at, "actions: " + _versus(len(old.actions), len(new.actions)))
    return None


def _differing_field(old: GameRecord, new: GameRecord, at: Place) -> Failure:
    for name in _DERIVED:
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            return Failure(at, f"{name}: " + _versus(was, now))
    return Failure(at, "the record differs from its replay")


def _differing_fault(
    old: tuple[FaultRecord, ...], new: tuple[FaultRecord, ...], at: Place
) -> Failure:
    if len(old) != len(new):
        return Failure(at, "faults: " + _versus(len(old), len(new)))
    was, now = next((a, b) for a, b in zip(old, new, strict=True) if a != b)
    name = next(f.name for f in fields(was) if getattr(was, f.name) != getattr(now, f.name))
    what = f"fault {name}: " + _versus(getattr(was, name), getattr(now, name))
    return Failure(replace(at, game=was.game, step=was.step), what)


def _versus(old: object, new: object) -> str:
    return f"stored {_short(old)}, replayed {_short(new)}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
