"""A small file system of its own, to be filled."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PAGE = 4096


class SmallDisk:
    """A file system of few megabytes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fill(self) -> None:
        """Takes all the room that is left."""
        with suppress(OSError), (self.path / "filler").open("ab", buffering=0) as filler:
            while True:
                filler.write(bytes(PAGE))

    def free(self) -> None:
        """Gives it back."""
        (self.path / "filler").unlink(missing_ok=True)


@contextmanager
def open_small_disk(path: Path, *, megabytes: int) -> Iterator[SmallDisk | None]:
    """Mounts one at `path`; None where that is not possible."""
    path.mkdir(exist_ok=True)
    mount = ["/bin/mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(path)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["/bin/umount", "-l", str(path)], check=True)
