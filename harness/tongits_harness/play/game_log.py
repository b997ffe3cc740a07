"""The running log of one game: what was played, what each seat was told, digests of the bytes."""

import hashlib
import secrets
from dataclasses import dataclass

from tongits_engine import (
    Action,
    Event,
    GameResult,
    Rules,
    State,
    Table,
    bot_seed,
    deck,
    observe,
)

from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import SessionPlan
from tongits_harness.protocol import codec
from tongits_harness.protocol.decisions import GameEnded, SeatGame
from tongits_harness.results.records import GameRecord

SEATS = (0, 1, 2)
_NAME_BYTES = 8
"""Of chance in a game's name; asking the system for it takes as long as a decision."""


@dataclass(frozen=True, slots=True)
class SessionSetup:
    """Everything a session's course depends on, apart from the bots."""

    plan: SessionPlan
    rules: Rules
    seed: bytes
    """Tournament seed, 32 bytes: secret while the tournament runs."""
    games: int
    limits: PlayLimits


class GameLog:
    """The running log of one game."""

    def __init__(self, setup: SessionSetup, number: int, table: Table) -> None:
        self.number = number
        self.dealer = table.dealer
        self.deck = deck(setup.seed, setup.plan.match.key, number)
        self.actions: list[str] = []
        self.sources: list[str] = []
        self.elapsed_us: list[int] = []
        self.notes: dict[int, str] = {}
        self.event_fields: tuple[list[bytes], list[bytes], list[bytes]] = ([], [], [])
        self.told = [0, 0, 0]
        self.digests = [hashlib.blake2b(digest_size=16) for _ in SEATS]
        names = secrets.token_hex(_NAME_BYTES * len(SEATS)).encode()
        self.seats = tuple(
            self._seat_game(setup, table, seat, names[seat :: len(SEATS)]) for seat in SEATS
        )

    def _seat_game(self, setup: SessionSetup, table: Table, seat: int, game_id: bytes) -> SeatGame:
        plan = setup.plan
        started = codec.encode_started(
            setup.rules,
            seat=seat,
            dealer=table.dealer,
            bot_seed=bot_seed(setup.seed, plan.match.key, plan.seating, self.number, seat),
            pot=table.pot,
            streaks=table.streaks,
        )
        self.digests[seat].update(started)
        fields = self.event_fields[seat]
        return SeatGame(
            game_id=game_id,
            started=started,
            resumed=lambda: codec.encode_resumed(started, fields),
        )

    def log(self, action: Action, source: str, elapsed_us: int) -> None:
        """An action was chosen (source d), forced (f) or put in its place (x)."""
        self.actions.append(action.text)
        self.sources.append(source)
        self.elapsed_us.append(elapsed_us)

    def add_events(self, events: tuple[Event, ...]) -> None:
        """Numbers events and keeps them as each seat may be told of them."""
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
        """The Observation of a seat that is about to be asked, counted into its digest."""
        turned_down = state.rules.meld_face_down == "after_show"
        view = codec.encode_view(observe(state, seat), self.news(seat), turned_down=turned_down)
        self.digests[seat].update(view)
        return view

    def ended(self, result: GameResult) -> GameEnded:
        """What each seat is told of the end."""
        common = codec.encode_over(result)
        over = [common + codec.last_events(self.news(seat)) for seat in SEATS]
        ids = [seat.game_id for seat in self.seats]
        return GameEnded((ids[0], ids[1], ids[2]), (over[0], over[1], over[2]))

    def record(self, result: GameResult, chips: tuple[int, int, int]) -> GameRecord:
        """The game as it is stored."""
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
