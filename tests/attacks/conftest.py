"""A ring for attackers: things of the host worth attacking, and a sandbox to do it from."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tongits_harness.bots.sandbox import open_sandbox
from tongits_harness.errors import SandboxUnavailableError

from tests.attacks.seats import SAMPLES, Ring
from tests.attacks.table import Attack
from tests.e2e.conftest import _session_tmp, arena, shared  # noqa: F401  # fixtures


@pytest.fixture(scope="module")
def probe_tree() -> Iterator[Path]:
    """Files that anybody may read and write, as far as the host's own rules go."""
    tree = Path(tempfile.mkdtemp(prefix="probe-tree-", dir="/var/tmp"))
    tree.chmod(0o777)
    for name in ("secret", "other.db", "deep/er/file"):
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"this is {name}")
        path.chmod(0o666)
    yield tree
    shutil.rmtree(tree)


@pytest.fixture(scope="module")
def sandbox():
    try:
        return open_sandbox("auto")
    except SandboxUnavailableError as refusal:
        pytest.skip(f"no sandbox on this machine: {refusal}")


@pytest.fixture(scope="module")
def ring(sandbox, probe_tree, tmp_path_factory) -> Iterator[Ring]:
    """With services that really listen, and a process that must stay alive."""
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        abstract, path = f"tongits-attack-test-{os.getpid()}", str(probe_tree / "host.sock")
        for name in (f"\0{abstract}", path):
            unix = stack.enter_context(socket.socket(socket.AF_UNIX))
            unix.bind(name)
            unix.listen()
        Path(path).chmod(0o777)
        victim = stack.enter_context(
            subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        )
        stack.callback(victim.kill)
        for service in (tcp, udp):
            service.setblocking(False)
        targets = {
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "abstract": abstract,
            "sockets": [path, "/run/docker.sock"],
            "pids": [victim.pid],
            "files": [str(probe_tree), str(probe_tree / "secret")],
        }
        # Results of another run, which must stay as they are; and what a first run takes for good.
        other = Ring(probe_tree, sandbox, targets)
        assert not other.play(Attack(0, "other"), SAMPLES / "cautious").faults
        yield Ring(tmp_path_factory.mktemp("ring"), sandbox, targets)
        assert victim.poll() is None, "a bot reached a process of the host"
        for service in (tcp, udp):
            with pytest.raises(BlockingIOError):  # nobody knocked
                service.accept() if service is tcp else service.recv(1)
