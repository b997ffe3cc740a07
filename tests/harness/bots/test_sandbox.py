"""What a bot in the sandbox can see and do."""

import json
import shutil
import socket
import sys
from concurrent import futures
from pathlib import Path

import grpc
import pytest
import tongits_bot
import trio
from tongits.v1 import table_pb2, table_pb2_grpc
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.process import open_process
from tongits_harness.bots.sandbox import Level, open_sandbox
from tongits_harness.bots.seat import open_seat_folder
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import open_run_folder, stage

pytestmark = pytest.mark.process

PROGRAMS = Path(__file__).parent / "programs"
CHECKOUT = Path(__file__).parents[3]
FOREIGN = (
    "/etc/passwd", "/etc/shadow", "/home", "/root/.ssh", "/root/.bashrc", "/var", "/sys", "/mnt",
    str(CHECKOUT / "pyproject.toml"), str(CHECKOUT / "results"), str(CHECKOUT / "tests"),
    str(Path(tongits_bot.__file__).parents[1]),
)  # fmt: skip


@pytest.fixture(scope="module")
def listening():
    """Services of the host that no bot may reach: a TCP port and an abstract socket."""
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind("\0tongits-test")
        unix.listen()
        yield tcp.getsockname()[1]


@pytest.fixture(scope="module")
def seen(contained, listening, tmp_path_factory):
    """What one bot has found, looking around in its sandbox."""
    folder = tmp_path_factory.mktemp("look")
    shutil.copy(PROGRAMS / "look_around.py", folder / "main.py")
    (folder / "bot.toml").write_text(
        'name = "look"\nversion = "1"\nlanguage = "python"\nrun = ["python3", "main.py"]\n'
    )
    (folder / "places.json").write_text(json.dumps([[*FOREIGN, str(folder)], listening]))
    with open_run_folder() as run:
        found = trio.run(look_around, contained, run, stage(load_bot(folder), run))
        return {**found, "run": str(run.path)}


async def look_around(sandbox, run, staged):
    with Spawner() as spawner, open_seat_folder(run, sandbox.bot_uid(8)) as seat:
        async with open_process(
            sandbox, spawner, staged, seat, token=str(8), limits=Limits(), slot=8
        ) as process:
            await process.exited.wait()
    assert process.exit.code == 0, process.stderr.text()
    return json.loads(process.stdout.text())


def test_a_bot_sees_and_reaches_nothing_but_its_own(seen):
    assert seen["visible"] == []
    assert seen["etc"] in (["alternatives", "ld.so.cache"], ["ld.so.cache"], [])
    assert {"bot", "dev", "etc", "opt", "proc", "run", "tmp", "usr"} <= set(seen["root"])
    assert seen["packages"] == ["google", "grpc", "tongits", "tongits_bot", "typing_extensions.py"]
    assert len(seen["pids"]) == 2
    assert seen["descriptors"] == [0, 1, 2]
    assert seen["uid"] != 0
    assert seen["init_environment"] in {"''", "PermissionError:13"}
    assert seen["run"] not in seen["init_command"]
    assert "PYTHON" not in seen["init_command"]
    assert seen["kill_init"] in {"PermissionError:1", "None"}


def test_a_bot_has_exactly_the_stated_environment(seen):
    assert seen["environment"] == {
        "PATH": "/opt/tongits/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PWD": "/bot",  # set by bwrap itself
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": "/opt/tongits/python",
        "TONGITS_ADDRESS": "unix:/run/bot/table.sock",
        "TONGITS_TOKEN": "8",
        "GRPC_ENABLE_FORK_SUPPORT": "0",
    }


def test_a_bot_has_no_network(seen):
    assert seen["interfaces"] == ["lo"]
    assert seen["internet"] == "OSError:101"
    assert seen["host_port"] == "ConnectionRefusedError:111"
    assert seen["abstract"] == "ConnectionRefusedError:111"
    assert seen["netlink"] == seen["vsock"] == "OSError:97"


def test_a_bot_can_write_only_to_its_own_temp_folders(seen):
    assert seen["writable"] == []
    assert seen["tmp"] == ["None", "None"]


def test_a_bot_cannot_make_the_refused_calls(seen):
    assert seen["keyctl"] == [-1, 1]
    assert seen["memfd"] == [-1, 38]
    assert seen["unshare"] == [-1, 1]
    assert seen["terminal"] in {"OSError:6", "FileNotFoundError:2"}
    assert seen["nice"] == "PermissionError:13"
    assert seen["setuid"] in {"PermissionError:1", "OSError:22"}


class Table(table_pb2_grpc.TableServicer):
    def Play(self, request_iterator, _context):
        if next(request_iterator).hello.token != "a-word":  # noqa: S105
            raise ValueError
        yield table_pb2.TableMessage(welcome=table_pb2.Welcome(protocol_version=1))


