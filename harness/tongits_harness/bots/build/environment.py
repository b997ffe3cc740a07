"""The variables of a step of a build. It gets no other: no token, no setting of the account."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

PROXY_PORT = 3128
"""Where a fetch finds the proxy on its own loopback."""
TEMPORARY = "tmp"
"""Folder for temporary files in the scratch folder; /tmp itself is small."""
_OFFLINE = {
    "CARGO_NET_OFFLINE": "true",
    "GOPROXY": "off",
    "npm_config_offline": "true",
    "PIP_NO_INDEX": "1",
}
"""So that package clients say what they miss instead of trying a network that is not there."""
_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
)  # fmt: skip
_BUNDLE_VARIABLES = (
    "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT",
    "CARGO_HTTP_CAINFO", "GIT_SSL_CAINFO",
)  # fmt: skip
_JAVA_TRUST = (
    Path("/etc/ssl/certs/java/cacerts"), Path("/etc/pki/java/cacerts"),
)  # fmt: skip


def step_environment(*, is_offline: bool, has_proxy: bool) -> Callable[[str], Mapping[str, str]]:
    """The variables of a step, given where it sees its scratch folder.

    Args:
        is_offline: It has no network at all.
        has_proxy: It has one through the proxy.
    """

    def at(scratch: str) -> Mapping[str, str]:
        return {
            **_home(scratch),
            **(_OFFLINE if is_offline else _trust()),
            **(_proxy() if has_proxy else {}),
            "MAVEN_OPTS": " ".join(_maven(scratch, has_proxy=has_proxy)),
        }

    return at


def _home(scratch: str) -> dict[str, str]:
    return {
        "HOME": scratch,
        "TMPDIR": f"{scratch}/{TEMPORARY}",
        "TONGITS_SCRATCH": scratch,
        "USER": "bot",
        "CI": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def _trust() -> dict[str, str]:
    bundle = next((path for path in _BUNDLES if Path(path).exists()), None)
    found = dict.fromkeys(_BUNDLE_VARIABLES, bundle) if bundle else {}
    return {name: path for name, path in found.items() if path} | (
        {"SSL_CERT_DIR": "/etc/ssl/certs"} if os.path.isdir("/etc/ssl/certs") else {}
    )


def _proxy() -> dict[str, str]:
    address = f"http://127.0.0.1:{PROXY_PORT}"
    names = ("http_proxy", "https_proxy")
    upper = tuple(name.upper() for name in names)
    return dict.fromkeys((*names, *upper), address) | {"no_proxy": "", "NO_PROXY": ""}


def _maven(scratch: str, *, has_proxy: bool) -> list[str]:
    """Java asks the system for a home, which knows none, and reads no proxy variables."""
    words = [f"-Duser.home={scratch}", f"-Djava.io.tmpdir={scratch}/{TEMPORARY}"]
    if has_proxy:
        for scheme in ("http", "https"):
            words += [f"-D{scheme}.proxyHost=127.0.0.1", f"-D{scheme}.proxyPort={PROXY_PORT}"]
        words += ["-Dhttp.nonProxyHosts="]
        trust = next((path for path in _JAVA_TRUST if path.exists()), None)
        words += [f"-Djavax.net.ssl.trustStore={trust}"] if trust else []
    return words
