"""The life of bot processes: start, end, kill, and what remains (nothing)."""

import os
import select
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from tongits_harness.bots.accounting import children_of, family_of
from tongits_harness.bots.exit_status import ExitStatus
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.seat import open_seat_folder
from tongits_harness.bots.spawner import Spawner, SpawnFailedError
from tongits_harness.bots.staging import open_run_folder, stage
from tongits_harness.errors import ConfigError

pytestmark = pytest.mark.process

PROGRAMS = Path(__file__).parent / "programs"

WAIT_FOREVER = "import time; print('ready'); time.sleep(600)"


def watch(pids):
    """Descriptors that become readable when the processes end."""
    return [os.pidfd_open(pid) for pid in pids]


def all_gone(pidfds, within_s=10):
    poll = select.poll()
    for pidfd in pidfds:
        poll.register(pidfd, select.POLLIN)
    waiting = set(pidfds)
    while waiting and (ended := poll.poll(within_s * 1000)):
        for pidfd, _ in ended:
            poll.unregister(pidfd)
            waiting.discard(pidfd)
            os.close(pidfd)
    return not waiting


@pytest.fixture(autouse=True)
def _nothing_remains(run, spawner):
    descriptors = len(os.listdir("/proc/self/fd"))
    children = set(children_of(os.getpid()))
    yield
    assert set(children_of(os.getpid())) <= children  # zombies and adopted orphans count
    assert len(os.listdir("/proc/self/fd")) <= descriptors + 4  # trio's own come and go
    assert sorted(path.name for path in run.path.iterdir()) == ["bots", "lock"]


@pytest.mark.parametrize(
    ("program", "code", "signalled", "text"),
    [
        ("pass", 0, None, "exited with status 0"),
        ("raise SystemExit(3)", 3, None, "exited with status 3"),
        ("import os; os.kill(os.getpid(), 11)", None, "SIGSEGV", "ended by SIGSEGV"),
        ("import os; os.abort()", None, "SIGABRT", "ended by SIGABRT"),
    ],
)
async def test_an_end_of_its_own_is_told_by_status_or_signal(
    stand, sandbox, program, code, signalled, text
):
    async with stand.open(sandbox, program) as process:
        await process.exited.wait()
    assert process.exit == ExitStatus(code, signalled, None)
    assert process.exit.text == text


async def test_the_last_words_are_kept(stand, sandbox):
    async with stand.open(sandbox, "raise RuntimeError('\\x1b[31mbad')") as process:
        await process.exited.wait()
    assert process.stderr.tail(1) == r"RuntimeError: \x1b[31mbad"


async def test_a_program_that_does_not_exist_is_the_bots_own_fault(stand, sandbox):
    async with stand.open(sandbox, "pass", run=["./nothing"]) as process:
        await process.exited.wait()
    assert process.exit.code in {126, 127}
    assert "nothing" in process.stderr.tail()


async def test_the_reason_of_a_kill_is_recorded_before_it_happens(stand, sandbox):
    async with stand.open(sandbox, WAIT_FOREVER) as process:
        await stand.line_of(process)
        process.kill("too slow")
        assert process.killed == "too slow"
        process.kill("again")
        await process.exited.wait()
    assert process.exit == ExitStatus(None, "SIGKILL", "too slow")
    assert process.exit.text == "ended by SIGKILL (the harness stopped it: too slow)"


async def test_a_kill_takes_daemons_with_it(stand, contained):
    async with stand.open(contained, "daemons.py") as process:
        await stand.line_of(process)
        family = family_of(process.pid)
        assert len(family) >= 5
        pidfds = watch(family)
        process.kill("test")
        await process.exited.wait()
    assert all_gone(pidfds)


async def test_leaving_the_block_ends_the_bot_and_lets_errors_through(stand, sandbox):
    with pytest.raises(KeyError, match="mine") as raised:  # noqa: PT012
        async with stand.open(sandbox, WAIT_FOREVER) as process:
            await stand.line_of(process)
            pidfds = watch(family_of(process.pid))
            raise KeyError("mine") from ValueError("its cause")
    assert str(raised.value.__cause__) == "its cause"
    assert process.exit == ExitStatus(None, "SIGKILL", "closed")
    assert all_gone(pidfds)


async def test_cancelling_ends_the_bot(stand, sandbox):
    with trio.CancelScope() as scope:
        async with stand.open(sandbox, WAIT_FOREVER) as process:
            await stand.line_of(process)
            scope.cancel()
            await trio.sleep_forever()
    assert scope.cancelled_caught
    assert process.exit is not None


