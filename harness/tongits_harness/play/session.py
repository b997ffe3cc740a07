"""One session, from the first shuffle to the last chip: a generator without I/O, clock or chance.

`play_session` yields what it needs from the world (`Ask`) or has to tell it (`GameEnded`) and is
sent a `Reply` to each Ask. The same generator plays real tournaments, tests and verification.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field

from tongits_engine import (
    Action,
    Event,
    GameResult,
    Phase,
    Rules,
    State,
    Table,
    apply_legal,
    bot_seed,
    close_game,
    close_session,
    deal,
    deck,
    first_dealer,
    legal_actions,
    observe,
    open_game,
    settle,
)

from tongits_harness.faults import Blame, Fault, FaultKind
from tongits_harness.faults import Phase as BotPhase
from tongits_harness.play.fallback import fallback_action
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import SessionPlan
from tongits_harness.protocol import codec
from tongits_harness.protocol.decisions import (
    Ask,
    Chosen,
    Effect,
    Failed,
    GameEnded,
    Reply,
    SeatGame,
)
from tongits_harness.results.latency import bucket_of
from tongits_harness.results.records import FaultRecord, GameRecord, SeatRecord

NOTE_LIMIT_BYTES = 16 * 1024
"""Notes kept of one seat over a session (table.proto)."""
SEATS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class SessionSetup:
    """Everything a session's course depends on, apart from the bots."""

    plan: SessionPlan
    rules: Rules
    seed: bytes
    """Tournament seed, 32 bytes: secret while the tournament runs."""
    games: int
    limits: PlayLimits


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """What happened; `table` adds the processes and times to make it a SessionRecord."""

    games: tuple[GameRecord, ...]
    seats: tuple[SeatRecord, SeatRecord, SeatRecord]
    faults: tuple[FaultRecord, ...]


SessionPlay = Generator[Effect, Reply | None, SessionOutcome]


def play_session(setup: SessionSetup) -> SessionPlay:
    """Plays all games of a session and returns the outcome."""
    return _Session(setup).play()


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


