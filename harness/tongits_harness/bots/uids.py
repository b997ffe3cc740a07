"""Process slots: each bot process of a harness run by root has a uid that nobody else has.

A slot is claimed by a lock on its byte of one file that all harnesses on the machine share; the
kernel drops it when its holder dies in whatever way.
"""

import errno
import fcntl
import os
import secrets
import stat
import struct
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from tongits_harness.bots.sandbox.levels import BOT_SLOTS
from tongits_harness.bots.spawner import SpawnFailedError

PLACES = (Path("/run"), Path("/tmp"))  # noqa: S108  # the file is checked to be root's own
"""Where the file may lie; the first that can be used is."""
_NAME = "tongits-uids.lock"
_FLOCK = "hhqqi"
"""struct flock: type, whence, start, length, pid (which is 0)."""
_TAKEN = (errno.EAGAIN, errno.EACCES)


class UidSlots:
    """Slots from a random one on; `take` and `give_back`. Without root they are numbers only."""

    def __init__(
        self,
        count: int = BOT_SLOTS,
        *,
        places: Sequence[Path] = PLACES,
        is_root: bool | None = None,
    ) -> None:
        # The last slot is the one that sandboxes are tried with.
        self._free = deque(range(count - 1))
        self._free.rotate(secrets.randbelow(count))
        self._places = places if (os.getuid() == 0 if is_root is None else is_root) else ()
        self._claims: dict[int, int] = {}

    @property
    def free(self) -> tuple[int, ...]:
        """Slots that were not taken here; another harness may have them."""
        return tuple(self._free)

    def take(self) -> int:
        """A slot that nobody on this machine has.

        Raises:
            SpawnFailedError: All are taken.
        """
        for _ in range(len(self._free)):
            slot = self._free.popleft()
            if self._claim(slot):
                return slot
            self._free.append(slot)
        raise SpawnFailedError(
            "every uid for bots is taken by harnesses on this machine: wait until one ends, or"
            " lower machine.processes in the tournament file"
        )

    def give_back(self, slot: int) -> None:
        """The process of this slot is gone."""
        self._free.append(slot)
        if (claim := self._claims.pop(slot, None)) is not None:
            os.close(claim)

    def _claim(self, slot: int) -> bool:
        """Whether nobody else has it; where no lock can be had, chance has to do."""
        descriptor = _open_lock(self._places)
        if descriptor is None:
            return True
        try:
            fcntl.fcntl(
                descriptor, fcntl.F_OFD_SETLK,
                struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, slot, 1, 0),
            )  # fmt: skip
        except OSError as error:
            os.close(descriptor)
            return error.errno not in _TAKEN
        self._claims[slot] = descriptor
        return True


def _open_lock(places: Sequence[Path]) -> int | None:
    """The lock file, if there is a place where it is ours and nobody else can open it."""
    for place in places:
        try:
            descriptor = os.open(
                place / _NAME, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
            )
        except OSError:
            continue
        status = os.fstat(descriptor)
        if status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o077:
            return descriptor
        os.close(descriptor)
    return None
