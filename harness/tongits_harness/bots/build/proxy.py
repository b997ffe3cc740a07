"""The one way out of a fetch: an HTTP proxy on a Unix socket, in the harness.

It takes CONNECT for TLS and plain requests for the rest, resolves names itself, connects to the
address it has judged, counts what passes and writes down every host. What passes is not looked at.
"""

import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import trio

from tongits_harness.bots.build.addresses import why_refused
from tongits_harness.bots.seat import SeatFolder
from tongits_harness.text import safe_text

PROXY_SOCKET = "proxy.sock"
_PORTS = frozenset({80, 443})
_HEAD_BYTES = 64 * 1024
_CHUNK = 64 * 1024
_HEAD_LIMIT_S = 30.0
_CONNECT_LIMIT_S = 20.0
_IDLE_LIMIT_S = 120.0
_MOST_AT_ONCE = 64
_MOST_NAMED = 200
_HOP_BY_HOP = frozenset({b"proxy-connection", b"proxy-authorization", b"connection", b"keep-alive"})


@dataclass(slots=True)
class Traffic:
    """What went through a proxy, and what it refused."""

    limit: int
    """Bytes, both ways together."""
    hosts: dict[str, None] = field(default_factory=dict)
    """host:port of every request, in order; refused ones say so."""
    total: int = 0
    problem: str = ""
    """The first thing that was refused, in words."""
    judge: Callable[[str], str] = why_refused
    """Says why an address may not be reached; empty if it may."""
    ports: frozenset[int] = _PORTS
    """Those that may be reached."""

    def count(self, size: int) -> None:
        """Adds what is about to pass.

        Raises:
            _RefusedError: That is too much.
        """
        self.total += size
        if self.total > self.limit:
            raise self.refuse("", f"it transferred more than {self.limit >> 20} MiB")

    def note(self, host: str) -> None:
        """Writes a host down."""
        if len(self.hosts) < _MOST_NAMED:
            self.hosts[host] = None

    def refuse(self, host: str, why: str) -> "_RefusedError":
        """Writes a refusal down and gives the error to raise."""
        if host:
            self.note(f"{host} (refused: {why})")
        told = f"the proxy refused {host}: {why}" if host else why
        self.problem = self.problem or told
        return _RefusedError(told)


class _RefusedError(Exception):
    """A request that is not let through; the text is for the client."""


@asynccontextmanager
async def open_proxy(folder: Path, uid: int, traffic: Traffic) -> AsyncIterator[None]:
    """A proxy on a Unix socket that only one uid may use, as long as the block lasts.

    Args:
        folder: An empty folder of ours; in the end it is empty again.
        uid: Who may use it.
        traffic: Where everything is written down.
    """
    seat = SeatFolder(folder, uid)
    path = folder / PROXY_SOCKET
    with trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        await listener.bind(str(path))
        seat.claim(path)
        listener.listen(_MOST_AT_ONCE)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_accept, listener, traffic)
            yield
            nursery.cancel_scope.cancel()
    os.unlink(path)


async def _accept(listener: trio.socket.SocketType, traffic: Traffic) -> None:
    at_once = trio.CapacityLimiter(_MOST_AT_ONCE)
    async with trio.open_nursery() as nursery:
        while True:
            client, _ = await listener.accept()
            nursery.start_soon(_serve, trio.SocketStream(client), traffic, at_once)


async def _serve(
    client: trio.SocketStream, traffic: Traffic, at_once: trio.CapacityLimiter
) -> None:
    async with at_once, client:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            try:
                await _serve_request(client, traffic)
            except _RefusedError as error:
                text = f"{error}\n".encode()
                head = f"HTTP/1.1 403 Forbidden\r\nContent-Length: {len(text)}\r\n"
                kind = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
                await client.send_all((head + kind).encode() + text)


