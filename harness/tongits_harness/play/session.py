"""One session, from the first shuffle to the last chip: a generator without I/O, clock or chance.

`play_session` yields what it needs from the world (`Ask`) or has to tell it (`GameEnded`) and is
sent a `Reply` to each Ask. The same generator plays real tournaments, tests and verification.
"""

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field

from tongits_engine import (
    Action,
    Event,
    GameResult,
    Phase,
    State,
    Table,
    apply_legal,
    close_game,
    close_session,
    deal,
    first_dealer,
    legal_actions,
    open_game,
    settle,
)

from tongits_harness.faults import Blame, Fault, FaultKind
from tongits_harness.faults import Phase as BotPhase
from tongits_harness.play.fallback import fallback_action
from tongits_harness.play.game_log import GameLog, SessionSetup
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.onlooker import Move, Onlooker
from tongits_harness.protocol.decisions import (
    Ask,
    Effect,
    Failed,
    Reply,
)
from tongits_harness.results.latency import bucket_of
from tongits_harness.results.records import FaultRecord, GameRecord, SeatRecord

__all__ = ["SessionOutcome", "SessionPlay", "SessionSetup", "play_session"]

NOTE_LIMIT_BYTES = 16 * 1024
"""Notes kept of one seat over a session (table.proto)."""


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """What happened; `table` adds the processes and times to make it a SessionRecord."""

    games: tuple[GameRecord, ...]
    seats: tuple[SeatRecord, SeatRecord, SeatRecord]
    faults: tuple[FaultRecord, ...]


SessionPlay = Generator[Effect, Reply | None, SessionOutcome]


def play_session(setup: SessionSetup, onlooker: Onlooker | None = None) -> SessionPlay:
    """Plays all games of a session and returns the outcome."""
    return _Session(setup, onlooker).play()


@dataclass(slots=True)
class _Seat:
    """Running totals of one seat."""

    entrant: str
    faults: int = 0
    forfeited: bool = False
    decisions: int = 0
    bank_used_us: int = 0
    note_bytes: int = 0
    latency: Counter[int] = field(default_factory=Counter)

    def record(self, chips: int) -> SeatRecord:
        return SeatRecord(
            entrant=self.entrant,
            chips=chips,
            forfeited=self.forfeited,
            decisions=self.decisions,
            latency=dict(sorted(self.latency.items())),
            bank_used_us=self.bank_used_us,
            incarnations=(),
        )


class _Session:
    """Plays one session; its methods are the generator's parts."""

    def __init__(self, setup: SessionSetup, onlooker: Onlooker | None) -> None:
        self._setup = setup
        self._onlooker = onlooker
        self._seats = tuple(_Seat(name) for name in setup.plan.seats)
        self._faults: list[FaultRecord] = []
        self._decision_us = setup.limits.decision_us
        self._bank_us = setup.limits.bank_us

    def play(self) -> SessionPlay:
        setup = self._setup
        table = Table(setup.rules, first_dealer(setup.seed, setup.plan.match.key))
        games: list[tuple[GameLog, GameResult, tuple[int, int, int]]] = []
        for number in range(setup.games):
            before = table.chips
            table = open_game(table)
            game, result = yield from self._play_game(number, table)
            table = close_game(table, result)
            if number == setup.games - 1:
                table = close_session(table)
            if self._onlooker is not None:
                self._onlooker.settled(number, table, result)
            games.append((game, result, _difference(table.chips, before)))
        a, b, c = (seat.record(chips) for seat, chips in zip(self._seats, table.chips, strict=True))
        records = tuple(game.record(result, chips) for game, result, chips in games)
        return SessionOutcome(records, (a, b, c), tuple(self._faults))

    def _play_game(
        self, number: int, table: Table
    ) -> Generator[Effect, Reply | None, tuple[GameLog, GameResult]]:
        game = GameLog(self._setup, number, table)
        state = deal(self._setup.rules, game.deck, table.dealer)
        if self._onlooker is not None:
            self._onlooker.dealt(number, table, state)
        while state.phase is not Phase.OVER:
            seat = self._seats[state.to_act]
            legal = legal_actions(state)
            if len(legal) == 1:
                action = legal[0]
                game.log(action, "f", 0)
            elif seat.forfeited:
                action = fallback_action(state)
                game.log(action, "x", 0)
            else:
                action = yield from self._decide(game, state, legal, seat)
            before, (state, events) = state, apply_legal(state, action)
            game.add_events(events)
            if self._onlooker is not None:
                self._onlooker.acted(_move(game, before, action, events, state))
        result = settle(state)
        yield game.ended(result)
        return game, result

    def _decide(
        self, game: GameLog, state: State, legal: tuple[Action, ...], seat: _Seat
    ) -> Generator[Effect, Reply | None, Action]:
        budget_us = min(self._decision_us, self._bank_us - seat.bank_used_us)
        if budget_us <= 0:
            return self._fail(game, state, seat, _bank_empty(self._setup.limits))
        view = game.view(state, state.to_act)
        reply = yield Ask(state.to_act, game.seats[state.to_act], view, legal, budget_us)
        if reply is None:
            raise RuntimeError("a session was resumed without a reply to its Ask")
        seat.decisions += 1
        seat.bank_used_us += reply.elapsed_us
        seat.latency[bucket_of(reply.elapsed_us)] += 1
        if isinstance(reply, Failed):
            return self._fail(game, state, seat, reply)
        if reply.note:
            self._keep_note(game, seat, reply.note)
        game.log(reply.action, "d", reply.elapsed_us)
        return reply.action

    def _fail(self, game: GameLog, state: State, seat: _Seat, failed: Failed) -> Action:
        """Charges a fault and plays the fallback."""
        self._charge(game, state.to_act, seat, failed)
        action = fallback_action(state)
        game.log(action, "x", failed.elapsed_us)
        return action

    def _keep_note(self, game: GameLog, seat: _Seat, note: str) -> None:
        size = len(note.encode())
        if seat.note_bytes + size <= NOTE_LIMIT_BYTES:
            seat.note_bytes += size
            game.notes[len(game.actions)] = note

    def _charge(self, game: GameLog, number: int, seat: _Seat, failed: Failed) -> None:
        """The policy: so many faults are forgiven, then, or with the process, the match is lost."""
        seat.faults += 1
        seat.forfeited = failed.process_lost or seat.faults > self._setup.limits.faults
        record = FaultRecord(
            seat=number,
            entrant=seat.entrant,
            game=game.number,
            step=len(game.actions),
            charged=True,
            forfeit=seat.forfeited,
            process_lost=failed.process_lost,
            fault=failed.fault,
            observation=failed.request,
        )
        self._faults.append(record)
        if self._onlooker is not None:
            self._onlooker.blamed(record)


def _move(
    game: GameLog, before: State, action: Action, events: tuple[Event, ...], after: State
) -> Move:
    note = game.notes.get(len(game.actions) - 1, "")
    return Move(before, action, game.sources[-1], game.elapsed_us[-1], note, events, after)


def _bank_empty(limits: PlayLimits) -> Failed:
    message = f"the session's time bank of {limits.bank_s:g} s is used up"
    evidence = {"limit_ms": limits.bank_s * 1e3, "limit": "bank"}
    return Failed(Fault(FaultKind.TIMEOUT, Blame.BOT, BotPhase.DECISION, message, evidence), 0)


def _difference(after: tuple[int, int, int], before: tuple[int, int, int]) -> tuple[int, int, int]:
    return after[0] - before[0], after[1] - before[1], after[2] - before[2]
