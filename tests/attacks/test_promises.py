"""What SECURITY.md claims of the levels `partial` and `none`, by bots that try it.

The words of the table are looked up here: a claim that changes needs a check that changes.
"""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from tongits_harness.bots import accounting
from tongits_harness.bots.landlock import landlock_abi
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.rungs.base import HELPER_PROCESSES
from tongits_harness.bots.rungs.rlimits import RlimitsRung
from tongits_harness.bots.sandbox.levels import Level

from tests.attacks.seats import CHECKOUT
from tests.harness.bots.conftest import (  # noqa: F401  # fixtures
    make_bot,
    partial,
    plain,
    run,
    spawner,
    stand,
)

pytestmark = pytest.mark.process
SLOT = 17
LEVELS = ("partial", "plain")
"""Fixtures; `plain` is level none."""
TRIES = """
import errno, json, os, resource, socket, sys
places = json.load(open("places.json"))
def outcome(attempt):
    try:
        return "DONE" if attempt() is None else "DONE"
    except OSError as error:
        return errno.errorcode[error.errno]
def connect(family, address):
    with socket.socket(family) as client:
        client.connect(address)
def fill(size):
    with open(os.path.join(places["folder"], "filled"), "ab") as file:
        file.write(bytes(size))
def many():
    files = [os.open("/dev/null", os.O_RDONLY) for _ in range(300)]
json.dump({
    "uids": os.getresuid(),
    "read": outcome(lambda: open(places["file"]).read()),
    "read a system file": outcome(lambda: open(os.__file__).read()),
    "see a name": outcome(lambda: os.stat(places["file"])),
    "write": outcome(lambda: open(places["file"], "a").write("!")),
    "tcp": outcome(lambda: connect(socket.AF_INET, ("127.0.0.1", places["port"]))),
    "unix": outcome(lambda: connect(socket.AF_UNIX, places["socket"])),
    "signal": outcome(lambda: os.kill(places["pid"], 0)),
    "see a process": outcome(lambda: os.stat(f"/proc/{places['pid']}")),
    "fill": [outcome(lambda: fill(5 << 20)) for _ in range(3)],
    "one big file": outcome(lambda: fill(9 << 20)),
    "many files": outcome(many),
    "core": resource.getrlimit(resource.RLIMIT_CORE),
}, sys.stdout)
"""
REFUSED = {"EACCES", "EPERM", "EROFS"}
CLAIMS = {
    "files of the host cannot be read": ("yes, but for system files and names", "no"),
    "files of the host cannot be written": ("yes", "no"),
    "no network, no foreign sockets": ("yes, but for Unix sockets that the uid may open", "no"),
    "other processes cannot be seen or signalled": ("not signalled", "no"),
    "never runs as root": ("yes", "yes"),
    "memory of the bot as a whole": ("watched", "watched"),
    "number of processes": ("watched", "watched"),
    "disk": ("enforced", "not limited"),
    "open files, file size, core files": ("enforced", "enforced"),
    "all of it is gone after a kill": ("its process group", "its process group"),
    "results are trusted": ("yes", "no"),
}
"""What the columns `partial` and `none` say, as it is checked below (trust: by the leaderboard)."""


def test_the_table_says_what_is_checked_here():
    rows = [
        [cell.strip() for cell in line.strip("|\n ").split("|")]
        for line in (CHECKOUT / "SECURITY.md").read_text().splitlines()
        if line.startswith("| ")
    ]
    table = {row[0]: tuple(row[3:]) for row in rows if len(row) == 5}
    assert {what: table.get(what) for what in CLAIMS} == CLAIMS


@pytest.fixture(params=LEVELS)
def level(request):
    """Its name, and the sandbox with no control group, as the claims have to hold without one."""
    sandbox = request.getfixturevalue(request.param)
    return request.param, with_rlimits(sandbox)


def with_rlimits(sandbox):
    if sandbox.level is Level.PARTIAL:
        return replace(sandbox, plain=replace(sandbox.plain, rung=RlimitsRung()))
    return replace(sandbox, rung=RlimitsRung())


