"""One bot process: started in its sandbox, drained, watched, killed and reaped without remains."""

import secrets
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from tongits_harness.bots import accounting
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.output import Output
from tongits_harness.bots.sandbox.levels import Launch, Sandbox
from tongits_harness.bots.seat import SeatFolder
from tongits_harness.bots.spawner import Spawner, SpawnFailedError
from tongits_harness.bots.staging import StagedBot
from tongits_harness.bots.starting import Handles, start
from tongits_harness.errors import ConfigError

_SIGNALLED = 128
"""A sandbox reports the end by signal n as status 128 + n, as shells do."""


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a process ended."""

    code: int | None
    """Exit status; None if a signal ended it."""
    signal: str | None
    """Name of the signal that ended it, such as SIGSEGV."""
    killed: str | None
    """Why the harness killed it; None if it ended by itself."""

    @property
    def text(self) -> str:
        """One phrase for the author."""
        how = f"ended by {self.signal}" if self.signal else f"exited with status {self.code}"
        return f"{how} (the harness stopped it: {self.killed})" if self.killed else how


class BotProcess:
    """A running bot; made by `open_process`, which also ends it."""

    def __init__(self, handles: Handles, argv: tuple[str, ...], uid: int) -> None:
        self.argv = argv
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
        self._is_ending = False
        self._cpu_time_ns = 0

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
        """CPU time of the bot and all it has started, in microseconds; never goes down."""
        if self.exit is None:
            self._cpu_time_ns = max(self._cpu_time_ns, accounting.cpu_time_ns(self.pid))
        return self._cpu_time_ns // 1000

    def run_queue_wait_us(self) -> int:
        """Microseconds its live threads have waited for a CPU; ended threads leave the sum."""
        return 0 if self.exit else accounting.run_queue_wait_ns(self.pid) // 1000

    def rss_kib(self) -> int:
        """Resident memory of all its processes."""
        return 0 if self.exit else accounting.rss_kib(self.pid)

    async def run(self) -> None:
        """Drains both streams until the process ends, then records how."""
        await trio.lowlevel.checkpoint()  # cancelled before it began: `close` does it all
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.stdout.drain)
            nursery.start_soon(self.stderr.drain)
            await self._handles.wait_ended()
            nursery.cancel_scope.cancel()
        await self._end()

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
        self.exit = _exit_status(self._handles.popen.returncode, self.killed)
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
    if manifest.transport == "tcp":
        raise ConfigError(f'{staged.bot.name}: transport "tcp" is not offered yet; use "unix"')
    launch = Launch(
        manifest.run, manifest.language, staged.path, seat.path, token, limits, slot
    )  # fmt: skip
    handles = await start(sandbox, spawner, launch)
    process = BotProcess(handles, manifest.run, sandbox.bot_uid(slot))
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


def _exit_status(returncode: int | None, killed: str | None) -> ExitStatus:
    if returncode is None:  # killed, but the kernel has not let go of it
        return ExitStatus(None, "SIGKILL", killed)
    number = -returncode if returncode < 0 else returncode - _SIGNALLED
    try:
        return ExitStatus(None, signal.Signals(number).name, killed)
    except ValueError:
        return ExitStatus(returncode, None, killed)
