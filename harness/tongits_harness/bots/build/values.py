"""What a build is asked for, may use and reports. Values only."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot
from tongits_harness.errors import BotError

KEY_LENGTH = 40


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """What each step of a build may use, with all it starts."""

    seconds: float = 1800.0
    """By the clock on the wall, so that it is ended also when it hangs."""
    memory_mib: int = 4096
    processes: int = 1024
    """Processes and threads together; compilers start one of each for every core."""
    file_mib: int = 2048
    """Largest single file."""
    disk_mib: int = 4096
    """All files it leaves or uses on the way. Watched, not enforced: a step can be above it for
    the moment until it is looked at again, and is then ended."""
    files: int = 400_000
    """How many of them; watched as well."""
    tree_mib: int = 1024
    """What of it remains in the bot's folder in the end."""
    output_mib: int = 16
    """What it may print; read at 1 MiB a second."""
    download_mib: int = 2048
    """What a fetch may send and receive through the proxy."""

    def process(self, cores: int) -> Limits:
        """The same as limits of a process."""
        return Limits(
            memory_mib=self.memory_mib,
            processes=self.processes,
            open_files=8192,
            file_size_mib=self.file_mib,
            tmp_mib=64,
            cpu_cores=cores,
        )


@dataclass(frozen=True, slots=True)
class StepReport:
    """One step that was run."""

    step: str
    """`fetch` or `build`."""
    argv: tuple[str, ...]
    status: int | None
    """Exit status; negative if a signal ended it; None if it was never started."""
    seconds: float
    problem: str
    """Why it failed, in words; empty if it succeeded."""
    last_lines: tuple[str, ...]
    """The end of what it printed, both streams, safe to show."""
    printed_bytes: int
    hosts: tuple[str, ...] = ()
    """Every host:port a fetch has reached, or was refused (marked), in order."""
    transferred_bytes: int = 0
    """What went through the proxy, both ways."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """All that is known of one build; `report.json` beside its tree."""

    key: str
    files_digest: str
    tree_digest: str
    """Empty if it failed."""
    sandbox: str
    """Level at which it ran."""
    toolchain: str
    """What the machine had of the language."""
    dropped: tuple[str, ...]
    """Links and other things of the tree that were left out."""
    steps: tuple[StepReport, ...]

    @property
    def seconds(self) -> float:
        """All steps together."""
        return sum(step.seconds for step in self.steps)

    def as_json(self) -> dict[str, object]:
        """As a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BuiltBot:
    """A bot that can be staged, and how it came to be."""

    bot: Bot
    """With its tree, if it has a build."""
    report: BuildReport | None
    """None if it has nothing to build."""
    was_cached: bool

    def tell(self) -> str:
        """One line for the author; empty if there was nothing to do."""
        if self.report is None:
            return ""
        if self.was_cached:
            return f"{self.bot.name}: built before ({self.report.key[:12]})"
        hosts = sorted({host for step in self.report.steps for host in step.hosts})
        fetched = f", fetched from {', '.join(hosts[:8])}" if hosts else ""
        return f"{self.bot.name}: built in {self.report.seconds:.1f} s{fetched}"


class BuildError(BotError):
    """A bot's fetch or build failed: what, where, the cure; the last lines are the details."""

    def __init__(
        self, message: str, *, details: Sequence[str] = (), report: BuildReport | None = None
    ) -> None:
        super().__init__(message, details=details)
        self.report = report
        """What is known of it; None if no step was started."""


def needs_build(bot: Bot) -> bool:
    """Whether a bot must be built before it can run."""
    return bot.tree is None and bool(bot.manifest.fetch or bot.manifest.build)


def build_key(bot: Bot) -> str:
    """Names a build by all that it is made from; bots of one folder may share it."""
    made_from = [bot.files_digest, bot.manifest.fetch, bot.manifest.build]
    return hashlib.sha256(json.dumps(made_from).encode()).hexdigest()[:KEY_LENGTH]
