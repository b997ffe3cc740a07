"""Which uid bots run as, and by which commands they get it: root is left by argv, never in a fork.

Three ways: a plain user's harness uses a user namespace. Root's harness starts bwrap as root
without a user namespace and `setpriv` drops to the slot's uid inside (which works where user
namespaces are forbidden, and with files only root can reach); where that fails, it drops outside.
Plain bwrap by root is none of them: its bots would still be root to the kernel.
"""

import enum
import os

from tongits_harness.bots.sandbox.levels import BOT_SLOTS, BOT_UID_BASE

_USER_NAMESPACE = (
    "--unshare-all", "--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534",
)  # fmt: skip
_NO_USER_NAMESPACE = (
    "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID",
    "--cap-add", "CAP_SETPCAP",
)  # fmt: skip
_DROP_CAPABILITIES = ("--inh-caps", "-all", "--bounding-set", "-all", "--no-new-privs")


class Identity(enum.Enum):
    """How bots come by their uid."""

    USER = "user namespace"
    DROP_INSIDE = "root harness, uid dropped inside, no user namespace"
    DROP_OUTSIDE = "root harness, uid dropped outside, user namespace"

    def uid(self, slot: int) -> int:
        """The uid on the host of a bot in this slot."""
        return os.getuid() if self is Identity.USER else slot_uid(slot)

    def outer(self, setpriv: str, slot: int) -> tuple[str, ...]:
        """What stands before bwrap."""
        return drop_to(setpriv, slot) if self is Identity.DROP_OUTSIDE else ()

    def namespaces(self) -> tuple[str, ...]:
        """The arguments of bwrap that make the namespaces and settle its privileges."""
        if self is Identity.DROP_INSIDE:
            return _NO_USER_NAMESPACE
        return (*_USER_NAMESPACE, "--cap-drop", "ALL")

    def inner(self, setpriv: str, slot: int) -> tuple[str, ...]:
        """What stands before the bot inside the sandbox."""
        return drop_to(setpriv, slot) if self is Identity.DROP_INSIDE else ()


def slot_uid(slot: int) -> int:
    """The uid of a process slot.

    Raises:
        ValueError: There is no such slot.
    """
    if not 0 <= slot < BOT_SLOTS:
        raise ValueError(f"process slot {slot} is not within 0..{BOT_SLOTS - 1}")
    return BOT_UID_BASE + slot


def drop_to(setpriv: str, slot: int, *options: str) -> tuple[str, ...]:
    """The command prefix that gives up root for good and takes the slot's uid and gid."""
    uid = str(slot_uid(slot))
    capabilities = options or _DROP_CAPABILITIES
    return (setpriv, "--reuid", uid, "--regid", uid, "--clear-groups", *capabilities)
