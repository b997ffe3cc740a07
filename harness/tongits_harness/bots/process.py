"""One bot process: started in its sandbox, drained, watched, killed and reaped without remains."""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import trio

from tongits_harness.bots import accounting
from tongits_harness.bots.exit_status import ExitStatus, exit_status
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.output import Output
from tongits_harness.bots.rungs import Rung, Usage
from tongits_harness.bots.rungs.base import MEMORY
from tongits_harness.bots.sandbox.levels import Launch, Level, Relay, Sandbox
from tongits_harness.bots.seat import SOCKET_NAME, SeatFolder
from tongits_harness.bots.spawner import Spawner, SpawnFailedError
from tongits_harness.bots.staging import StagedBot
from tongits_harness.bots.starting import Handles, start
from tongits_harness.bots.watch import FamilyMeter, watch_limits
from tongits_harness.errors import ConfigError

TCP_PORT = 50051
"""Where a bot with `transport = "tcp"` finds its table on its own loopback."""


class BotProcess:
    """A running bot; made by `open_process`, which also ends it."""

    def __init__(self, handles: Handles, launch: Launch, uid: int, rung: Rung) -> None:
        self.argv = launch.argv
        """The bot's own command, as in its manifest."""
        self.uid = uid
        """Who it is on the host."""
        self.incarnation = secrets.token_hex(8)
        """Names this process among all of the tournament."""
        self.exited = trio.Event()
        """Set once it has ended, is reaped, and its last output was read."""
        self.exit: ExitStatus | None = None
        """How it ended; None while it runs."""
        self.killed: str | None = None
        """Why the harness killed it, written down before the signal was sent."""
        self._handles = handles
        self._limits = launch.limits
        self._meter = FamilyMeter(handles.root_pid)
        self._rung = rung
        self._limit: str | None = None
        self._is_ending = False
        self._cpu_time_us = 0

    @property
    def pid(self) -> int:
        """Pid on the host of the init of its namespace; at level `none` of the process itself."""
        return self._handles.root_pid

    @property
    def stdout(self) -> Output:
        """What it printed."""
        return self._handles.stdout

    @property
    def stderr(self) -> Output:
        """What it printed as errors."""
        return self._handles.stderr

    def kill(self, reason: str) -> None:
        """Ends the bot and all it has started, at once and without waiting.

        Args:
            reason: Recorded before the signal is sent; the first one stays.
        """
        if self.exit is None:
            self.killed = self.killed or reason
            self._handles.kill()

    def kill_at_limit(self, limit: str) -> None:
        """Ends the bot because it passed a limit: memory, processes or cpu."""
        if self.exit is None and self.killed is None:
            self._limit = limit
            self.kill(f"{limit} limit")

    @property
    def limit_hit(self) -> str | None:
        """The limit that stopped it or stood in its way: memory, processes or cpu.

        Known from our own records and from what the kernel counted, never from an exit status or
        from words, which a bot can choose.
        """
        usage = self.usage()
        if self._limit is not None or usage.memory_kills:
            return self._limit or "memory"
        return "processes" if usage.refused_processes else None

    @property
    def ended_by_machine(self) -> bool:
        """Whether the machine ran out of memory and took it, though it was below its own limit."""
        return self.limit_hit is None and self.usage().outside_kills > 0

    def usage(self) -> Usage:
        """What the kernel has counted of its group, also after its end."""
        return self._handles.usage if self.exit else self._handles.group.usage()

    def evidence(self) -> Mapping[str, object]:
        """JSON values for whoever asks how it ended: rung, limit, memory, CPU."""
        return {
            "rung": self._rung.name,
            "limit_hit": self.limit_hit,
            "memory_peak_kib": self.usage().memory_peak_kib,
            "cpu_ms": self.cpu_time_us() // 1000,
        }

    @property
    def can_freeze(self) -> bool:
        """Whether `freeze` stops it."""
        return self._rung.can_freeze

    def freeze(self) -> None:
        """Stops all of it until `thaw`; it gets no CPU meanwhile."""
        if self.exit is None:
            self._handles.group.freeze()

    def thaw(self) -> None:
        """Lets it go on."""
        if self.exit is None:
            self._handles.group.thaw()

    def check_uid(self) -> None:
        """Makes sure that nothing of the bot runs as another uid than its own.

        To be called once the bot has shown a sign of life; right after the start its uid may not
        be taken yet.

        Raises:
            SpawnFailedError: It does, or it is root.
        """
        if self.exit is not None or self.uid == 0:
            return
        family = accounting.family_of(self.pid)
        bots = family[1:] if len(family) > 1 else family  # the init may be bwrap's own, as root
        for pid in bots:
            if set(uids := accounting.host_uids_of(pid)) - {self.uid}:
                raise SpawnFailedError(f"a bot runs as uid {uids[0]} instead of {self.uid}")

    def cpu_time_us(self) -> int:
        """CPU time of the bot and all it has started, in microseconds; never goes down.

        With a control group it costs one file read, and its start counts too.
        """
        counted = self.counted_cpu_us()
        if counted is None and self.exit is None:
            counted = accounting.cpu_time_ns(self.pid) // 1000
        self._cpu_time_us = max(self._cpu_time_us, counted or 0)
        return self._cpu_time_us

    def counted_cpu_us(self) -> int | None:
        """CPU time as its group counts it, at the cost of one file read; None without a group."""
        return self._handles.usage.cpu_us if self.exit else self._handles.group.cpu_us()

    def run_queue_waits_us(self) -> dict[int, int]:
        """Its live threads, and how many microseconds each has waited for a CPU."""
        waits = {} if self.exit else accounting.run_queue_waits_ns(self.pid)
        return {thread: ns // 1000 for thread, ns in waits.items()}

    def known_cpu_us(self, *, anew: bool = False) -> int | None:
        """CPU time as its group counts it, else of the processes the watch has seen last.

        Cheap; None if neither knows anything. With `anew` new processes are looked for.
        """
        counted = self.counted_cpu_us()
        if counted is not None or self.exit:
            return counted
        if anew:
            self._meter.look()
        return self._meter.cpu_us()

    def rss_kib(self) -> int:
        """Resident memory of all its processes."""
        return 0 if self.exit else accounting.rss_kib(self.pid)

    async def run(self) -> None:
        """Drains both streams until the process ends, then records how."""
        await trio.lowlevel.checkpoint()  # cancelled before it began: `close` does it all
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.stdout.drain)
            nursery.start_soon(self.stderr.drain)
            nursery.start_soon(self._watch)
            await self._handles.wait_ended()
            nursery.cancel_scope.cancel()
        await self._end()

    async def _watch(self) -> None:
        is_in_group = MEMORY in self._rung.enforces
        await watch_limits(self, self._limits, self._meter, is_in_group=is_in_group)

    async def close(self) -> None:
        """Kills it if it lives, reaps it and frees what it held; bounded and not cancellable."""
        if self._is_ending:
            with trio.CancelScope(shield=True):  # `run` is at it, with a bound
                await self.exited.wait()
        else:
            self.killed = self.killed or "closed"
            await self._end()

    async def _end(self) -> None:
        self._is_ending = True
        await self._handles.end()
        self.exit = exit_status(self._handles.popen.returncode, self.killed)
        self.exited.set()


