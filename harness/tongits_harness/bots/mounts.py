"""What is shown to a program beside the system's own folders. A value only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Runtime:
    """Mounts and variables of one language; empty for those that live below /usr."""

    binds: tuple[tuple[Path, str], ...] = ()
    """Path on the host and path inside, read-only."""
    links: tuple[tuple[str, str], ...] = ()
    """Target and path of symbolic links."""
    search_path: tuple[str, ...] = ()
    """Folders put before PATH."""
    env: Mapping[str, str] = field(default_factory=dict)

    def __or__(self, other: "Runtime") -> "Runtime":
        """Both; of the same variable the other's value counts."""
        return Runtime(
            tuple(dict.fromkeys((*self.binds, *other.binds))),
            tuple(dict.fromkeys((*self.links, *other.links))),
            tuple(dict.fromkeys((*self.search_path, *other.search_path))),
            {**self.env, **other.env},
        )

    def mounts_only(self) -> "Runtime":
        """The same without a word in PATH or in the environment."""
        return Runtime(self.binds, self.links)

    def in_place(self) -> "Runtime":
        """The same where nothing can be mounted: the folders of the host take their places."""
        return Runtime(search_path=tuple(map(self._on_host, self.search_path)), env=self.env)

    def _on_host(self, folder: str) -> str:
        for host, inside in self.binds:
            if Path(folder).is_relative_to(inside):
                return str(host / Path(folder).relative_to(inside))
        return folder
