"""A cluster of two hosts, each a network namespace of its own, that speak TLS with each other."""

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.e2e.cup import Outcome, cup
from tests.e2e.dask import Cluster, Host

pytestmark = [pytest.mark.process, pytest.mark.soak]
NOWHERE = "no such program"
IP = shutil.which("ip") or NOWHERE
NAMES = ("tgt-test-a", "tgt-test-b")
ADDRESSES = ("10.77.31.1", "10.77.31.2")


def ip(*words: str) -> None:
    subprocess.run([IP, *words], check=True, capture_output=True, timeout=20)


@pytest.fixture
def hosts() -> Iterator[tuple[Host, Host]]:
    if os.getuid() != 0 or IP == NOWHERE:
        pytest.skip("network namespaces need root and `ip` (Debian: iproute2)")
    ends = ("tgtvetha", "tgtvethb")
    try:
        for name in NAMES:
            ip("netns", "add", name)
        ip("link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
        for name, end, address in zip(NAMES, ends, ADDRESSES, strict=True):
            ip("link", "set", end, "netns", name)
            ip("-n", name, "addr", "add", f"{address}/24", "dev", end)
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", end, "up")
        a, b = (
            Host(address, (IP, "netns", "exec", name))
            for name, address in zip(NAMES, ADDRESSES, strict=True)
        )
        yield a, b
    finally:
        for name in NAMES:
            subprocess.run([IP, "netns", "del", name], capture_output=True, check=False)


@pytest.fixture
def tls(tmp_path) -> dict[str, str]:
    """A certificate of an authority of our own, as Dask's settings."""
    if shutil.which("openssl") is None:
        pytest.skip("certificates need openssl (Debian: openssl)")
    new = ("openssl", "req", "-newkey", "rsa:2048", "-nodes")
    for words in (
        (*new, "-x509", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=ca"),
        (*new, "-keyout", "key.pem", "-out", "asked.pem", "-subj", "/CN=cluster"),
        (
            "openssl", "x509", "-req", "-in", "asked.pem", "-CA", "ca.pem", "-CAkey", "ca.key",
            "-CAcreateserial", "-out", "cert.pem", "-days", "2",
        ),
    ):  # fmt: skip
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, timeout=60)
    settings = "DASK_DISTRIBUTED__COMM__"
    made = {
        f"{settings}REQUIRE_ENCRYPTION": "True",
        f"{settings}TLS__CA_FILE": str(tmp_path / "ca.pem"),
    }
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        made[f"{settings}TLS__{role}__CERT"] = str(tmp_path / "cert.pem")
        made[f"{settings}TLS__{role}__KEY"] = str(tmp_path / "key.pem")
    return made


def test_hosts_that_speak_tls_come_to_the_same(
    arena, uninterrupted, hosts, tls, tmp_path_factory, monkeypatch
):
    for name, value in tls.items():
        monkeypatch.setenv(name, value)
    cluster = Cluster(tmp_path_factory.mktemp("dask"), arena.tmp, host=hosts[0], env=tls)
    try:
        for host in hosts:
            cluster.add_worker(host)
        running = arena.start(
            # In a namespace of its own /sys shows no control groups: the level that is left.
            "run", cup(arena), "--cluster", cluster.address, "--progress", "none",
            "--sandbox", "contained", wrap=hosts[0].wrap,
        )  # fmt: skip
        done = running.wait(300)
        assert done.rc == 0, f"{done.err}\n{cluster.log()}"
    finally:
        cluster.stop()
    assert cluster.address.startswith(f"tls://{ADDRESSES[0]}")
    assert arena.leaderboard()["sandbox"] == "contained"
    # The level is part of the leaderboard; all games have to be the same.
    assert Outcome(arena).games == uninterrupted.games
    arena.was_killed = True
