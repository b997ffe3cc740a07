"""`bot.toml`, the manifest in a bot's folder: read strictly, all its errors told at once."""

import difflib
import hashlib
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from tongits_harness.bots.folder import digest_of, is_excluded
from tongits_harness.errors import ConfigError
from tongits_harness.text import safe_text

MANIFEST_NAME = "bot.toml"
_LARGEST_MANIFEST = 64 * 1024

NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$"
"""What a bot may be called; nothing in it needs quoting anywhere."""
_PLAIN_TEXT = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200b-\u200f\ufeff]*$"

_ShortText = Annotated[str, StringConstraints(max_length=64, pattern=_PLAIN_TEXT)]
_Argument = Annotated[str, StringConstraints(min_length=1, max_length=4096, pattern=r"^[^\x00]*$")]
_Pattern = Annotated[str, StringConstraints(max_length=255, pattern=r"^[^/\x00]+$")]
_Argv = Annotated[tuple[_Argument, ...], Field(min_length=1, max_length=64, strict=False)]


class Manifest(BaseModel):
    """What an author says about a bot."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
    version: Annotated[str, StringConstraints(min_length=1, max_length=32, pattern=_PLAIN_TEXT)]
    """For people; the version that counts is the digest of the files."""
    language: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9+#.-]{0,31}$")]
    """python, node, go, rust, java, cpp, or another word."""
    run: _Argv
    """The command that starts it, in its folder."""
    fetch: _Argv | None = None
    """The command that gets what it depends on, in its folder; the only one with a network."""
    build: _Argv | None = None
    """The command that builds it, in its folder, without network."""
    exclude: Annotated[tuple[_Pattern, ...], Field(max_length=64, strict=False)] = ()
    """Names of files and folders, at any depth, that are no part of the bot."""
    author: _ShortText | None = None
    licence: _ShortText | None = None
    concurrent_games: Annotated[int, Field(ge=1, le=1024)] = 1
    """Most games the harness gives one of its processes at once."""
    transport: Literal["unix", "tcp"] = "unix"
    memory: Annotated[int, Field(ge=32, le=1 << 20)] | None = None
    """MiB it asks for; None takes the default of the run."""


_CURES: Mapping[str, str] = {
    "name": "use up to 32 letters, digits, '_', '.', '-', starting with a letter or digit",
    "version": 'write a short text such as version = "1.0"',
    "language": 'write one of python, node, go, rust, java, cpp, or another lower-case word',
    "run": 'write the command as a list such as run = ["python3", "main.py"]',
    "fetch": 'write the command as a list such as fetch = ["npm", "ci"], or leave it out',
    "build": 'write the command as a list such as build = ["make"], or leave it out',
    "exclude": 'write names without "/" as a list such as exclude = ["target", "*.o"]',
    "author": "write one line of at most 64 characters, or leave it out",
    "licence": "write one line of at most 64 characters, or leave it out",
    "concurrent_games": "write a whole number from 1 to 1024, or leave it out for 1",
    "transport": 'write "unix" or "tcp", or leave it out for unix',
    "memory": "write a whole number of MiB from 32 to 1048576, or leave it out",
}  # fmt: skip


_PROBLEMS: Mapping[str, str] = {
    "string_pattern_mismatch": "wrong characters or length",
    "string_type": "not a text",
    "string_too_short": "empty",
    "string_too_long": "too long",
    "tuple_type": "not a list",
    "too_short": "too short",
    "too_long": "too long",
    "int_type": "not a whole number",
    "greater_than_equal": "too small",
    "less_than_equal": "too large",
    "literal_error": "no such choice",
}
"""The validator's kinds of error in an author's words."""


@dataclass(frozen=True, slots=True)
class BuiltTree:
    """A folder that a bot's build has made out of its files; see `bots.build`."""

    path: Path
    digest: str
    """Over its files; a staged copy must have the same."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as it lies in a folder, checked and digested."""

    name: str
    path: Path
    """The folder."""
    manifest: Manifest
    digest: str
    """SHA-256 (hex) over its files and its manifest's name: the version that counts."""
    files_digest: str
    """The same over its files alone: bots of one folder share it."""
    manifest_name: str = MANIFEST_NAME
    """Which file of the folder its manifest is."""
    tree: BuiltTree | None = None
    """What runs instead of the folder, if it was built."""

    @property
    def reference(self) -> Path:
        """What `load_bot` finds it by: its folder, or its manifest where that has another name."""
        return self.path if self.manifest_name == MANIFEST_NAME else self.path / self.manifest_name


