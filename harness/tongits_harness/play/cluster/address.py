"""Whether a scheduler's address may be used."""

import ipaddress
from types import ModuleType
from urllib.parse import urlsplit

from tongits_harness.errors import ConfigError

_CURE = "give tcp://127.0.0.1:8786 on this machine, or tls://host:8786"


def check_address(address: str) -> ModuleType:
    """Dask's `distributed`, if a run may connect to this scheduler.

    Raises:
        ConfigError: It is no address, speaks to another machine without TLS, or Dask is missing.
    """
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in {"tcp", "tls"} or not parts.hostname or port is None:
        raise ConfigError(f"--cluster {address}: is no scheduler's address; {_CURE}")
    if parts.scheme == "tcp" and not is_loopback(parts.hostname):
        raise ConfigError(
            f"--cluster {address}: another machine is spoken to with TLS only, for the seed and the"
            f" bots travel on it; {_CURE} (harness/CLUSTER.md)"
        )
    try:
        import distributed
    except ImportError:
        raise ConfigError(
            "--cluster needs Dask: pip install 'tongits-arena[cluster]', here and on every worker"
        ) from None
    module: ModuleType = distributed
    return module


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
