"""Where the sample bots that ship with the project are."""

import difflib
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tongits_harness.bots.manifest import MANIFEST_NAME
from tongits_harness.errors import ConfigError

DEMO_BOTS = ("random", "greedy", "cautious", "caller")
_ONE_FOLDER_A_BOT = "python"
_ONE_FOLDER_A_LANGUAGE = ("node", "go", "rust", "java", "cpp", "stdio")


def sample_bots() -> Path:
    """The folder of sample bots: in an installed wheel inside the package, else the checkout's."""
    here = Path(__file__).resolve().parent
    shipped = here / "sample_bots"
    return shipped if shipped.is_dir() else here.parents[1] / "sample_bots"


def sample_names() -> dict[str, Path]:
    """Every sample bot by its name: its folder, or its manifest where a folder holds several."""
    found = {path: name for path in _manifests() if (name := _name_in(path))}
    return {
        name: path.parent if path.name == MANIFEST_NAME else path for path, name in found.items()
    }


def find_bot(word: str, base: Path, results: Path | None = None) -> Path:
    """The bot meant by a path (relative to `base`) or by the name of a sample bot.

    A path is a folder, or a manifest of another name in a folder; `load_bot` takes either. With a
    results folder also a bot that was submitted to it: name@2, or name for the latest enabled.

    Raises:
        ConfigError: none of these, or two at once; names what comes near.
    """
    if results is not None:
        from tongits_harness.submissions.lookup import reference, seated_version

        if version := seated_version(word, base, results):
            return reference(version, results)
    path = base / word
    samples = sample_names()
    if path.exists() and not (word in samples and _is_no_bot(path)):
        return path
    if word in samples:
        return samples[word]
    near = difflib.get_close_matches(word, [*samples, *_siblings(path)], n=1)
    hint = f"; did you mean {near[0]}?" if near else "; give the folder that holds its bot.toml"
    raise ConfigError(f"bot {word}: there is no such folder and no sample bot of that name{hint}")


def _manifests() -> Iterator[Path]:
    root = sample_bots()
    yield from sorted(root.glob(f"{_ONE_FOLDER_A_BOT}/*/{MANIFEST_NAME}"))
    for language in _ONE_FOLDER_A_LANGUAGE:
        yield from sorted(root.glob(f"{language}/*.toml"))
        yield from sorted(root.glob(f"{language}/*/{MANIFEST_NAME}"))


def _name_in(manifest: Path) -> str | None:
    """The name a manifest gives; None for what is another kind of file (Cargo.toml)."""
    with suppress(ValueError, OSError):
        table = tomllib.loads(manifest.read_text(encoding="utf-8"))
        if "run" in table and isinstance(name := table.get("name"), str):
            return name
    return None


def _is_no_bot(path: Path) -> bool:
    """A folder of sources, for instance, that has the name of a sample bot by chance."""
    return path.is_dir() and not (path / MANIFEST_NAME).exists()


def _siblings(path: Path) -> list[str]:
    parent = path.parent
    return [str(p) for p in parent.iterdir() if p.is_dir()] if parent.is_dir() else []
