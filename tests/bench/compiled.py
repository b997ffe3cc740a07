"""What `make compiled` has built: the same sources, compiled by mypyc."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".compiled"
ENVIRONMENT = {"PYTHONPATH": str(FOLDER)}
"""Puts it before the checkout's own modules."""


def lacking() -> str | None:
    """Why it cannot be measured here; None if it can: it is there, and of these sources."""
    libraries = list(FOLDER.glob("tongits_*/**/*.so"))
    if not libraries:
        return "`make compiled` builds it"
    for library in libraries:
        source = library.parent.relative_to(FOLDER) / f"{library.name.split('.')[0]}.py"
        built_from = (FOLDER / source).read_bytes()
        folder = "engine" if source.parts[0] == "tongits_engine" else "harness"
        if not (here := ROOT / folder / source).exists() or here.read_bytes() != built_from:
            return f"it was built from another {source}; `make compiled` builds it anew"
    return None
