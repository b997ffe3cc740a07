"""Bots that go over their limits: who ends them, and what is known of it afterwards."""

import os

import pytest
import trio
from tongits_harness.bots import accounting
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs import files
from tongits_harness.bots.rungs.places import find_places
from tongits_harness.bots.watch import FamilyMeter, watch_limits

pytestmark = pytest.mark.process

FILL_MEMORY = """
hoard = []
print("ready", flush=True)
while True:
    hoard.append(bytes(1 << 20).replace(b"\\0", b"x"))
"""
SPIN = "print('ready', flush=True)\nwhile True: pass"
SLEEP = "import time; print('ready', flush=True); time.sleep(600)"


@pytest.fixture(autouse=True)
def _no_group_remains(monkeypatch):
    names, new_name = [], files.new_name
    monkeypatch.setattr(files, "new_name", lambda: names.append(new_name()) or names[-1])
    yield
    places = find_places()
    parents = {*places.by_controller.values(), places.unified} - {None}
    assert [parent / name for parent in parents for name in names if (parent / name).exists()] == []


@pytest.fixture(params=["full", "contained"])
def isolated(request):
    return request.getfixturevalue(request.param)


async def ended(process, within_s=20):
    with trio.fail_after(within_s):
        await process.exited.wait()
    return process


async def test_a_heap_bomb_hits_the_memory_limit(stand, isolated):
    async with stand.open(isolated, FILL_MEMORY, limits=Limits(memory_mib=128)) as process:
        await ended(process)
    assert process.limit_hit == "memory"
    assert process.exit.signal == "SIGKILL"
    assert not process.ended_by_machine
    assert process.evidence()["limit_hit"] == "memory"
    if isolated.rung.enforces:
        assert 124 * 1024 <= process.usage().memory_peak_kib <= 128 * 1024
    else:
        assert process.killed == "memory limit"


async def test_memory_in_several_processes_counts_as_one(stand, isolated):
    program = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        hoard = bytearray(b"x") * (60 << 20)
        time.sleep(600)
time.sleep(600)
"""
    async with stand.open(isolated, program, limits=Limits(memory_mib=128)) as process:
        await ended(process)
    assert (process.limit_hit, process.killed) == ("memory", "memory limit")


async def test_files_in_memory_count_where_memory_is_enforced(stand, full):
    program = """
import time
with open("/dev/shm/x", "wb") as file:
    file.write(bytes(4 << 20))
for number in range(5):
    with open(f"/tmp/{number}", "wb") as file:
        file.write(bytes(15 << 20))
time.sleep(600)
"""
    limits = Limits(memory_mib=64, tmp_mib=1024)
    async with stand.open(full, program, limits=limits) as process:
        await ended(process)
    assert process.limit_hit == "memory"


async def test_pages_shared_after_a_fork_count_once(stand, contained):
    program = """
