"""Where the sample bots that ship with the project are."""

import difflib
from pathlib import Path

from tongits_harness.errors import ConfigError

DEMO_BOTS = ("random", "greedy", "cautious", "caller")


def sample_bots() -> Path:
    """The folder of sample bots: in an installed wheel inside the package, else the checkout's."""
    here = Path(__file__).resolve().parent
    shipped = here / "sample_bots"
    return shipped if shipped.is_dir() else here.parents[1] / "sample_bots"


def find_bot(word: str, base: Path) -> Path:
    """The folder meant by a path (relative to `base`) or by the name of a Python sample bot.

    Raises:
        ConfigError: neither; names what comes near.
    """
    path = base / word
    if path.exists():
        return path
    samples = {
        folder.parent.name: folder.parent for folder in sample_bots().glob("python/*/bot.toml")
    }
    if word in samples:
        return samples[word]
    near = difflib.get_close_matches(word, [*samples, *_siblings(path)], n=1)
    hint = f"; did you mean {near[0]}?" if near else "; give the folder that holds its bot.toml"
    raise ConfigError(f"bot {word}: there is no such folder and no sample bot of that name{hint}")


def _siblings(path: Path) -> list[str]:
    parent = path.parent
    return [str(p) for p in parent.iterdir() if p.is_dir()] if parent.is_dir() else []
