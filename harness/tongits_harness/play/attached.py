"""A seat held by a process that its author starts, in a debugger for instance.

No clock runs, nothing is judged by time, and a process that ends may be started again: the game
then goes on where it stood.
"""

import os
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import trio

from tongits_harness.bots.seat import SeatFolder, open_seat_folder
from tongits_harness.bots.staging import open_run_folder
from tongits_harness.errors import BotError
from tongits_harness.faults import Fault
from tongits_harness.play.limits import PlayLimits
from tongits_harness.protocol.conversation import Conversation, Pending
from tongits_harness.protocol.decisions import Ask, Reply, SeatGame
from tongits_harness.protocol.handshake import Terms
from tongits_harness.protocol.lag import LagMeter
from tongits_harness.protocol.link import TableLink


@dataclass(frozen=True, slots=True)
class Invitation:
    """What the process has to know, the same for every process of this seat."""

    address: str
    """TONGITS_ADDRESS."""
    token: str
    """TONGITS_TOKEN."""
    wait_s: float
    is_again: bool
    """An earlier process has ended."""


@asynccontextmanager
async def open_attached(
    limits: PlayLimits,
    *,
    wait_s: float,
    invite: Callable[[Invitation], None],
    ended: Callable[[Fault | None], None],
) -> AsyncIterator["AttachedPlayer"]:
    """A seat at which a process has taken its place.

    Args:
        limits: What it is told; it is not held to them.
        wait_s: How long to wait for it, each time.
        invite: Called when it is time to start it.
        ended: Called when a process is gone before its time, with what it did wrong, if anything.

    Raises:
        BotError: nobody came in time.
    """
    with open_run_folder() as folder, open_seat_folder(folder, os.geteuid()) as seat:
        player = AttachedPlayer(seat, limits, wait_s, invite, ended)
        try:
            await player.welcome()
            yield player
        finally:
            with trio.CancelScope(shield=True):
                await player.hang_up()


class AttachedPlayer:
    """Made by `open_attached` (a `quick.Player`)."""

    def __init__(
        self,
        seat: SeatFolder,
        limits: PlayLimits,
        wait_s: float,
        invite: Callable[[Invitation], None],
        ended: Callable[[Fault | None], None],
    ) -> None:
        self.sdk = ""
        """What the process calls its SDK."""
        self._seat = seat
        self._terms = Terms(secrets.token_hex(8), 1, limits, (), is_timed=False)
        self._wait_s = wait_s
        self._invite = invite
        self._ended = ended
        self._link: TableLink | None = None
        self._talk: Conversation | None = None
        self._games_seen: set[bytes] = set()
        self._has_invited = False

    async def answer(self, ask: Ask) -> Reply:
        """Asks the process, and the next one if it is gone; thinking time is not counted."""
        while True:
            talk = self._talk
            if talk is None or talk.is_over:
                await self.welcome()
                continue
            reply = await self._ask(talk, ask)
            if reply is not None:
                return replace(reply, elapsed_us=0)
            self._ended(talk.fault)

    def tell_over(self, game_id: bytes, over: bytes) -> None:
        """Passes it on."""
        self._games_seen.discard(game_id)
        if self._talk is not None:
            self._talk.tell_over(game_id, over)
            self._talk.flush()

    async def welcome(self) -> None:
        """Waits for a process that says a proper Hello.

        Raises:
            BotError: nobody came in time.
        """
        with trio.move_on_after(self._wait_s):
            while True:
                talk = await self._listen()
                if not talk.is_over:
                    self.sdk = talk.hello.sdk[:64]
                    return
                self._ended(talk.fault)
        raise BotError(
            f"nobody took the attached seat within {self._wait_s:g} s: start your program with "
            "TONGITS_ADDRESS and TONGITS_TOKEN as printed, or give more time with --wait"
        )

    async def hang_up(self) -> None:
        """Ends the stream: a bot then exits."""
        if self._link is not None:
            link, self._link = self._link, None
            await link.close()

    async def _listen(self) -> Conversation:
        """A conversation that has begun, or that broke before it could."""
        await self.hang_up()
        self._link = TableLink(str(self._seat.socket_path), self._wake)
        self._seat.claim()
        self._talk = talk = Conversation(self._link, self._terms, LagMeter(), lambda: None)
        self._invite(
            Invitation(self._seat.address, self._terms.token, self._wait_s, self._has_invited)
        )
        self._has_invited = True
        await _first(talk.ready, talk.over)
        self._seat.unlink_socket()
        return talk

    async def _ask(self, talk: Conversation, ask: Ask) -> Reply | None:
        """The answer; None if the process is gone."""
        answered = trio.Event()
        got: list[Reply] = []

        def deliver(reply: Reply) -> None:
            got.append(reply)
            answered.set()

        talk.ask([Pending(ask, deliver, lambda _pending, _reason: None)], self._known)
        await _first(answered, talk.over)
        return got[0] if got else None

    def _known(self, game: SeatGame) -> bool:
        """Whether an earlier process had the game."""
        is_known = game.game_id in self._games_seen
        self._games_seen.add(game.game_id)
        return is_known

    def _wake(self) -> None:
        if self._talk is not None:
            self._talk.wake()


async def _first(*events: trio.Event) -> None:
    """Waits for any of them."""
    async with trio.open_nursery() as nursery:

        async def wait(event: trio.Event) -> None:
            await event.wait()
            nursery.cancel_scope.cancel()

        for event in events:
            nursery.start_soon(wait, event)