def load_bot(path: Path) -> Bot:
    """The bot in a folder, or the one whose manifest is this file of a folder.

    Raises:
        ConfigError: There is no such folder, its manifest has errors (all of them are named), or
            the folder holds something that is neither file nor folder.
    """
    if not path.is_dir() and not (path.suffix == ".toml" and path.is_file()):
        raise _no_such_bot(path)
    folder, name = (path, MANIFEST_NAME) if path.is_dir() else (path.parent, path.name)
    manifest = read_manifest(folder / name)
    if is_excluded(name, manifest.exclude):
        raise ConfigError(f"{folder / name}: exclude: leaves out {name} itself; name other files")
    files = digest_of(folder, manifest.exclude)
    return Bot(manifest.name, folder, manifest, _version(files, name), files, name)


def _version(files: str, manifest_name: str) -> str:
    if manifest_name == MANIFEST_NAME:
        return files
    return hashlib.sha256(f"{files}\0{manifest_name}".encode()).hexdigest()


def read_manifest(file: Path) -> Manifest:
    """The checked content of one `bot.toml`.

    Raises:
        ConfigError: It is missing, is no TOML, or has wrong, missing or unknown keys.
    """
    try:
        return Manifest.model_validate(tomllib.loads(_read_text(file)))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is not TOML: {error}; correct that line") from error
    except ValidationError as error:
        told = "; ".join(dict.fromkeys(_tell(detail) for detail in error.errors()))
        raise ConfigError(f"{file}: {told}") from error


def _read_text(file: Path) -> str:
    try:
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(f"{file}: is no regular file; put the manifest itself there")
        if status.st_size > _LARGEST_MANIFEST:
            raise ConfigError(f"{file}: is larger than 64 KiB; keep only the manifest in it")
        return file.read_bytes().decode()
    except FileNotFoundError as error:
        raise ConfigError(
            f"{file.parent}: holds no {MANIFEST_NAME}; every bot's folder needs one "
            "(sample_bots/README.md shows one)"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{file}: is not UTF-8 at byte {error.start}; save it as UTF-8"
        ) from error
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}; make it readable") from error


def _tell(detail: ErrorDetails) -> str:
    key, *rest = detail["loc"]
    place = f"{key}[{rest[0]}]" if rest and isinstance(rest[0], int) else str(key)
    match detail["type"]:
        case "extra_forbidden":
            return f"{safe_text(place)[:64]}: is unknown; {_nearest_key(str(key))}"
        case "missing":
            return f"{place}: is missing; {_CURES[str(key)]}"
        case _:
            given = safe_text(repr(detail["input"]))[:60]
            return f"{place}: {given} cannot be used ({_problem(detail)}); {_CURES[str(key)]}"


def _problem(detail: ErrorDetails) -> str:
    return _PROBLEMS.get(detail["type"], detail["msg"])


def _nearest_key(key: str) -> str:
    near = difflib.get_close_matches(key, list(Manifest.model_fields), n=1)
    return f"did you mean {near[0]}?" if near else f"known keys: {', '.join(Manifest.model_fields)}"


def _no_such_bot(path: Path) -> ConfigError:
    if path.exists():
        return ConfigError(
            f"{path}: is no folder; name the folder that holds {MANIFEST_NAME}, "
            "or another manifest whose name ends in .toml"
        )
    near = _near_miss(path)
    cure = f"did you mean {near}?" if near else f"name the folder that holds a {MANIFEST_NAME}"
    return ConfigError(f"{path}: does not exist; {cure}")


def _near_miss(path: Path) -> Path | None:
    try:
        folders = [entry.name for entry in path.parent.iterdir() if entry.is_dir()]
    except OSError:
        return None
    near = difflib.get_close_matches(path.name, folders, n=1)
    return path.parent / near[0] if near else None