class _Game:
    """The running log of one game."""

    def __init__(self, setup: SessionSetup, number: int, table: Table) -> None:
        plan, seed = setup.plan, setup.seed
        self.number = number
        self.dealer = table.dealer
        self.deck = deck(seed, plan.match.key, number)
        self.actions: list[str] = []
        self.sources: list[str] = []
        self.elapsed_us: list[int] = []
        self.notes: dict[int, str] = {}
        self.event_fields: tuple[list[bytes], list[bytes], list[bytes]] = ([], [], [])
        self.told = [0, 0, 0]
        self.digests = [hashlib.blake2b(digest_size=16) for _ in SEATS]
        self.seats = tuple(
            self._seat_game(
                setup, seat, table, bot_seed(seed, plan.match.key, plan.seating, number, seat)
            )
            for seat in SEATS
        )

    def _seat_game(self, setup: SessionSetup, seat: int, table: Table, seed: bytes) -> SeatGame:
        started = codec.encode_started(
            setup.rules,
            seat=seat,
            dealer=table.dealer,
            bot_seed=seed,
            pot=table.pot,
            streaks=table.streaks,
        )
        self.digests[seat].update(started)
        fields = self.event_fields[seat]
        return SeatGame(
            game_id=secrets.token_hex(8).encode(),
            started=started,
            resumed=lambda: codec.encode_resumed(started, fields),
        )

    def log(self, action: Action, source: str, elapsed_us: int) -> None:
        self.actions.append(action.text)
        self.sources.append(source)
        self.elapsed_us.append(elapsed_us)

    def add_events(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if codec.is_told(event):
                number = len(self.event_fields[0])
                for fields, one in zip(
                    self.event_fields, codec.encode_event(number, event), strict=True
                ):
                    fields.append(one)

    def news(self, seat: int) -> list[bytes]:
        """Event fields since this seat was last told."""
        since, self.told[seat] = self.told[seat], len(self.event_fields[seat])
        return self.event_fields[seat][since:]

    def view(self, state: State, seat: int) -> bytes:
        turned_down = state.rules.meld_face_down == "after_show"
        view = codec.encode_view(observe(state, seat), self.news(seat), turned_down=turned_down)
        self.digests[seat].update(view)
        return view

    def ended(self, result: GameResult) -> GameEnded:
        over = [codec.encode_over(result, self.news(seat)) for seat in SEATS]
        ids = [seat.game_id for seat in self.seats]
        return GameEnded((ids[0], ids[1], ids[2]), (over[0], over[1], over[2]))

    def record(self, result: GameResult, chips: tuple[int, int, int]) -> GameRecord:
        a, b, c = (digest.hexdigest() for digest in self.digests)
        return GameRecord(
            dealer=self.dealer,
            deck_digest=hashlib.sha256(self.deck).hexdigest(),
            actions=tuple(self.actions),
            sources="".join(self.sources),
            elapsed_us=tuple(self.elapsed_us),
            notes=self.notes,
            termination=result.termination.text,
            winner=result.winner,
            deadwood=result.deadwood,
            burned=result.burned,
            payments=result.payments,
            chips=chips,
            view_digests=(a, b, c),
        )


class _Session:
    """Plays one session; its methods are the generator's parts."""

    def __init__(self, setup: SessionSetup) -> None:
        self._setup = setup
        self._seats = tuple(_Seat(name) for name in setup.plan.seats)
        self._faults: list[FaultRecord] = []

    def play(self) -> SessionPlay:
        setup = self._setup
        table = Table(setup.rules, first_dealer(setup.seed, setup.plan.match.key))
        games: list[tuple[_Game, GameResult, tuple[int, int, int]]] = []
        for number in range(setup.games):
            before = table.chips
            table = open_game(table)
            game, result = yield from self._play_game(number, table)
            table = close_game(table, result)
            if number == setup.games - 1:
                table = close_session(table)
            games.append((game, result, _difference(table.chips, before)))
        a, b, c = (seat.record(chips) for seat, chips in zip(self._seats, table.chips, strict=True))
        records = tuple(game.record(result, chips) for game, result, chips in games)
        return SessionOutcome(records, (a, b, c), tuple(self._faults))

    def _play_game(
        self, number: int, table: Table
    ) -> Generator[Effect, Reply | None, tuple[_Game, GameResult]]:
        game = _Game(self._setup, number, table)
        state = deal(self._setup.rules, game.deck, table.dealer)
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
            state, events = apply_legal(state, action)
            game.add_events(events)
        result = settle(state)
        yield game.ended(result)
        return game, result

    def _decide(
        self, game: _Game, state: State, legal: tuple[Action, ...], seat: _Seat
    ) -> Generator[Effect, Reply | None, Action]:
        limits = self._setup.limits
        budget_us = min(limits.decision_us, limits.bank_us - seat.bank_used_us)
        reply: Reply | None
        if budget_us > 0:
            view = game.view(state, state.to_act)
            reply = yield Ask(state.to_act, game.seats[state.to_act], view, legal, budget_us)
        else:
            reply = _bank_empty(limits)
        if reply is None:
            raise RuntimeError("a session was resumed without a reply to its Ask")
        seat.decisions += 1
        seat.bank_used_us += reply.elapsed_us
        seat.latency[bucket_of(reply.elapsed_us)] += 1
        if isinstance(reply, Chosen):
            if reply.note:
                self._keep_note(game, seat, reply.note)
            game.log(reply.action, "d", reply.elapsed_us)
            return reply.action
        self._charge(game, state.to_act, seat, reply)
        action = fallback_action(state)
        game.log(action, "x", reply.elapsed_us)
        return action

    def _keep_note(self, game: _Game, seat: _Seat, note: str) -> None:
        size = len(note.encode())
        if seat.note_bytes + size <= NOTE_LIMIT_BYTES:
            seat.note_bytes += size
            game.notes[len(game.actions)] = note

    def _charge(self, game: _Game, number: int, seat: _Seat, failed: Failed) -> None:
        """The policy: so many faults are forgiven, then, or with the process, the match is lost."""
        seat.faults += 1
        seat.forfeited = failed.process_lost or seat.faults > self._setup.limits.faults
        self._faults.append(
            FaultRecord(
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
        )


def _bank_empty(limits: PlayLimits) -> Failed:
    message = f"the session's time bank of {limits.bank_s:g} s is used up"
    evidence = {"limit_ms": limits.bank_s * 1e3, "limit": "bank"}
    return Failed(Fault(FaultKind.TIMEOUT, Blame.BOT, BotPhase.DECISION, message, evidence), 0)


def _difference(after: tuple[int, int, int], before: tuple[int, int, int]) -> tuple[int, int, int]:
    return after[0] - before[0], after[1] - before[1], after[2] - before[2]
