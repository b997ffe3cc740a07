"""Play at the harness's table: one stream, batches in, batches of answers out."""

import os
import sys
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event as Flag
from time import monotonic, sleep
from typing import TYPE_CHECKING

from tongits.v1 import table_pb2 as pb2

from tongits_bot.values import Action, Event, Result
from tongits_bot.view import Game, View, events_of, message_of, result_of

if TYPE_CHECKING:
    import grpc

Decide = Callable[[View], Action]

SDK = "tongits_bot python 1"
FLUSH_SHARE = 0.1
"""Answers wait at most this part of the decision limit for others to be sent with them."""
NOTE_LIMIT = 2000
"""Characters kept of one note; with PENDING_NOTES a message stays below 64 KiB."""
PENDING_NOTES = 6000
LINGER_S = 0.02
"""Time for the harness to read what was decided before a crash, or the wrong game is charged."""
GONE = ("UNAVAILABLE", "CANCELLED")
"""How a table that was taken away looks from here: after the Welcome, a normal end."""

HOW_TO_RUN = """\
This is a Tongits Arena bot. It plays at a table that the harness sets up, so the harness starts it:
    tongits run random greedy BOT_FOLDER
(TONGITS_ADDRESS is not set: that is the address of the table.)"""


class GameBot:
    """A bot that remembers: one instance plays one game. Override what you need."""

    def start(self, game: Game) -> None:
        """The game begins, or goes on in a new process (`game.resumed`)."""

    def observe(self, event: Event) -> None:
        """Something happened. Called once for each event of the game, also after a resume."""

    def decide(self, view: View) -> Action:
        """Choose one of `view.legal`."""
        raise NotImplementedError

    def over(self, result: Result) -> None:
        """The game has ended."""


class _Stateless(GameBot):
    def __init__(self, choose: Decide) -> None:
        self._choose = choose

    def decide(self, view: View) -> Action:
        return self._choose(view)


class _Seat:
    """One game of this process: what is fixed, who plays it, which event comes next."""

    __slots__ = ("bot", "game", "hears_end", "next_event", "observes")

    def __init__(self, bot: GameBot, game: Game) -> None:
        self.bot = bot
        self.game = game
        self.next_event = 0
        # What a bot does not care to hear need not be made for it.
        self.observes = type(bot).observe is not GameBot.observe
        self.hears_end = type(bot).over is not GameBot.over


def serve(decide: Decide, *, concurrent_games: int = 256) -> None:
    """Play with a function from a view to one of `view.legal` until the harness has had enough."""
    bot = _Stateless(decide)
    _play(lambda: bot, concurrent_games)


def serve_games(new_bot: Callable[[], GameBot], *, concurrent_games: int = 256) -> None:
    """Play with one `GameBot` for each game: pass the class, or a function that makes one."""
    _play(new_bot, concurrent_games)


def _play(new_bot: Callable[[], GameBot], concurrent_games: int) -> None:
    address = os.environ.get("TONGITS_ADDRESS")
    if not address:
        print(HOW_TO_RUN, file=sys.stderr)
        sys.exit(2)
    os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"  # read when grpc is imported; fork is not for bots
    import grpc
    from tongits.v1.table_pb2_grpc import TableStub

    options = (("grpc.enable_http_proxy", 0), ("grpc.enable_retries", 0))
    hello = pb2.Hello(
        protocol_version=1,
        token=os.environ.get("TONGITS_TOKEN", ""),
        concurrent_games=concurrent_games,
        sdk=SDK,
    )
    with grpc.insecure_channel(address, options=options) as channel:
        outbox = _Outbox()
        outbox.send(pb2.BotMessage(hello=hello))
        table = _Table(new_bot, outbox)
        stream = TableStub(channel).Play(outbox.messages())  # kept: forgetting it would cancel it
        try:
            for message in stream:
                table.take(message)
        except grpc.RpcError as error:
            _explain(error, seated=table.is_seated)
        except BaseException:
            outbox.drain()
            raise


