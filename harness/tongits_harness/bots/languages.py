"""What of a toolchain is shown inside a sandbox: all of it to a build, to a bot what runs it.

What lies below /usr is there already. The rest is mounted under a name of our own, so that no
folder of the account is told, and by whoever makes the sandbox, so that it may lie in a home that
the bot's uid cannot enter.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tongits_harness.bots.mounts import Runtime
from tongits_harness.bots.toolchains import Toolchain, ask, find_toolchain, language_of

_ROOT = "/opt/toolchains"
_CERTIFICATES = (
    "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/ca-certificates.conf",
    "/etc/pki/tls", "/etc/pki/ca-trust", "/etc/crypto-policies",
)  # fmt: skip
"""Public parts only: /etc/ssl/private stays outside."""
_RUN_BY = frozenset({"node", "java"})
"""Languages whose bots need more than the system's libraries once they are built."""
_BUILD_ENV: Mapping[str, Mapping[str, str]] = {
    "go": {"GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false", "GOTELEMETRY": "off"},
    "node": {"npm_config_update_notifier": "false", "npm_config_fund": "false"},
}


def build_runtime(toolchain: Toolchain) -> Runtime:
    """Everything that building in this language needs to see."""
    language = toolchain.language.id
    found = Runtime(env=_BUILD_ENV.get(language, {}))
    for folder, name in _folders(toolchain):
        found |= _shown(folder, name)
    return found | Runtime(binds=tuple(_settings(language)))


def run_runtime(language: str) -> Runtime:
    """What a built bot of a language needs to see; looks for it with the host's own programs."""
    known = language_of(language)
    if known is None or language not in _RUN_BY:
        return Runtime()
    toolchain = find_toolchain(known)
    found = Runtime(binds=tuple(_settings(language)))
    for folder, name in _folders(toolchain):
        if name in {"node", "jdk"}:
            found |= _shown(folder, name)
    return found


def certificates() -> Runtime:
    """The host's roots of trust for TLS."""
    return Runtime(binds=tuple((Path(p), p) for p in _CERTIFICATES if Path(p).exists()))


def _folders(toolchain: Toolchain) -> Iterator[tuple[Path, str]]:
    """The folders of a toolchain that have a `bin`, each with a name of ours."""
    path_of = toolchain.path_of
    match toolchain.language.id:
        case "go" if go := path_of("go"):
            yield Path(ask([str(go), "env", "GOROOT"]) or go.parents[1]), "go"
        case "rust":  # by way of PATH: where rustup is, the programs are links to it
            if sysroot := ask(["rustc", "--print", "sysroot"]):
                yield Path(sysroot), "rust"
        case "node" if node := path_of("node"):
            yield node.parents[1], "node"
        case "java":
            if java := path_of("java"):
                yield _java_home(java), "jdk"
            if maven := path_of("mvn"):
                yield maven.parents[1], "maven"
        case _:
            pass


def _java_home(java: Path) -> Path:
    said = ask([str(java), "-XshowSettings:properties", "-version"])
    home = re.search(r"java\.home = (.+)", said)
    return Path(home[1].strip()) if home else java.parents[1]


def _shown(folder: Path, name: str) -> Runtime:
    if not (folder / "bin").is_dir():
        return Runtime()
    if folder.resolve().is_relative_to("/usr"):
        return Runtime(search_path=(str(folder / "bin"),))
    inside = f"{_ROOT}/{name}"
    return Runtime(binds=((folder.resolve(), inside),), search_path=(f"{inside}/bin",))


def _settings(language: str) -> Iterator[tuple[Path, str]]:
    """Where distributions keep the settings of a runtime below /etc."""
    if language == "java":
        for folder in (*Path("/etc").glob("java-*"), Path("/etc/java"), Path("/etc/maven")):
            if folder.is_dir():
                yield folder, str(folder)