@pytest.fixture
def places(level):
    """Things of the host's that anybody may use; the process is one of the bot's own uid."""
    _, sandbox = level
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        folder.chmod(0o777)
        (folder / "file").write_text("x")
        (folder / "file").chmod(0o666)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(str(folder / "socket"))
        unix.listen()
        (folder / "socket").chmod(0o777)
        uid = sandbox.bot_uid(SLOT)
        drop = [shutil.which("setpriv"), "--reuid", str(uid), "--clear-groups"]
        victim = stack.enter_context(
            subprocess.Popen(
                [*(drop if os.getuid() == 0 else []), "/bin/cat"], stdin=subprocess.PIPE
            )
        )
        stack.callback(victim.kill)
        yield {
            "folder": str(folder), "file": str(folder / "file"), "socket": str(folder / "socket"),
            "port": tcp.getsockname()[1], "pid": victim.pid,
        }  # fmt: skip
        assert victim.poll() is None


async def test_files_network_processes_and_uid(level, places, stand, make_bot):  # noqa: F811
    name, sandbox = level

    def make(program, **options):
        bot = make_bot(program, **options)
        (bot.path / "places.json").write_text(json.dumps(places))
        return load_bot(bot.path)

    stand.make_bot = make
    limits = Limits(file_size_mib=16, open_files=64, tmp_mib=8)
    told = json.loads(await stand.output_of(sandbox, TRIES, limits=limits, slot=SLOT))

    assert set(told["uids"]) == {sandbox.bot_uid(SLOT)}
    assert 0 not in told["uids"]
    assert told["core"] == [0, 0]
    assert told["many files"] == "EMFILE"
    assert told["see a name"] == told["see a process"] == told["read a system file"] == "DONE"
    assert told["unix"] == "DONE"
    if name == "partial":
        assert {told["read"], told["write"], told["one big file"], *told["fill"]} <= REFUSED
        assert told["tcp"] == "EAFNOSUPPORT"
        assert told["signal"] == "EPERM" or landlock_abi() < 6
    else:
        assert {told["read"], told["write"], told["tcp"], told["signal"]} == {"DONE"}
        assert told["fill"] == ["DONE"] * 3  # 15 MiB, where a /tmp of its own would have 8
        assert told["one big file"] == "EFBIG"


async def _killed_by(stand, sandbox, program, limits):  # noqa: F811
    with trio.fail_after(20):
        async with stand.open(sandbox, program, limits=limits, slot=SLOT) as process:
            await process.exited.wait()
    return process.killed


async def test_memory_as_a_whole_is_watched(level, stand):  # noqa: F811
    program = """
import mmap, time
shared = mmap.mmap(-1, 300 << 20)  # which RLIMIT_DATA does not count
for at in range(0, 300 << 20, 4096):
    shared[at] = 1
time.sleep(60)
"""
    assert await _killed_by(stand, level[1], program, Limits(memory_mib=128)) == "memory limit"


async def test_the_number_of_processes_is_watched(level, stand):  # noqa: F811
    program = """
import os, time
while True:
    try:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    except OSError:
        time.sleep(0.02)
"""
    most, limits = 0, Limits(processes=32)
    with trio.move_on_after(1.5):
        async with stand.open(level[1], program, limits=limits, slot=SLOT) as process:
            while process.exit is None:
                most = max(most, len(accounting.family_of(process.pid)))
                await trio.sleep(0.02)
    # Within a tenth of a second some more can be there, where the kernel does not count per uid.
    assert 16 < most <= limits.processes + HELPER_PROCESSES or process.killed == "processes limit"


async def test_its_process_group_is_gone_after_a_kill(level, stand):  # noqa: F811
    program = """
import os, sys, time
children = []
for _ in range(3):
    pid = os.fork()
    if pid == 0:
        time.sleep(60)
    children.append(pid)
print(os.getpid(), flush=True)
time.sleep(60)
"""
    async with stand.open(level[1], program, slot=SLOT) as process:
        await stand.line_of(process)
        family = accounting.family_of(process.pid)
        assert len(family) >= 4
        process.kill("test")
        await process.exited.wait()
    with trio.fail_after(5):
        while any(accounting.host_uids_of(pid) for pid in family):  # noqa: ASYNC110
            await trio.sleep(0.01)