import os, sys, time
hoard = bytearray(b"x") * (50 << 20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(600)
print("ready", flush=True)
time.sleep(600)
"""
    async with stand.open(contained, program, limits=Limits(memory_mib=128)) as process:
        await stand.line_of(process)
        meter = FamilyMeter(process.pid)
        meter.look()
        assert meter.kib > 200 * 1024
        assert meter.processes == 6
        assert 50 * 1024 < accounting.memory_kib(process.pid) < 128 * 1024
        with trio.move_on_after(0.3):
            await process.exited.wait()
        assert process.exit is None


async def test_a_fork_bomb_is_told_where_processes_are_enforced(stand, full):
    program = """
import os, time
try:
    while True:
        if os.fork() == 0:
            time.sleep(600)
except BlockingIOError:
    raise SystemExit(3)
"""
    async with stand.open(full, program) as process:
        await ended(process)
    assert (process.exit.code, process.limit_hit) == (3, "processes")


async def test_cpu_time_beyond_the_limit_ends_a_bot(stand, isolated):
    async with stand.open(isolated, SPIN, limits=Limits(cpu_s=1)) as process:
        await ended(process)
    assert (process.limit_hit, process.killed) == ("cpu", "cpu limit")
    assert process.cpu_time_us() >= 1_000_000


async def test_an_end_by_the_bots_own_hand_is_no_limit(stand, isolated):
    program = """
import os, sys
sys.stderr.write("MemoryError: memory limit, oom_kill 1\\n")
os.kill(os.getpid(), 9)
"""
    async with stand.open(isolated, program) as process:
        await ended(process)
    assert (process.exit.signal, process.limit_hit) == ("SIGKILL", None)


async def test_the_share_of_cpu_is_bounded(stand, full):
    async with stand.open(full, SPIN, limits=Limits(cpu_cores=0.2)) as process:
        await stand.line_of(process)
        before, began = process.cpu_time_us(), trio.current_time()
        with trio.move_on_after(1):
            await process.exited.wait()
        used_s = (process.cpu_time_us() - before) / 1e6
        assert used_s < 0.2 * (trio.current_time() - began) + 0.11


async def test_a_frozen_bot_gets_no_cpu_and_can_still_be_killed(stand, isolated):
    if not isolated.rung.can_freeze:
        pytest.skip("there is no freezer")
    async with stand.open(isolated, SPIN) as process:
        await stand.line_of(process)
        assert process.can_freeze
        process.freeze()
        await settled(process)
        before = process.cpu_time_us()
        with trio.move_on_after(0.3):
            await process.exited.wait()
        assert process.cpu_time_us() - before < 1_000
        process.thaw()
        await until(lambda: process.cpu_time_us() - before > 20_000)
        process.freeze()
        process.kill("test")
        await ended(process, within_s=5)


async def until(condition):
    """The kernel tells nobody when a freeze or a thaw is complete."""
    with trio.fail_after(10):
        while not condition():  # noqa: ASYNC110
            await trio.sleep(0.02)


async def settled(process):
    """Until two looks at a frozen bot's CPU time agree."""
    looks = [-1]

    def is_still():
        looks.append(process.cpu_time_us())
        return looks[-1] == looks[-2]

    await until(is_still)


async def test_its_use_is_known_after_its_end(stand, full):
    async with stand.open(full, "x = bytearray(b'x') * (40 << 20)") as process:
        await ended(process)
    assert process.usage().memory_peak_kib > 40 * 1024
    assert process.cpu_time_us() > 1_000
    assert set(process.evidence()) == {"rung", "limit_hit", "memory_peak_kib", "cpu_ms"}


async def test_limits_of_a_group_hold_without_namespaces_too(stand, plain):
    if not plain.rung.enforces:
        pytest.skip("no control group can hold memory on this machine")
    async with stand.open(plain, FILL_MEMORY, limits=Limits(memory_mib=128)) as process:
        await ended(process)
    assert process.limit_hit == "memory"


def test_groups_left_by_a_killed_run_are_swept_and_those_of_a_living_one_are_not(full):
    if not hasattr(full.rung, "parents"):
        pytest.skip("only version 1 leaves folders in several hierarchies")
    dead, living = full.rung.open(Limits()), full.rung.open(Limits())
    os.close(dead.lock)
    roots = find_places().roots
    files.sweep([roots[name] for name in full.rung.parents])
    assert not any(folder.exists() for folder in dead.folders.values())
    assert all(folder.exists() for folder in living.folders.values())
    living.close()
    assert not any(folder.exists() for folder in living.folders.values())


class Crowd:
    pid = 1
    killed = None

    def kill_at_limit(self, limit):
        self.killed = limit


async def test_without_a_group_a_crowd_of_processes_is_watched(monkeypatch, autojump_clock):
    sizes = iter((36, 37))  # with what stands around a bot: four helpers
    monkeypatch.setattr(accounting, "family_of", lambda _pid: range(next(sizes, 1)))
    clock = iter(range(1000))
    monkeypatch.setattr(accounting, "process_ns", lambda _pid: next(clock))
    monkeypatch.setattr(accounting, "process_rss_kib", lambda _pid: 1)
    crowd = Crowd()
    with trio.move_on_after(0.15):
        await watch_limits(crowd, Limits(processes=32), FamilyMeter(1), is_in_group=False)
    assert crowd.killed is None
    with trio.move_on_after(0.15):
        await watch_limits(crowd, Limits(processes=32), FamilyMeter(1), is_in_group=False)
    assert crowd.killed == "processes"
