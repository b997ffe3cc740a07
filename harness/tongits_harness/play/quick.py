"""One session at one table, each seat answered by whoever sits there; nothing is stored.

`play_quick` is for games that are looked at: `table` drives the sessions of tournaments.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Protocol

import trio

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import RunFolder, open_run_folder, stage
from tongits_harness.errors import BotError
from tongits_harness.faults import Fault
from tongits_harness.play.incarnation import Incarnation, ProcessServices
from tongits_harness.play.lane import HouseServices, Lane, Sitter
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.onlooker import Onlooker
from tongits_harness.play.session import SessionOutcome, SessionSetup, play_session
from tongits_harness.play.slots import ComputeSlots
from tongits_harness.play.table import REPLAYS, repeatedly_late
from tongits_harness.play.tournament import fault_lines
from tongits_harness.protocol.conversation import Pending
from tongits_harness.protocol.decisions import Ask, GameEnded, Reply
from tongits_harness.protocol.lag import LagMeter

FAREWELL_S = 2.0
"""How long a bot may go on once its stream has ended, to print its last words."""


class Player(Protocol):
    """Whoever decides for a seat."""

    async def answer(self, ask: Ask) -> Reply:
        """The choice, or the fault instead of it."""

    def tell_over(self, game_id: bytes, over: bytes) -> None:
        """A game has ended; `over` is what the seat may be told of that."""


Players = tuple[Player, Player, Player]


async def play_quick(setup: SessionSetup, players: Players, onlooker: Onlooker) -> SessionOutcome:
    """Plays a session to its end."""
    play = play_session(setup, onlooker)
    reply: Reply | None = None
    try:
        while True:
            effect = play.send(reply)
            if isinstance(effect, GameEnded):
                reply = None
                for player, name, over in zip(players, effect.game_ids, effect.over, strict=True):
                    player.tell_over(name, over)
            else:
                reply = await players[effect.seat].answer(effect)
    except StopIteration as stop:
        outcome: SessionOutcome = stop.value
        return outcome
    finally:
        play.close()


class BotPlayer:
    """A bot in its sandbox."""

    def __init__(self, lane: Lane, limits: PlayLimits, say: Callable[[str], None]) -> None:
        self.lane = lane
        self._limits = limits
        self._say = say
        lane.sitters.add(self)

    async def answer(self, ask: Ask) -> Reply:
        """Asks again where this machine was too slow to judge the answer."""
        reason = ""
        for _ in range(REPLAYS + 1):
            reply = await ask_lane(self.lane, self, ask)
            if not isinstance(reply, str):
                return reply
            reason = reply
            self._say(f"{self.lane.entrant} is asked again, for this machine was slow: {reason}")
        return repeatedly_late(reason, self._limits)

    def tell_over(self, game_id: bytes, over: bytes) -> None:
        """Passes it on."""
        self.lane.tell_over(game_id, over)

    def incarnated(self, lane: Lane, incarnation: str) -> None:
        """Nothing to remember (`lane.Sitter`)."""


async def ask_lane(lane: Lane, sitter: Sitter, ask: Ask) -> Reply | str:
    """A bot's answer, or why this machine could not judge it."""
    answered = trio.Event()
    got: list[Reply | str] = []

    def take(answer: Reply | str) -> None:
        got.append(answer)
        answered.set()

    lane.submit(Pending(ask, take, lambda _pending, reason: take(reason)), sitter)
    await answered.wait()
    return got[0]


@asynccontextmanager
async def open_lanes(
    bots: Mapping[int, Bot],
    sandbox: Sandbox,
    limits: PlayLimits,
    *,
    process_limits: Limits | None = None,
    is_timed: bool = True,
    parted: Callable[[Incarnation], None] = lambda _incarnation: None,
) -> AsyncIterator[Mapping[int, Lane]]:
    """Bots that have come up, each alone in a lane; they end with the block.

    Args:
        bots: Seat -> bot.
        sandbox: How they are kept apart.
        limits: What they are told and, where `is_timed`, held to.
        process_limits: What a process may use.
        is_timed: Whether clocks run.
        parted: Told of every process that has ended.

    Raises:
        BotError: one of them did not come up; what its author needs to know is in the details.
    """
    with open_run_folder() as folder:
        async with Spawner() as spawner, trio.open_nursery() as nursery:
            processes = ProcessServices(
                sandbox=sandbox,
                spawner=spawner,
                folder=folder,
                process_limits=process_limits or Limits(),
                limits=limits,
                lag=LagMeter(),
                is_timed=is_timed,
            )
            services = HouseServices(processes, ComputeSlots(1), lambda: None, parted)
            nursery.start_soon(processes.lag.run)
            lanes = {
                seat: await _open_lane(services, bot, seat, folder, nursery)
                for seat, bot in bots.items()
            }
            await _come_up(lanes)
            yield lanes
            await _part(lanes)
            nursery.cancel_scope.cancel()


async def _open_lane(
    services: HouseServices, bot: Bot, seat: int, folder: RunFolder, nursery: trio.Nursery
) -> Lane:
    staged = await trio.to_thread.run_sync(stage, bot, folder)
    lane = Lane(services, staged, seat, 1)
    nursery.start_soon(lane.run)
    return lane


async def _come_up(lanes: Mapping[int, Lane]) -> None:
    failed: dict[int, Fault] = {}

    async def start(seat: int, lane: Lane) -> None:
        fault = (await lane.start()).fault
        if fault is not None:
            failed[seat] = fault

    async with trio.open_nursery() as nursery:
        for seat, lane in lanes.items():
            nursery.start_soon(start, seat, lane)
    if failed:
        names = ", ".join(dict.fromkeys(lanes[seat].entrant for seat in sorted(failed)))
        details = [
            line
            for seat, fault in sorted(failed.items())
            for line in fault_lines(lanes[seat].entrant, fault)
        ]
        raise BotError(f"{names} did not come up: mend it and try again", details=details)


async def _part(lanes: Mapping[int, Lane]) -> None:
    """Ends the streams and lets the bots print their last words."""
    alive = [lane.now for lane in lanes.values() if lane.now is not None]
    for lane in lanes.values():
        lane.restart("the game is over", farewell_s=FAREWELL_S)
    with trio.move_on_after(FAREWELL_S + 1):
        for incarnation in alive:
            if incarnation.process is not None:
                await incarnation.process.exited.wait()
