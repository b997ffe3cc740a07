"""Which addresses a fetch may reach: those of the internet, never the host or its private networks.

What is judged is the address that is then connected to, not a name that could lead elsewhere the
next time it is looked up.
"""

import ipaddress
import socket
from contextlib import closing

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_REFUSED = tuple(
    (ipaddress.ip_network(network), what)
    for network, what in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "private (carrier)"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "for benchmarks"),
        ("168.63.129.16/32", "a cloud's own service"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("100::/64", "discarded"),
        ("2001::/32", "a tunnel"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private"),
        ("ff00::/8", "multicast"),
    )
)
_EMBEDDING = (
    (ipaddress.ip_network("::/96"), 0),
    (ipaddress.ip_network("::ffff:0:0/96"), 0),
    (ipaddress.ip_network("::ffff:0:0:0/96"), 0),
    (ipaddress.ip_network("64:ff9b::/96"), 0),
    (ipaddress.ip_network("64:ff9b:1::/48"), 0),
    (ipaddress.ip_network("2002::/16"), 80),
)
"""Networks of version 6 whose addresses hold one of version 4, and how many bits follow it."""


def why_refused(address: str) -> str:
    """Why an address may not be reached, in a word or two; empty if it may."""
    try:
        given = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "no address"
    for each in (given, *_embedded(given)):
        for network, what in _REFUSED:
            if each.version == network.version and each in network:
                return what
        if is_ours(each):
            return "this machine's own"
    return ""


def is_ours(address: Address) -> bool:
    """Whether this machine itself has an address: only then can something be bound to it."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with closing(socket.socket(family, socket.SOCK_DGRAM)) as trial:
            trial.bind((str(address), 0))
    except OSError:
        return False
    return True


def _embedded(address: Address) -> tuple[Address, ...]:
    if not isinstance(address, ipaddress.IPv6Address) or int(address) <= 1:
        return ()
    return tuple(
        ipaddress.IPv4Address(int(address) >> bits & 0xFFFFFFFF)
        for network, bits in _EMBEDDING
        if address in network
    )
