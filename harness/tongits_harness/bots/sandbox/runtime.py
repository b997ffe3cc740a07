"""What a bot's language needs to see inside a sandbox, beyond /usr.

Python bots, and bots of any language behind the bridge `tongits-stdio`, get the interpreter that
runs the harness and five packages, each mounted by itself: the protocol, the SDK and what these two
import. Never the checkout or the harness's other packages.
"""

import compileall
import importlib.util
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tongits_harness.bots import relay
from tongits_harness.bots.mounts import Runtime
from tongits_harness.bots.sandbox.levels import BRIDGE, Relay
from tongits_harness.errors import SandboxUnavailableError

PYTHON_ROOT = "/opt/tongits"
"""Where the Python runtime of bots is put together inside a sandbox."""
PYTHON_ENV: Mapping[str, str] = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
}
_MODULES = ("grpc", "google.protobuf", "google._upb", "typing_extensions", "tongits_bot", "tongits")
_OUR_MODULES = frozenset({"tongits_bot", "tongits"})
_BRIDGE_FOLDER = "tongits_bot/bin"
"""Holds the command of the bridge and nothing else."""


def python_runtime() -> Runtime:
    """The Python of the harness, as it is mounted in a sandbox.

    Raises:
        SandboxUnavailableError: The interpreter's folder is too wide to be shown to bots, or a
            package is missing.
    """
    program, prefix = _interpreter()
    binds = [(found, f"{PYTHON_ROOT}/python/{inside}") for found, inside in _packages()]
    if not prefix.is_relative_to("/usr"):
        binds.insert(0, (prefix, str(prefix)))
    programs = {"python3": program, "python": program}
    programs[BRIDGE] = Path(PYTHON_ROOT, "python", _BRIDGE_FOLDER, BRIDGE)
    return Runtime(
        binds=tuple(binds),
        links=tuple((str(found), f"{PYTHON_ROOT}/bin/{name}") for name, found in programs.items()),
        search_path=(f"{PYTHON_ROOT}/bin",),
        env={**PYTHON_ENV, "PYTHONPATH": f"{PYTHON_ROOT}/python"},
    )


RELAY_PATH = f"{PYTHON_ROOT}/relay.py"
"""Where a sandbox with a relay shows its program."""


def relay_runtime(python: Runtime) -> Runtime:
    """What the relay needs, given what Python bots are shown; PATH and variables stay as they are.

    Args:
        python: As `python_runtime` gives it.
    """
    return python.mounts_only() | Runtime(binds=((Path(relay.__file__).resolve(), RELAY_PATH),))


def relay_words(relay_: Relay, socket_folder: str) -> tuple[str, ...]:
    """What stands before the command of a bot that is reached through a relay, inside a sandbox."""
    return (
        f"{PYTHON_ROOT}/bin/python3",
        "-I",
        "-S",
        "-B",
        RELAY_PATH,
        *_order(relay_, socket_folder),
    )


def relay_words_in_place(relay_: Relay, socket_folder: str) -> tuple[str, ...]:
    """The same without a sandbox, on any free port."""
    order = _order(replace(relay_, port=0), socket_folder)
    return (sys.executable, "-I", "-S", "-B", str(Path(relay.__file__).resolve()), *order)


def _order(relay_: Relay, socket_folder: str) -> tuple[str, ...]:
    return str(relay_.port), f"{socket_folder}/{relay_.socket_name}", relay_.variable


def python_in_place() -> Runtime:
    """The same without a sandbox: the real folders of the interpreter and of the packages."""
    roots = dict.fromkeys(
        str(found.parents[inside.count("/")]) for found, inside in _packages()
    )  # a package's import root lies above its dotted path
    return Runtime(
        search_path=(str(Path(sys.executable).parent), str(_bridge_folder())),
        env={**PYTHON_ENV, "PYTHONPATH": os.pathsep.join(roots)},
    )


@dataclass(frozen=True, slots=True)
class Rights:
    """What of the host a Python bot must be able to read, where nothing is mounted for it."""

    program: str
    """The interpreter."""
    prefix: str
    packages: tuple[tuple[Path, str], ...]
    """Path on the host, and relative path in a folder on PYTHONPATH."""

    @property
    def search_path(self) -> tuple[str, ...]:
        """Folders of the interpreter and of the bridge, to be put before PATH."""
        return str(Path(self.program).parent), str(_bridge_folder())

    @property
    def readable(self) -> tuple[str, ...]:
        """Every path of it."""
        return self.prefix, *(str(found) for found, _ in self.packages)

    def link_packages(self, folder: Path) -> None:
        """Fills a new folder with links to the packages, and to nothing that lies beside them."""
        for found, inside in self.packages:
            place = folder / inside
            place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            place.symlink_to(found)


def python_rights() -> Rights:
    """The rights for the Python of the harness and the packages of bots.

    Raises:
        SandboxUnavailableError: As `python_runtime`.
    """
    program, prefix = _interpreter()
    return Rights(str(program), str(prefix), tuple(_packages()))


def _interpreter() -> tuple[Path, Path]:
    program = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    prefix = Path(sys.base_prefix).resolve()
    home = Path(os.path.expanduser("~"))  # Path.home() fails where there is none
    if home.resolve().is_relative_to(prefix) or not program.is_relative_to(prefix):
        raise SandboxUnavailableError(
            f"the Python that runs the harness has the prefix {prefix}, which cannot be shown to "
            "bots; use a Python in a folder of its own (a system Python, uv or pyenv)"
        )
    return program, prefix


def _bridge_folder() -> Path:
    return _locate("tongits_bot").parent / _BRIDGE_FOLDER


def _packages() -> list[tuple[Path, str]]:
    return [(_locate(module), _inside(module)) for module in _MODULES]


def _inside(module: str) -> str:
    return f"{module}.py" if module == "typing_extensions" else module.replace(".", "/")


def _locate(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or not (spec.origin or spec.submodule_search_locations):
        raise SandboxUnavailableError(
            f"the Python package {module} is missing; install tongits-arena again with pip"
        )
    if not spec.submodule_search_locations:
        return Path(str(spec.origin)).resolve()
    folder = Path(next(iter(spec.submodule_search_locations))).resolve()
    if module in _OUR_MODULES:  # an editable install has no bytecode yet, and bots cannot write it
        compileall.compile_dir(folder, quiet=2)
    return folder
