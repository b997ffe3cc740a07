"""Where control groups are mounted, and where in them we are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """Our own groups, as folders."""

    unified: Path | None = None
    """In the one hierarchy of version 2."""
    unified_root: Path | None = None
    by_controller: Mapping[str, Path] = field(default_factory=dict)
    """In the hierarchies of version 1."""
    roots: Mapping[str, Path] = field(default_factory=dict)
    """Mount points of version 1, by controller."""


def find_places(proc: Path = Path("/proc/self")) -> Places:
    """Reads our groups from /proc; empty where there are none."""
    try:
        mounts = (proc / "mountinfo").read_text()
        groups = (proc / "cgroup").read_text()
    except OSError:
        return Places()
    unified_root: Path | None = None
    roots: dict[str, tuple[Path, str]] = {}
    unified_base = "/"
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        base, point = before.split(" ")[3:5]
        if kind == "cgroup2":
            unified_root, unified_base = Path(_plain(point)), base
        elif kind == "cgroup":
            for controller in options.split(","):
                roots.setdefault(controller, (Path(_plain(point)), base))
    unified: Path | None = None
    mine: dict[str, Path] = {}
    for line in groups.splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers and unified_root:
            unified = _inside(unified_root, unified_base, path)
        for controller in controllers.split(","):
            if controller in roots:
                mine[controller] = _inside(*roots[controller], path)
    points = {name: point for name, (point, _) in roots.items() if name in mine}
    return Places(unified, unified_root, mine, points)


def _inside(point: Path, base: str, path: str) -> Path:
    """Folder of a group; in a container the mount shows only what lies below `base`."""
    if base != "/" and path.startswith(base):
        path = path[len(base) :]
    return point / path.lstrip("/")


def _plain(field: str) -> str:
    return field.replace("\\040", " ").replace("\\134", "\\")