async def _serve_request(client: trio.SocketStream, traffic: Traffic) -> None:
    head = rest = b""
    with trio.move_on_after(_HEAD_LIMIT_S) as in_time:
        head, rest = await _read_head(client, traffic)
    if in_time.cancelled_caught or not head:
        return
    request = _parse(head, traffic)
    server = await _connect(request, traffic)
    async with server:
        if request.is_tunnel:
            await client.send_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        first = request.head + rest
        if first:
            traffic.count(len(first))
            await server.send_all(first)
        await _join(client, server, traffic)


@dataclass(frozen=True, slots=True)
class _Request:
    host: str
    port: int
    is_tunnel: bool
    head: bytes
    """What the server is sent first; empty for a tunnel."""

    @property
    def name(self) -> str:
        return safe_text(f"{self.host}:{self.port}")[:200]


async def _read_head(client: trio.SocketStream, traffic: Traffic) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        more = await client.receive_some(_CHUNK)
        if not more:
            return b"", b""
        data += more
        if len(data) > _HEAD_BYTES:
            raise traffic.refuse("", "the head of a request was larger than 64 KiB")
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def _parse(head: bytes, traffic: Traffic) -> _Request:
    line, *fields = head.split(b"\r\n")
    try:
        method, target, version = line.decode("ascii").split(" ")
        if method == "CONNECT":
            place = urlsplit(f"//{target}")
            return _Request(place.hostname or "", place.port or 443, is_tunnel=True, head=b"")
        place = urlsplit(target)
        if place.scheme != "http":
            raise ValueError("scheme")
        path = (place.path or "/") + (f"?{place.query}" if place.query else "")
        kept = [f for f in fields if f.partition(b":")[0].strip().lower() not in _HOP_BY_HOP]
        lines = [f"{method} {path} {version}".encode(), *kept, b"Connection: close", b"", b""]
        return _Request(
            place.hostname or "", place.port or 80, is_tunnel=False, head=b"\r\n".join(lines)
        )
    except ValueError:
        shown = safe_text(line)[:100]
        raise traffic.refuse("", f"the proxy was sent what is no request: {shown}") from None


async def _connect(request: _Request, traffic: Traffic) -> trio.SocketStream:
    """A connection to the first address of the host that may be reached."""
    if request.port not in traffic.ports:
        raise traffic.refuse(request.name, "only the ports 80 and 443 may be reached")
    try:
        found = await trio.socket.getaddrinfo(request.host, request.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise traffic.refuse(request.name, "there is no such host") from None
    reasons: dict[str, None] = {}
    for family, kind, protocol, _, address in found:
        if why := traffic.judge(str(address[0])):
            reasons[f"{address[0]} is {why}"] = None
            continue
        traffic.note(request.name)
        connection = trio.socket.socket(family, kind, protocol)
        try:
            with trio.fail_after(_CONNECT_LIMIT_S):
                await connection.connect(address)
            return trio.SocketStream(connection)
        except (OSError, trio.TooSlowError) as error:
            connection.close()
            reasons[f"{address[0]} does not answer ({error})"] = None
        except BaseException:
            connection.close()
            raise
    raise traffic.refuse(request.name, "; ".join(reasons) or "it has no address")


async def _join(client: trio.SocketStream, server: trio.SocketStream, traffic: Traffic) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_pump, client, server, traffic, nursery.cancel_scope)
        nursery.start_soon(_pump, server, client, traffic, nursery.cancel_scope)


async def _pump(
    source: trio.SocketStream,
    target: trio.SocketStream,
    traffic: Traffic,
    connection: trio.CancelScope,
) -> None:
    """Passes bytes on until their end, or until nothing came for long."""
    try:
        while True:
            with trio.move_on_after(_IDLE_LIMIT_S) as in_time:
                data = await source.receive_some(_CHUNK)
            if in_time.cancelled_caught:
                connection.cancel()
                return
            if not data:
                await target.send_eof()
                return
            traffic.count(len(data))
            await target.send_all(data)
    except (trio.BrokenResourceError, trio.ClosedResourceError, OSError, _RefusedError):
        connection.cancel()
