"""Bots with a known weakness, as folders that can be seated."""

import shutil
from pathlib import Path

from tests.e2e.arena import SAMPLES

_SLIPS = Path(__file__).resolve().parent / "bots" / "slips"


def plant(place: Path, share: float) -> Path:
    """Greedy with this part of its decisions left to chance, in a folder of `place`."""
    folder = place / f"slips{share:g}"
    shutil.copytree(_SLIPS, folder)
    shutil.copy(SAMPLES / "greedy" / "greedy_bot.py", folder)
    (folder / "share.txt").write_text(f"{share}\n")
    return folder
