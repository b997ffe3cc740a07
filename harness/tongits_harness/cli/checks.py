"""What `tongits doctor` looks at. Each check tries the thing itself and changes nothing."""

import enum
import os
import platform
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import disk_usage

from tongits_engine import legality

from tongits_harness.bots import seccomp
from tongits_harness.bots.landlock import landlock_abi
from tongits_harness.bots.rungs import choose_rung
from tongits_harness.bots.rungs.base import MEMORY
from tongits_harness.bots.sandbox import Level, Sandbox, open_sandbox
from tongits_harness.bots.sandbox.bwrap import BwrapSandbox
from tongits_harness.bots.spawner import raise_descriptor_limit
from tongits_harness.bots.toolchains import LANGUAGES, find_toolchains
from tongits_harness.errors import SandboxUnavailableError
from tongits_harness.text import safe_text

_GIB, _MIB = 1 << 30, 1 << 20
_ROOMY_DISK, _LEAST_DISK = _GIB, 64 * _MIB
_ROOMY_MEMORY = 2 * _GIB
_DESCRIPTORS = 2048
"""A bot process takes about 20 descriptors of the harness, a full run has 96 processes."""
_SLEEPS, _SLEEP_S = 40, 0.002
_LATE_MS = 20.0


class Status(enum.StrEnum):
    """How it is."""

    OK = "ok"
    WARN = "warn"
    """A run goes on, but less well."""
    FAIL = "fail"
    """A run needs it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing a run depends on."""

    name: str
    status: Status
    text: str
    cure: str = ""

    def as_json(self) -> dict[str, object]:
        """As a JSON object."""
        return {"name": self.name, "status": self.status, "text": self.text, "cure": self.cure}


def examine(results: Path) -> list[Check]:
    """Every check, in the order of the table of a run's needs."""
    return [
        *_isolation(),
        _clock(),
        _disk(results),
        _descriptors(),
        _memory(),
        _python(),
        _engine(),
        *_toolchains(),
    ]


def _isolation() -> Iterator[Check]:
    sandbox: Sandbox | None = None
    cause = cure = ""
    try:
        sandbox = open_sandbox()
    except SandboxUnavailableError as refusal:
        cause, _, cure = str(refusal).partition("\n")
    if isinstance(sandbox, BwrapSandbox):
        yield Check("namespaces", Status.OK, sandbox.identity.value)
        yield _bubblewrap(sandbox)
    else:
        yield Check("namespaces", Status.FAIL, safe_text(cause), safe_text(cure))
        yield Check("bubblewrap", Status.WARN, "none that works", "see namespaces")
    yield _seccomp()
    yield _landlock()
    yield _control_groups()
    if sandbox is None:
        yield Check("sandbox", Status.FAIL, "no level can be made", "see namespaces")
    elif sandbox.level is Level.FULL:
        yield Check("sandbox", Status.OK, sandbox.describe())
    else:
        yield Check("sandbox", Status.WARN, sandbox.describe(), "see control groups")


def _bubblewrap(sandbox: BwrapSandbox) -> Check:
    system = Path("/usr/bin/bwrap")
    if sandbox.program == system:
        why = "the system's comes first, and it works"
    elif system.exists():
        why = "the system's does not work here, so the packaged one is used"
    else:
        why = "the system has none, so the packaged one is used"
    return Check("bubblewrap", Status.OK, f"{sandbox.version}, {sandbox.program}: {why}")


def _seccomp() -> Check:
    if not seccomp.is_supported():
        cure = "use an x86_64 or aarch64 machine"
        return Check("seccomp", Status.FAIL, f"no filter for {platform.machine()}", cure)
    if not Path("/proc/sys/kernel/seccomp").exists():
        cure = "use a kernel built with SECCOMP_FILTER"
        return Check("seccomp", Status.FAIL, "the kernel has no filters", cure)
    return Check("seccomp", Status.OK, f"filter of {len(seccomp.build_filter()) // 8} instructions")