async def test_a_bot_dials_its_table_through_the_read_only_folder(stand, sandbox):
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=2))
    table_pb2_grpc.add_TableServicer_to_server(Table(), server)
    with open_seat_folder(stand.run, sandbox.bot_uid(7)) as seat:
        server.add_insecure_port(seat.address)
        server.start()
        seat.claim()
        assert seat.socket_path.stat().st_mode & 0o777 == 0o600
        staged = stage(stand.make_bot("dial.py"), stand.run)
        async with stand.open_at(seat, sandbox, staged) as process:
            await process.exited.wait()
        server.stop(None).wait()
    said = process.stdout.text()
    assert process.exit.code == 0, process.stderr.text()
    told = json.loads(said)
    assert told["version"] == 1
    assert told["has_cache"] == [True, True]
    if sandbox.level is Level.CONTAINED:
        assert told["unlink"] == "OSError"


@pytest.mark.parametrize("level", ["contained", "plain"])
async def test_a_bot_that_wants_tcp_dials_its_table_through_a_relay(stand, request, level):
    sandbox = request.getfixturevalue(level)
    bot = stand.make_bot("dial.py")
    with (bot.path / "bot.toml").open("a") as manifest:
        manifest.write('transport = "tcp"\n')
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=2))
    table_pb2_grpc.add_TableServicer_to_server(Table(), server)
    with open_seat_folder(stand.run, sandbox.bot_uid(7)) as seat:
        server.add_insecure_port(seat.address)
        server.start()
        seat.claim()
        staged = stage(load_bot(bot.path), stand.run)
        async with stand.open_at(seat, sandbox, staged) as process:
            await process.exited.wait()
        server.stop(None).wait()
    assert process.exit.code == 0, process.stderr.text()
    assert json.loads(process.stdout.text())["version"] == 1


async def test_memory_files_and_processes_are_bounded(stand, contained):
    program = """
import json, resource, sys
names = ["AS", "CORE", "DATA", "FSIZE", "NPROC", "NOFILE", "MEMLOCK", "STACK", "MSGQUEUE"]
json.dump({n: resource.getrlimit(getattr(resource, "RLIMIT_" + n))[1] for n in names}, sys.stdout)
"""
    seen = json.loads(await stand.output_of(contained, program))
    assert seen["CORE"] == seen["MEMLOCK"] == seen["MSGQUEUE"] == 0
    assert (seen["DATA"], seen["FSIZE"]) == (1024 << 20, 16 << 20)
    assert (seen["NPROC"], seen["NOFILE"], seen["STACK"]) == (64, 256, 8 << 20)


async def test_a_fork_bomb_stops_at_the_limit(stand, contained):
    program = """
import os, sys, time
made = 0
try:
    while made < 500:
        if os.fork() == 0:
            time.sleep(600)
        made += 1
except BlockingIOError:
    pass
sys.stdout.write(str(made))
"""
    assert 50 < int(await stand.output_of(contained, program)) <= 64


async def test_its_temp_folder_is_small_and_its_own(stand, contained):
    program = """
import errno, os, sys
try:
    for number in range(4):
        with open(f"/tmp/{number}", "wb") as file:
            file.write(bytes(8 << 20))
except OSError as error:
    sys.stdout.write(errno.errorcode[error.errno] + str(sorted(os.listdir("/tmp"))[0]))
"""
    assert await stand.output_of(contained, program) == "ENOSPC0"


def test_the_best_level_is_chosen_and_described(contained):
    sandbox = open_sandbox("auto")
    assert sandbox.level in {Level.FULL, Level.CONTAINED}
    assert sandbox.describe().startswith(f"{sandbox.level}: bubblewrap ")
    assert sandbox.rung.name in sandbox.describe()
    assert ("memory watched, not enforced" in sandbox.describe()) is (
        sandbox.level is Level.CONTAINED
    )
    assert contained.level is Level.CONTAINED
    assert "memory watched, not enforced" in contained.describe()
    assert sandbox.bot_uid(0) != 0


def test_no_sandbox_says_so_loudly(plain):
    assert plain.level is Level.NONE
    assert "NO ISOLATION" in plain.describe()


async def test_without_a_sandbox_the_environment_is_as_small(stand, plain):
    program = "import json, os, sys; json.dump(dict(os.environ), sys.stdout)"
    seen = json.loads(await stand.output_of(plain, program))
    assert set(seen) == {
        "PATH", "HOME", "LANG", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONUNBUFFERED",
        "PYTHONPATH", "TONGITS_ADDRESS", "TONGITS_TOKEN", "GRPC_ENABLE_FORK_SUPPORT",
    }  # fmt: skip
    assert seen["PATH"].startswith(str(Path(sys.executable).parent))


def test_slots_beyond_the_range_of_uids_are_refused(plain):
    if plain.bot_uid(0) == plain.bot_uid(1):
        pytest.skip("a plain user's bots share its uid")
    with pytest.raises(ValueError, match="process slot 4336"):
        plain.bot_uid(4336)
