"""A lane's surroundings without processes: links and processes that do as they are told."""

from contextlib import asynccontextmanager, contextmanager
from functools import partial
from itertools import count
from types import SimpleNamespace

import trio
from tongits.v1 import table_pb2 as pb
from tongits_harness.bots.limits import Limits
from tongits_harness.play import incarnation
from tongits_harness.play.incarnation import ProcessServices
from tongits_harness.play.lane import HouseServices, Lane
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.slots import ComputeSlots
from tongits_harness.protocol.conversation import Conversation, Pending
from tongits_harness.protocol.link import Broken, Received

from tests.harness.protocol.bench import FakeLag, FakeLink, ask_for


class FakeProcess:
    """A process that ends when it is told to or killed."""

    argv = ("a-bot",)

    def __init__(self, number):
        self.incarnation = f"process-{number}"
        self.exited = trio.Event()
        self.exit = self.killed = self.limit_hit = None
        self.stdout = self.stderr = SimpleNamespace(tail=lambda _lines: "last words")
        self.waited_us = self.used_us = 0
        self.ended_by_machine = False
        self.uid_problem = None

    def end(self, text="exited with status 1"):
        self.exit = self.exit or SimpleNamespace(text=text)
        self.exited.set()

    def kill(self, reason):
        self.killed = self.killed or reason
        self.end("ended by SIGKILL")

    def evidence(self):
        return {"rung": "none"}

    def known_cpu_us(self, *, anew=False):  # noqa: ARG002
        return self.used_us

    def run_queue_waits_us(self):
        return {1: self.waited_us, 2: self.waited_us // 2}

    def check_uid(self):
        if self.uid_problem:
            raise self.uid_problem


class Bot(FakeLink):
    """One incarnation: what it was sent, and how it answers."""

    def __init__(self, world, path, wake):
        super().__init__()
        self.world, self.path, self.wake = world, path, wake
        self.token = self.process = None
        self.closed = False
        world.bots.append(self)

    async def close(self):
        self.closed = True

    def hears(self, *messages, hangs_up=False):
        """The harness reads these from the socket, all in one turn of the loop."""
        self.inbox.extend(Received(self.world.now_ns(), message) for message in messages)
        if hangs_up:
            self.inbox.append(Broken(self.world.now_ns(), None))
        self.wake()

    def hello(self, games=4):
        hello = pb.Hello(protocol_version=1, token=self.token, concurrent_games=games)
        return pb.BotMessage(hello=hello)

    def answer(self, *ids):
        decisions = [pb.Decision(decision_id=i, index=0) for i in ids]
        self.hears(pb.BotMessage(decisions=pb.Decisions(decisions=decisions)))

    def violates(self, what):
        self.inbox.append(Broken(self.world.now_ns(), what))
        self.wake()

    def was_asked(self):
        return [(request.decision_id, request.game_id) for request in self.requests()]


class FakeSitter:
    """A table at a lane: what was told to it, by the number of the game."""

    def __init__(self):
        self.replies, self.voids, self.incarnations = {}, [], []

    def incarnated(self, _lane, incarnation):
        if incarnation not in self.incarnations:
            self.incarnations.append(incarnation)

    def granted(self):
        """As one who holds a compute slot and does nothing with it."""


class World:
    """All that a lane touches; `greets` says whether a new process says Hello by itself."""

    def __init__(self, monkeypatch, *, slots=1, **limits):
        self.bots, self.greets, self.changes = [], True, 0
        self.on_start = lambda _bot: None
        self._ticks, self._numbers = count(1), count(1)
        self.slots = ComputeSlots(slots)
        processes = ProcessServices(
            SimpleNamespace(bot_uid=lambda slot: 60_000 + slot),
            None,
            None,
            Limits(),
            PlayLimits(**limits),
            FakeLag(),
        )
        self.services = HouseServices(processes, self.slots, self._changed)
        monkeypatch.setattr(incarnation, "open_process", self._open_process)
        monkeypatch.setattr(incarnation, "open_seat_folder", self._open_seat_folder)
        monkeypatch.setattr(incarnation, "TableLink", partial(Bot, self))
        monkeypatch.setattr(incarnation, "warm_up_asks", lambda: ())
        monkeypatch.setattr(incarnation, "Conversation", partial(Conversation, now_ns=self.now_ns))

    def now_ns(self):
        """Virtual time, a nanosecond later at every look, as real time is."""
        return round(trio.current_time() * 1e9) + next(self._ticks)

    def _changed(self):
        self.changes += 1

    @contextmanager
    def _open_seat_folder(self, *_where):
        yield SimpleNamespace(
            socket_path=f"seat-{next(self._numbers)}",
            claim=lambda: None,
            unlink_socket=lambda: None,
        )

    @asynccontextmanager
    async def _open_process(self, _sandbox, _spawner, _staged, seat, *, token, **_more):
        await trio.lowlevel.checkpoint()
        (bot,) = [bot for bot in self.bots if bot.path == seat.socket_path]
        bot.process, bot.token = FakeProcess(self.bots.index(bot) + 1), token
        self.on_start(bot)
        if self.greets:
            bot.hears(bot.hello())
        try:
            yield bot.process
        finally:
            bot.process.kill("closed")

    def lane(self, *, capacity=4):
        manifest = SimpleNamespace(memory=None)
        staged = SimpleNamespace(bot=SimpleNamespace(name="ana", manifest=manifest))
        return Lane(self.services, staged, 0, capacity)


def submit(lane, sitter, number):
    """A decision of game `number`; its reply arrives in `sitter.replies`."""
    lane.sitters.add(sitter)
    pending = Pending(
        ask_for(number),
        lambda reply: sitter.replies.update({number: reply}),
        lambda _pending, reason: sitter.voids.append(reason),
    )
    lane.submit(pending, sitter)


async def settle():
    """Lets everything happen that needs no time; in virtual time nothing else is awake."""
    await trio.testing.wait_all_tasks_blocked()
    await trio.testing.wait_all_tasks_blocked()
