"""The way out of a fetch: where it leads, what it counts, what it does with rubbish."""

import socket
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import trio
from tongits_harness.bots.build.addresses import why_refused
from tongits_harness.bots.build.proxy import PROXY_SOCKET, Traffic, open_proxy


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.255.255.254", "0.0.0.1", "0.1.2.3", "10.1.2.3", "172.16.0.1",
        "172.31.255.255", "192.168.7.7", "100.64.0.1", "100.127.255.255", "169.254.169.254",
        "168.63.129.16", "224.0.0.1", "239.255.255.255", "255.255.255.255", "240.0.0.1",
        "192.0.0.8", "198.18.0.1", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1",
        "ff02::1", "fec0::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2002:7f00:1::1", "2002:a00:1::", "2001:0:1::1",
        "100::1", "nonsense", "",
    ],
)  # fmt: skip
def test_the_host_and_private_networks_are_refused(address):
    assert why_refused(address)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1", "203.0.113.80", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1",
        "192.167.0.1", "169.253.0.1", "223.255.255.255", "2606:4700::1111", "2a00::1",
        "::ffff:1.1.1.1", "64:ff9b::101:101",
    ],
)  # fmt: skip
def test_the_internet_is_not(address):
    assert why_refused(address) == ""


def test_addresses_of_our_own_interfaces_are_refused():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("203.0.113.1", 9))  # sends nothing: only asks for a route
        except OSError:
            pytest.skip("this machine has no network: no address of its own but loopback")
        own = probe.getsockname()[0]
    assert why_refused(own)
    assert why_refused(f"::ffff:{own}")


async def echo(stream):
    async with stream:
        head = b""
        while b"\r\n\r\n" not in head and (data := await stream.receive_some(1000)):
            head += data
        await stream.send_all(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(head) + head)


@asynccontextmanager
async def open_server(handler=echo):
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, handler, 0, host="127.0.0.1")
        listeners = await nursery.start(serve)
        yield listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


@pytest.fixture
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("door")


async def ask(folder, request):
    """All that comes back for a request."""
    with trio.fail_after(20):
        async with await trio.open_unix_socket(folder / PROXY_SOCKET) as stream:
            await stream.send_all(request)
            answer = b""
            while data := await stream.receive_some(65536):
                answer += data
    return answer


def open_to(port, limit=1 << 20):
    """A proxy's book that lets one port of loopback be reached, as a stand for the internet."""
    return Traffic(limit, judge=lambda _address: "", ports=frozenset({port}))


async def test_a_tunnel_passes_bytes_both_ways_and_counts_them(folder):
    async with open_server() as port:
        traffic = open_to(port)
        async with open_proxy(folder, 0, traffic):
            place = f"localhost:{port}".encode()
            request = b"CONNECT %s HTTP/1.1\r\nHost: x\r\n\r\n" % place + b"hello\r\n\r\n"
            answer = await ask(folder, request)
    assert answer.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK")
    assert answer.endswith(b"hello\r\n\r\n")
    assert list(traffic.hosts) == [f"localhost:{port}"]
    assert traffic.total > 2 * len(b"hello\r\n\r\n")
    assert list(folder.iterdir()) == []


async def test_a_plain_request_is_passed_on_as_a_server_expects_it(folder):
    async with open_server() as port, open_proxy(folder, 0, open_to(port)):
        request = (
            f"GET http://localhost:{port}/a/b?c=d HTTP/1.1\r\nHost: localhost\r\n"
            "Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\n\r\n"
        ).encode()
        answer = await ask(folder, request)
    assert b"GET /a/b?c=d HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" in answer
    assert b"Proxy-" not in answer


@pytest.mark.parametrize(
    ("request_head", "told"),
    [
        (b"CONNECT 127.0.0.1:443 HTTP/1.1", b"127.0.0.1 is loopback"),
        (b"CONNECT localhost:443 HTTP/1.1", b"is loopback"),
        (b"CONNECT [::1]:443 HTTP/1.1", b"::1 is loopback"),
        (b"CONNECT 192.168.1.1:443 HTTP/1.1", b"192.168.1.1 is private"),
        (b"CONNECT 0x7f000001:443 HTTP/1.1", b"is loopback"),
        (b"CONNECT 1.1.1.1:22 HTTP/1.1", b"only the ports 80 and 443"),
        (b"GET http://169.254.169.254/latest/ HTTP/1.1", b"is link-local"),
        (b"GET ftp://example.org/ HTTP/1.1", b"no request"),
        (b"GET / HTTP/1.1", b"no request"),
        (b"CONNECT host:port HTTP/1.1", b"no request"),
        (b"\xff\xfe\x00 \x1b[31m", b"no request"),
        (b"CONNECT " + b"a" * 300 + b":443 HTTP/1.1", b"no such host"),
    ],
)
async def test_what_is_refused_is_told_to_the_client(folder, request_head, told):
    traffic = Traffic(1 << 20)
    async with open_proxy(folder, 0, traffic):
        answer = await ask(folder, request_head + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert told in answer
    assert b"\x1b" not in answer
    assert traffic.problem
    assert traffic.total == 0


async def test_a_head_without_end_is_refused(folder):
    async with open_proxy(folder, 0, Traffic(1 << 20)):
        assert b"larger than 64 KiB" in await ask(folder, b"GET " + b"a" * 70_000)


async def test_more_than_the_limit_is_cut_off(folder):
    async def flood(stream):
        async with stream:
            with suppress(trio.BrokenResourceError):
                while True:
                    await stream.send_all(bytes(65536))

    async with open_server(flood) as port:
        traffic = open_to(port, limit=1 << 20)
        async with open_proxy(folder, 0, traffic):
            answer = await ask(folder, f"CONNECT localhost:{port} HTTP/1.1\r\n\r\n".encode())
    assert len(answer) < 2 << 20
    assert traffic.problem == "it transferred more than 1 MiB"