def _explain(error: "grpc.RpcError", *, seated: bool) -> None:
    """Say why the stream broke, and exit 1, unless the table was simply taken away."""
    code, details = error.code().name, error.details()
    if seated and code in GONE:
        return
    print(f"The table refused this bot: {details} ({code})", file=sys.stderr)
    sys.exit(1)


class _Outbox:
    """Messages on their way to the harness; grpc takes them on a thread of its own."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[pb2.BotMessage] = SimpleQueue()
        self._is_sent = Flag()

    def messages(self) -> Iterator[pb2.BotMessage]:
        """For grpc: it asks for the next one when it has handed on the one before."""
        while True:
            yield self._queue.get()
            if self._queue.empty():
                self._is_sent.set()

    def send(self, message: pb2.BotMessage) -> None:
        """Put a message in line."""
        self._is_sent.clear()
        self._queue.put(message)

    def drain(self) -> None:
        """Before a crash: see the last answers off, for a broken stream drops what is unread."""
        if not self._is_sent.is_set() and self._is_sent.wait(1):
            sleep(LINGER_S)


class _Table:
    """The games in progress and the answers not yet sent."""

    def __init__(self, new_bot: Callable[[], GameBot], outbox: _Outbox) -> None:
        self._new_bot = new_bot
        self._outbox = outbox
        self._seats: dict[str, _Seat] = {}
        self._answers = pb2.BotMessage()
        self._pending_notes = 0
        self._flush_after = 0.1
        self.is_seated = False

    def take(self, message: pb2.TableMessage) -> None:
        """Do what one message says, in the order of its fields."""
        if message.HasField("welcome"):
            self.is_seated = True
            self._flush_after = message.welcome.decision_limit_us * FLUSH_SHARE / 1e6
        for started in message.started:
            self._start(started)
        if message.requests:
            self._answer_all(message)
        for over in message.over:
            if seat := self._seats.pop(over.game_id, None):
                if seat.observes:
                    self._show(seat, events_of(over.events))
                if seat.hears_end:
                    seat.bot.over(result_of(over))

    def _start(self, message: pb2.GameStarted) -> _Seat:
        game = Game(message)
        seat = self._seats[game.id] = _Seat(self._new_bot(), game)
        seat.bot.start(game)
        if seat.observes:
            self._show(seat, game.history)
        return seat

    def _show(self, seat: _Seat, events: tuple[Event, ...]) -> None:
        for event in events:
            if event.number >= seat.next_event:
                seat.next_event = event.number + 1
                seat.bot.observe(event)

    def _answer_all(self, message: pb2.TableMessage) -> None:
        """Answer in order; send when all are answered, or when the first has waited long enough."""
        send_by = monotonic() + self._flush_after
        try:
            for request in message.requests:
                self._answer(request)
                if monotonic() > send_by or self._pending_notes > PENDING_NOTES:
                    self._flush()
                    send_by = monotonic() + self._flush_after
        finally:  # what was decided before a failure still counts
            self._flush()

    def _answer(self, request: pb2.DecisionRequest) -> None:
        seat = self._seats.get(request.game_id)
        if seat is None:  # a practice decision of a game that was never announced
            seat = self._start(pb2.GameStarted(game_id=request.game_id))
        view = View(request.observation, seat.game, request.time_left_us, request.decision_id)
        if seat.observes:
            self._show(seat, view.events)
        action = seat.bot.decide(view)
        add = self._answers.decisions.decisions.add
        try:
            answer = add(decision_id=view.decision_id, index=view.legal.index(action))
        except ValueError:  # the harness says what is wrong with it
            answer = add(decision_id=view.decision_id, action=message_of(action))
        if view.note:
            answer.note = view.note[:NOTE_LIMIT]
            self._pending_notes += len(answer.note)

    def _flush(self) -> None:
        if self._answers.HasField("decisions"):
            self._outbox.send(self._answers)
            self._answers = pb2.BotMessage()
            self._pending_notes = 0
