"""Recorded games asked of a real Python bot through the harness's own link and conversation.

The bot has the kit and thinks nothing, and there is no sandbox, engine or store: what is measured
is the way of a decision from the harness to a bot and back, with so many games going on at once.
"""

import os
import random
import secrets
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count, islice
from pathlib import Path

import trio
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.session import play_session
from tongits_harness.play.warm_up import warm_up_asks
from tongits_harness.protocol.conversation import Conversation, Pending
from tongits_harness.protocol.decisions import Ask, Chosen, Effect, GameEnded, Reply
from tongits_harness.protocol.handshake import Terms
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.protocol.link import Incoming, TableLink

from tests.bench.machine import on_core
from tests.bench.measured import Exchange
from tests.bench.own_loops import calm, plans, setup

_BOT = Path(__file__).with_name("first_legal_bot.py")
_PATIENCE_S = 120
_LIMITS = PlayLimits(start_s=120.0, decision_s=30.0, bank_s=3600.0)
_GAMES = 60


Told = tuple[Ask, bytes | None]
"""A question and, if it is a game's last one, the end that follows it."""


@dataclass(frozen=True, slots=True)
class SeatStory:
    """What seat 0 is asked in one game, and what it is told at the end."""

    asks: tuple[Ask, ...]
    over: bytes


@cache
def stories() -> tuple[SeatStory, ...]:
    """Games in which everybody melds what can be melded, as the sample bots do."""
    chance = random.Random(1)
    found: list[SeatStory] = []
    for number in range(_GAMES):
        asks: list[Ask] = []
        for effect in _effects(number, chance):
            if isinstance(effect, GameEnded):
                found.append(SeatStory(tuple(asks), effect.over[0]))
            elif effect.seat == 0:
                asks.append(effect)
    return tuple(story for story in found if story.asks)


def _effects(number: int, chance: random.Random) -> Iterator[Effect]:
    play = play_session(setup(*plans(number, 1), games=1))
    reply: Reply | None = None
    try:
        while True:
            effect = play.send(reply)
            yield effect
            reply = (
                None if isinstance(effect, GameEnded) else Chosen(calm(effect.legal, chance), 100)
            )
    except StopIteration:
        return


@dataclass(slots=True, eq=False)
class Talk:
    """One bot process and the games that are asked of it."""

    at_once: int
    decisions: int
    core: int | None
    messages: list[bytes] = field(default_factory=list)
    """What was sent with requests in it, what was sent without them being put before it."""
    _queue: deque[Pending] = field(default_factory=deque)
    _unasked: bytes = b""
    _answered: int = 0
    _asked: int = 0
    _done: trio.Event = field(default_factory=trio.Event)
    _link: TableLink = field(init=False)
    _talk: Conversation = field(init=False)
    _is_due: bool = False
    _token: trio.lowlevel.TrioToken = field(init=False)

    async def hold(self) -> Exchange:
        """Asks so many decisions, and times it from the first one on.

        Raises:
            RuntimeError: the bot failed, or this machine was too slow to judge it.
        """
        found: list[Exchange] = []
        self._token = trio.lowlevel.current_trio_token()
        with tempfile.TemporaryDirectory(prefix="tgt-") as folder, trio.fail_after(_PATIENCE_S):
            self._link = link = TableLink(f"{folder}/s", lambda: self._talk.wake())  # noqa: PLW0108
            token = secrets.token_hex(8)
            terms = Terms(token, self.at_once, _LIMITS, warm_up_asks())
            self._talk = Conversation(self, terms, lag := LagMeter(), self._send_soon)
            feeds = [self._feed(number) for number in range(self.at_once)]
            bot = self._start(f"{folder}/s", token)
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(lag.run)
                    await self._talk.ready.wait()
                    nursery.start_soon(self._talk.watch)
                    with Exchange.timed(found, bot.pid) as exchange:
                        await self._play(feeds)
                        exchange.answered = self._answered
                    nursery.cancel_scope.cancel()
            finally:
                bot.kill()
                bot.wait()
                await link.close()
        return found[0]

    def send(self, message: bytes, asked: int) -> None:
        """Passes on and keeps what the conversation sends (`conversation.Link`)."""
        if self._asked:  # all before that was the handshake
            self._unasked += message
            if asked:
                self.messages.append(self._unasked)
                self._unasked = b""
        self._link.send(message, asked)

    def take(self) -> Iterator[Incoming]:
        """What came in."""
        return self._link.take()

    def _start(self, socket: str, token: str) -> "subprocess.Popen[bytes]":
        env = {**os.environ, "TONGITS_ADDRESS": f"unix:{socket}", "TONGITS_TOKEN": token}
        with on_core(self.core):
            return subprocess.Popen([sys.executable, str(_BOT)], env=env)

    async def _play(self, feeds: Sequence[Iterator[Told]]) -> None:
        for feed in feeds:
            self._next(feed)
        await self._done.wait()

    def _feed(self, first: int) -> Iterator[Told]:
        """More than will be asked of one game after the other, made before time is taken."""
        return iter(list(islice(_games(first), self.decisions // self.at_once * 2 + 100)))

    def _next(self, feed: Iterator[Told]) -> None:
        if self._asked == self.decisions:
            return
        self._asked += 1
        ask, over = next(feed)

        def deliver(reply: Reply) -> None:
            if not isinstance(reply, Chosen):
                raise RuntimeError(f"the bot failed: {reply}")
            self._answered += 1
            if over is not None:
                self._talk.tell_over(ask.game.game_id, over)
            if self._answered == self.decisions:
                self._done.set()
            self._next(feed)

        self._queue.append(Pending(ask, deliver, _void))
        self._send_soon()

    def _send_soon(self) -> None:
        """At the end of this turn of the event loop, as `play.slots` has it."""
        if not self._is_due:
            self._is_due = True
            self._token.run_sync_soon(self._send)

    def _send(self) -> None:
        """Everything that waits, in one message, once nothing is outstanding (`play.lane`)."""
        self._is_due = False
        if self._queue and not self._talk.outstanding:
            batch = list(self._queue)
            self._queue.clear()
            self._talk.ask(batch, lambda _game: False)


def _games(first: int) -> Iterator[Told]:
    """Game after game under fresh names."""
    told = stories()
    for number in count(first):
        story = told[number % len(told)]
        game = replace(story.asks[0].game, game_id=secrets.token_hex(8).encode())
        *before, last = (replace(ask, game=game) for ask in story.asks)
        yield from ((ask, None) for ask in before)
        yield last, story.over


def _void(*words: object) -> None:
    raise RuntimeError(f"this machine was too slow to judge a decision: {words[-1]}")


def talk(at_once: int, decisions: int, core: int | None) -> tuple[Exchange, Sequence[bytes]]:
    """One measurement, and the messages that were sent."""
    one = Talk(at_once, decisions, core)
    return trio.run(one.hold), one.messages