def _landlock() -> Check:
    abi = landlock_abi()
    if abi:
        return Check("Landlock", Status.OK, f"ABI {abi}")
    cure = "only --sandbox=partial needs it: boot with lsm=landlock,... on Linux 5.13 or newer"
    return Check("Landlock", Status.WARN, "absent or left out at boot", cure)


def _control_groups() -> Check:
    choice = choose_rung()
    text = choice.rung.name
    if choice.passed_over:
        reasons = "; ".join(f"{name}: {why}" for name, why in choice.passed_over)
        text = f"{text} (not {reasons})"
    if MEMORY in choice.rung.enforces:
        return Check("control groups", Status.OK, text)
    return Check(
        "control groups",
        Status.WARN,
        f"{text}; memory of bots is watched, not enforced",
        "start with `systemd-run --user --scope -p Delegate=yes tongits ...`, or as root",
    )


def _clock() -> Check:
    """How late this process wakes up from short sleeps: what deadlines are measured with."""
    late_ms = []
    for _ in range(_SLEEPS):
        began = time.monotonic()
        time.sleep(_SLEEP_S)
        late_ms.append((time.monotonic() - began - _SLEEP_S) * 1e3)
    text = f"wakes {statistics.median(late_ms):.2f} ms late, at worst {max(late_ms):.1f} ms"
    if max(late_ms) < _LATE_MS:
        return Check("clock", Status.OK, text)
    cure = "other work keeps the processor: lower [machine] compute_slots, or stop that work"
    return Check("clock", Status.WARN, text, cure)


def _disk(results: Path) -> Check:
    folder = results.absolute()
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        cure = "make it writable, or choose another folder with --results"
        return Check("disk", Status.FAIL, f"{folder} cannot be written to", cure)
    free = disk_usage(folder).free
    text = f"{free / _GIB:.1f} GiB free for {results}"
    if free >= _ROOMY_DISK:
        return Check("disk", Status.OK, text)
    status = Status.WARN if free >= _LEAST_DISK else Status.FAIL
    return Check("disk", status, text, "free some space, or choose another folder with --results")


def _descriptors() -> Check:
    limit = raise_descriptor_limit()
    if limit >= _DESCRIPTORS or limit < 0:
        return Check("descriptors", Status.OK, f"{limit if limit >= 0 else 'unlimited'}")
    cure = f"raise the hard limit (`ulimit -Hn {_DESCRIPTORS}`), or lower [machine] processes"
    return Check("descriptors", Status.WARN, f"at most {limit}", cure)


def _memory() -> Check:
    try:
        found = re.search(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())
    except OSError:
        found = None
    if found is None:
        return Check("memory", Status.WARN, "unknown", "use Linux")
    free = int(found[1]) * 1024
    text = f"{free / _GIB:.1f} GiB available, {os.cpu_count()} cores"
    if free >= _ROOMY_MEMORY:
        return Check("memory", Status.OK, text)
    return Check("memory", Status.WARN, text, "lower [machine] processes, or stop other programs")


def _python() -> Check:
    packages = []
    for name in ("grpcio", "protobuf", "trio"):
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            cure = "install tongits-arena again with pip"
            return Check("Python", Status.FAIL, f"the package {name} is missing", cure)
    text = f"{platform.python_implementation()} {platform.python_version()}"
    return Check("Python", Status.OK, ", ".join((text, *packages)))


def _engine() -> Check:
    """Whether the engine is the compiled build of its sources."""
    file = legality.__file__
    if file.endswith(".py"):
        text = "interpreted; installed with TONGITS_COMPILE=1 it is compiled, and faster"
    else:
        text = f"compiled: {file}"
    return Check("engine", Status.OK, text)


def _toolchains() -> Iterator[Check]:
    """A line for each language with a kit; only the author of such a bot needs its programs."""
    languages = [known for known in LANGUAGES if known.tools and known.has_kit]
    for found in find_toolchains(languages):
        status = Status.OK if found.is_present else Status.WARN
        cure = f"only bots in {found.language.title} need it: {found.language.cure}"
        yield Check(found.language.title, status, found.text, "" if found.is_present else cure)