@asynccontextmanager
async def open_process(
    sandbox: Sandbox,
    spawner: Spawner,
    staged: StagedBot,
    seat: SeatFolder,
    *,
    token: str,
    limits: Limits,
    slot: int,
) -> AsyncIterator[BotProcess]:
    """A bot process that lives at most as long as the block.

    Args:
        sandbox: How it is kept apart.
        spawner: Starts it; must outlive it.
        staged: Whose read-only copy runs.
        seat: Its folder; the socket in it should be bound and claimed before.
        token: What it has to say in its Hello.
        limits: What it may use.
        slot: Process slot, which no other live process of the harness has.

    Raises:
        SpawnFailedError: The machine could not start it; never the bot's fault.
        ConfigError: Its manifest asks for something that cannot be given.
    """
    manifest = staged.bot.manifest
    relay = None
    if manifest.transport == "tcp":
        refuse_without_loopback(staged.bot.name, sandbox)
        relay = Relay(SOCKET_NAME, TCP_PORT, "TONGITS_ADDRESS")
    launch = Launch(
        manifest.run, manifest.language, staged.path, seat.path, token, limits, slot,
        staged.runtime, relay,
    )  # fmt: skip
    async with open_launch(sandbox, spawner, launch) as process:
        yield process


def refuse_without_loopback(name: str, sandbox: Sandbox) -> None:
    """Raises ConfigError where a bot cannot be reached by TCP."""
    if sandbox.level is Level.PARTIAL:
        raise ConfigError(
            f'{name}: transport "tcp" cannot be had at level partial, which lets no bot use TCP; '
            'use "unix", or a machine whose sandbox has namespaces'
        )


@asynccontextmanager
async def open_launch(
    sandbox: Sandbox, spawner: Spawner, launch: Launch
) -> AsyncIterator[BotProcess]:
    """Any process in a sandbox, which lives at most as long as the block.

    Raises:
        SpawnFailedError: The machine could not start it.
    """
    handles = await start(sandbox, spawner, launch)
    process = BotProcess(handles, launch, sandbox.bot_uid(launch.slot), sandbox.rung)
    failure: BaseException | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.run)
            try:
                yield process
            finally:
                nursery.cancel_scope.cancel()
                await process.close()
    except BaseExceptionGroup as group:
        if len(group.exceptions) > 1:
            raise
        failure = group.exceptions[0]  # the block's own error, without the nursery's wrapper
    if failure is not None:
        raise failure
