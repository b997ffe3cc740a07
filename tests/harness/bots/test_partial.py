"""Level `partial`: what a bot can do that shares the machine's namespaces."""

import errno
import json
import os
import socket

import pytest
from tongits_harness.bots import landlock
from tongits_harness.bots.landlock import landlock_abi, renounce
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.rungs.rlimits import RlimitsRung
from tongits_harness.bots.sandbox import partial as module
from tongits_harness.bots.sandbox.partial import open_partial
from tongits_harness.errors import SandboxUnavailableError

pytestmark = pytest.mark.process

LOOK = """
import ctypes, errno, json, os, socket, sys
sys.path.insert(0, "/bot")
place, port, harness = json.load(open("places.json"))
def outcome(attempt):
    try:
        return repr(attempt())
    except OSError as error:
        return errno.errorcode[error.errno]
def connect(family, address):
    with socket.socket(family) as client:
        client.connect(address)
libc = ctypes.CDLL(None, use_errno=True)
json.dump({
    "foreign": outcome(lambda: open(place).read()),
    "passwd": outcome(lambda: open("/etc/passwd").read()),
    "listing": [outcome(lambda: os.listdir(path)) for path in ("/", "/tmp", "/root", "/etc")],
    "writing": [
        outcome(lambda: open(path, "w"))
        for path in (place, "/tmp/x", "/dev/shm/x", "x", "/run/x", "/proc/sys/kernel/core_pattern")
    ],
    "own": outcome(lambda: len(open("main.py").read()) > 100),
    "tcp": outcome(lambda: connect(socket.AF_INET, ("127.0.0.1", port))),
    "udp": outcome(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)),
    "abstract": outcome(lambda: connect(socket.AF_UNIX, "\\0tongits-partial")),
    "signal": outcome(lambda: os.kill(harness, 0)),
    "environment": outcome(lambda: open(f"/proc/{harness}/environ").read()),
    "memfd": libc.memfd_create(b"x", 0),
    "descriptors": len(os.listdir("/proc/self/fd")) - 1,
    "packages": sorted(os.listdir(os.environ["PYTHONPATH"])),
    "variables": sorted(os.environ),
    "grpc": bool(__import__("grpc")),
}, sys.stdout)
"""


@pytest.fixture
def places(tmp_path):
    """A file anybody may change, a port and a socket; what no bot should reach."""
    place = tmp_path / "open-to-all"
    place.write_text("x")
    place.chmod(0o666)
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind("\0tongits-partial")
        unix.listen()
        yield [str(place), tcp.getsockname()[1], os.getpid()]


async def test_a_bot_reads_its_own_and_writes_nothing(stand, partial, places, make_bot):
    def make(program, **options):
        bot = make_bot(program, **options)
        (bot.path / "places.json").write_text(json.dumps(places))
        return load_bot(bot.path)

    stand.make_bot = make
    seen = json.loads(await stand.output_of(partial, LOOK))
    refused = {"EACCES", "EPERM", "EROFS"}
    assert {seen["foreign"], seen["passwd"], *seen["listing"], *seen["writing"]} <= refused
    assert seen["own"] == seen["grpc"] * "True"
    assert seen["tcp"] == seen["udp"] == "EAFNOSUPPORT"
    assert seen["environment"] in refused
    if landlock_abi() >= 6:
        assert (seen["abstract"], seen["signal"]) == ("EPERM", "EPERM")
    assert (seen["memfd"], seen["descriptors"]) == (-1, 3)
    assert seen["packages"] == ["google", "grpc", "tongits", "tongits_bot", "typing_extensions.py"]
    assert seen["variables"] == [
        "GRPC_ENABLE_FORK_SUPPORT", "HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE",
        "PYTHONHASHSEED", "PYTHONPATH", "PYTHONUNBUFFERED", "TONGITS_ADDRESS", "TONGITS_TOKEN",
    ]  # fmt: skip


def test_what_stays_open_is_told(partial):
    text = partial.describe()
    assert text.startswith("partial: NO NAMESPACES, Landlock ABI ")
    assert "sockets of the account can be reached" in text
    assert "watched" in open_partial(RlimitsRung()).describe()


def test_a_probe_that_gets_through_refuses_the_level(monkeypatch, partial):
    monkeypatch.setattr(module, "_SYSTEM", (*module._SYSTEM, "/"))
    with pytest.raises(SandboxUnavailableError, match="got through"):
        open_partial(RlimitsRung())


def test_a_kernel_without_landlock_cannot_renounce(monkeypatch):
    monkeypatch.setattr(landlock, "landlock_abi", lambda: 0)
    with pytest.raises(OSError, match="no Landlock") as refused:
        renounce(readable=[], writable=[])
    assert refused.value.errno == errno.EOPNOTSUPP
    monkeypatch.setattr(landlock, "landlock_abi", lambda: 1)
    monkeypatch.setattr(landlock, "_FILE_RIGHTS_BY_ABI", {1: 1 << 60})
    with pytest.raises(OSError, match="Landlock: "):
        renounce(readable=[], writable=[])
