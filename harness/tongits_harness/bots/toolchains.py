"""The languages bots are written in: which programs each needs, whether this machine has them.

What of a toolchain is shown inside a sandbox is a matter of `languages`.
"""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from tongits_harness.text import safe_text

_VERSION_LIMIT_S = 30.0
_VERSION = re.compile(r"\d+(?:\.\d+)+")


@dataclass(frozen=True, slots=True)
class Tool:
    """One program of a toolchain."""

    program: str
    version_argv: tuple[str, ...] = ("--version",)
    """Arguments that make it tell its version; empty if it has none to tell."""
    least: tuple[int, ...] = ()
    """The oldest version that will do."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language and what its bots need on the machine that builds them."""

    id: str
    """As in `language =` of a manifest."""
    title: str
    tools: tuple[Tool, ...]
    cure: str
    """How to get them."""
    has_kit: bool = True
    """Has an SDK in sample_bots/; bots of the others play through `tongits-stdio`."""


# fmt: off
LANGUAGES: tuple[Language, ...] = (
    Language("python", "Python", (), "comes with the harness"),
    Language("node", "Node.js", (
        Tool("node", least=(18,)), Tool("npm"),
    ), "apt-get install nodejs npm"),
    Language("go", "Go", (
        Tool("go", ("version",), least=(1, 25)),
    ), "apt-get install golang (1.25 or newer; else the Go project's own archive)"),
    Language("rust", "Rust", (
        Tool("cargo", least=(1, 85)), Tool("rustc", least=(1, 85)), Tool("cc", ()),
    ), "apt-get install cargo rustc gcc (where that is too old: rustup)"),
    Language("java", "Java", (
        Tool("javac", ("-version",), least=(17,)), Tool("java", ("-version",), least=(17,)),
        Tool("mvn", least=(3, 8)),
    ), "apt-get install openjdk-17-jdk-headless maven"),
    Language("cpp", "C++", (
        Tool("g++", least=(10,)), Tool("cmake", least=(3, 16)), Tool("make"), Tool("protoc"),
        Tool("grpc_cpp_plugin", ()),
    ), "apt-get install g++ cmake make libgrpc++-dev libprotobuf-dev protobuf-compiler "
       "protobuf-compiler-grpc"),
    Language("c", "C", (Tool("cc"), Tool("make")), "apt-get install gcc make", has_kit=False),
    Language("perl", "Perl", (Tool("perl"),), "apt-get install perl", has_kit=False),
    Language("awk", "awk", (Tool("awk", ()),), "apt-get install mawk", has_kit=False),
    Language("sh", "shell", (Tool("sh", ()),), "apt-get install dash", has_kit=False),
)
# fmt: on
"""Every language there is something to say about; a manifest may name others."""


@dataclass(frozen=True, slots=True)
class FoundTool:
    """One program, looked for."""

    tool: Tool
    path: Path | None
    """None if it is not there."""
    version: str = ""
    """As it tells it, shortened to the number; empty if it tells none."""

    @property
    def is_too_old(self) -> bool:
        """It told a version, and that is older than the least."""
        numbers = tuple(int(number) for number in self.version.split(".") if number.isdigit())
        return bool(numbers) and numbers < self.tool.least

    @property
    def is_usable(self) -> bool:
        """It is there and new enough."""
        return self.path is not None and not self.is_too_old


@dataclass(frozen=True, slots=True)
class Toolchain:
    """One language as it is on this machine."""

    language: Language
    tools: tuple[FoundTool, ...]

    @property
    def is_present(self) -> bool:
        """Its bots can be built here."""
        return all(tool.is_usable for tool in self.tools)

    @property
    def text(self) -> str:
        """What was found, in one line."""
        if not self.tools:
            return "the Python of the harness"
        return ", ".join(_tell(tool) for tool in self.tools)

    @property
    def lack(self) -> str:
        """What is missing or too old and how to get it, in one line; empty if it is present."""
        lacking = [tool.tool for tool in self.tools if not tool.is_usable]
        if not lacking:
            return ""
        return f"needs {', '.join(map(_requirement, lacking))}: {self.language.cure}"

    def path_of(self, program: str) -> Path | None:
        """Where one of its programs is, links followed; None if it is not there."""
        for found in self.tools:
            if found.tool.program == program and found.path is not None:
                return found.path.resolve()
        return None


def language_of(identifier: str) -> Language | None:
    """The language of an id; None for a word the table does not have."""
    return next((language for language in LANGUAGES if language.id == identifier), None)


def find_toolchain(language: Language) -> Toolchain:
    """Looks for one language's programs and asks them for their versions (up to a second)."""
    return find_toolchains([language])[0]


def find_toolchains(languages: Sequence[Language] = LANGUAGES) -> tuple[Toolchain, ...]:
    """Looks for the programs of several languages at once."""
    tools = {tool for language in languages for tool in language.tools}
    with ThreadPoolExecutor() as pool:
        found = dict(zip(tools, pool.map(_find, tools), strict=True))
    return tuple(
        Toolchain(language, tuple(found[tool] for tool in language.tools)) for language in languages
    )


def ask(argv: Sequence[str]) -> str:
    """What a program of a toolchain says about itself; empty if it fails or takes too long."""
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=_VERSION_LIMIT_S,
            check=False, cwd="/", env=_quiet_environment(os.environ),
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    said = done.stdout.strip() or done.stderr.strip()
    return "" if done.returncode else safe_text(said, lines=True)


def _quiet_environment(environment: Mapping[str, str]) -> dict[str, str]:
    return {**environment, "GOTOOLCHAIN": "local", "NO_UPDATE_NOTIFIER": "1", "TERM": "dumb"}


def _find(tool: Tool) -> FoundTool:
    path = which(tool.program)
    if path is None:
        return FoundTool(tool, None)
    said = ask([path, *tool.version_argv]) if tool.version_argv else ""
    number = _VERSION.search(said)
    return FoundTool(tool, Path(path), number[0] if number else "")


def _tell(found: FoundTool) -> str:
    name = found.tool.program
    if found.path is None:
        return f"{name} missing"
    told = f"{name} {found.version}".strip()
    return f"{told} too old" if found.is_too_old else told


def _requirement(tool: Tool) -> str:
    least = ".".join(map(str, tool.least))
    return f"{tool.program} >= {least}" if least else tool.program