async def test_cancelling_a_start_leaves_nothing(stand, sandbox):
    with trio.CancelScope() as scope:
        scope.cancel()
        async with stand.open(sandbox, WAIT_FOREVER):
            pass
    assert scope.cancelled_caught


async def test_the_bot_runs_as_its_own_uid_and_never_as_root(stand, contained):
    async with stand.open(contained, WAIT_FOREVER, slot=5) as process:
        await stand.line_of(process)
        process.check_uid()
        assert process.uid == contained.bot_uid(5) != 0
        process.uid += 1
        with pytest.raises(SpawnFailedError, match="runs as uid"):
            process.check_uid()


async def test_a_flood_of_output_is_read_slowly_and_kept_in_part(stand, contained):
    program = "import os\nwhile True: os.write(1, b'x' * 65536)"
    async with stand.open(contained, program) as process:
        while process.stdout.total < 300_000:
            await process.stdout.wait_more()
        process.kill("enough")
        await process.exited.wait()
    assert process.stdout.total < 3_000_000
    assert len(process.stdout.head) + len(process.stdout.last) == (64 + 16) * 1024


async def test_use_of_the_machine_is_counted(stand, sandbox):
    program = """
import time
while time.process_time() < 0.2:
    pass
print("ready")
time.sleep(600)
"""
    async with stand.open(sandbox, program) as process:
        await stand.line_of(process)
        assert 190_000 <= process.cpu_time_us() < 5_000_000  # counted at ticks
        assert max(process.run_queue_waits_us().values()) > 0
        assert 3_000 < process.rss_kib() < 200_000
        process.kill("test")
        await process.exited.wait()
        assert process.cpu_time_us() >= 190_000
        assert process.rss_kib() == 0


async def test_a_sandbox_that_cannot_be_set_up_is_the_machines_fault(stand, contained):
    broken = replace(contained, python=replace(contained.python, binds=((Path("/none"), "/y"),)))
    with pytest.raises(SpawnFailedError, match=r"could not be set up: bwrap: .*/none"):
        async with stand.open(broken, "pass"):
            pass


async def test_a_missing_bubblewrap_is_the_machines_fault(stand, contained):
    broken = replace(contained, program=Path("/usr/bin/no-bwrap"))
    with pytest.raises(SpawnFailedError):
        async with stand.open(broken, "pass"):
            pass


async def test_a_closed_spawner_refuses(spawner):
    with Spawner() as closed:
        pass
    with pytest.raises(SpawnFailedError, match="is closed"):
        await closed.spawn(["true"], {})
    with pytest.raises(SpawnFailedError, match="null byte"):
        await spawner.spawn(["tr\0ue"], {})


async def test_tcp_is_refused_where_there_is_no_loopback_of_its_own(stand, partial, make_bot):
    bot = make_bot("pass")
    (bot.path / "bot.toml").write_text((bot.path / "bot.toml").read_text() + 'transport = "tcp"')
    staged = stage(load_bot(bot.path), stand.run)

    with (
        open_seat_folder(stand.run, partial.bot_uid(7)) as seat,
        pytest.raises(ConfigError, match="cannot be had at level partial"),
    ):
        async with stand.open_at(seat, partial, staged):
            pass


async def test_many_processes_one_after_another_leak_nothing(stand, contained, make_bot):

    staged = stage(make_bot("pass", run=["/usr/bin/true"]), stand.run)
    descriptors, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    for number in range(25):
        with open_seat_folder(stand.run, contained.bot_uid(number)) as seat:
            async with stand.open_at(
                seat, contained, staged, slot=number, limits=Limits()
            ) as process:
                await process.exited.wait()
        assert process.exit == ExitStatus(0, None, None)
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert threading.active_count() == threads


@pytest.mark.parametrize("level", ["contained", "none"])
def test_bots_die_with_the_harness(make_bot, level):
    bot = make_bot("daemons.py" if level == "contained" else WAIT_FOREVER)
    parent = subprocess.Popen(
        [sys.executable, PROGRAMS / "parent.py", level, bot.path], stdout=subprocess.PIPE
    )
    before = {*children_of(os.getpid()), parent.pid}
    with parent:
        run, *pids = parent.stdout.readline().split()
        pidfds = watch(map(int, pids))
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        assert len(pidfds) >= (5 if level == "contained" else 1)
        assert all_gone(pidfds)
    for orphan in set(children_of(os.getpid())) - before:  # adopted, see Spawner
        os.waitpid(orphan, 0)
    assert Path(run.decode()).is_dir()
    with open_run_folder():  # the next run takes away what the killed one has left
        assert not Path(run.decode()).exists()
