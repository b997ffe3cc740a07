"""The attacks: which program does what, and what must come of it. Rows are those of the sandbox
study's table; rows 33, 34 and 36 concern submissions and builds, which do not exist yet."""

import os
from dataclasses import dataclass, field

ILLEGAL, BAD = "ILLEGAL_ACTION", "BAD_MESSAGE"
NONE: frozenset[str] = frozenset()
"""Nothing is charged: the attempt harms nobody."""


@dataclass(frozen=True)
class Attack:
    """One program at one seat."""

    row: int
    bot: str
    """Folder in sample_bots/bad."""
    way: str | None = None
    """Argument in place of the one in its bot.toml."""
    charged: frozenset[str] = NONE
    """Kinds of fault of which its seat gets one, or some where timing decides."""
    refused: bool = False
    """It does not come up: NO_HANDSHAKE before the first match."""
    may_be_spared: bool = False
    """Whether it is charged depends on timing; nobody else ever is."""
    tells: dict[str, str] = field(default_factory=dict)
    """Attempt -> outcomes allowed (a regular expression), as the bot's notes must tell."""
    layer: str = ""
    """What stops it."""
    limits: dict[str, object] = field(default_factory=dict)
    games: int = 1
    seatings: int = 1

    @property
    def id(self) -> str:
        return "-".join(filter(None, [f"{self.row:02}", self.bot, self.way]))


def _of(*kinds: str) -> frozenset[str]:
    return frozenset(kinds)


_OTHERS = "(EACCES|EPERM|ENODATA|ENOENT)"
_CLOSED = "(EROFS|ENOENT|EISDIR|EACCES|EPERM)"
PROBES = [
    Attack(
        1,
        "net_prober",
        games=2,
        layer="network namespace, seccomp",
        tells={
            "tcp .*": "(ECONNREFUSED|ENETUNREACH|EADDRNOTAVAIL)",
            "udp internet": "ENETUNREACH",
            "dns": "NO NAME",
            "raw|packet|netlink|vsock": "(EPERM|EAFNOSUPPORT|EACCES)",
            "abstract.*": "ECONNREFUSED",
            "socket .*": "ENOENT",
        },
    ),
    Attack(
        6,
        "file_prober",
        layer="mount namespace, read-only mounts",
        tells={
            "(write|change) .*": _CLOSED,
            "(replace|unlink|chmod) socket": "EROFS",
            "own .*": "EROFS",
            "device": "(EPERM|EACCES)",
            "kernel memory": "(ENOENT|EACCES)",
            "hard link": "(EXDEV|EPERM)",
            r"/proc/\d+/(root|cwd|environ)": _OTHERS,
            # A plain user's bot may look into its own namespace's init, which has the bot's rights
            # and nothing to hide (SECURITY.md); at address 0 of its memory there is nothing (EIO).
            r"/proc/\d+/(mem|maps)": _OTHERS if os.getuid() == 0 else "(EIO|DONE)",
        },
    ),
    Attack(
        16,
        "call_prober",
        games=2,
        layer="pid namespace, no capabilities, seccomp, a uid that is not 0",
        tells={
            r"kill \d+": "ESRCH",
            "set.*|chroot|mount|bind|umount|unshare .*|setuid program": "(EPERM|EACCES|EINVAL)",
            "limit .*": "(EPERM|ENODATA)",
            "nice|realtime": "(EPERM|EACCES)",
            "tty|stdin": "(ENXIO|EPERM|ENOENT|ENOTTY)",
            "sysctl .*|sysrq|oom_score_adj": "(EACCES|EROFS|ENOENT|EPERM)",
            "ptrace|process_vm_.*|pidfd_getfd|keyctl|add_key|bpf|kcmp": "(EPERM|ENOSYS)",
            "io_uring_setup|userfaultfd|perf_event_open|open_tree|fsopen": "(EPERM|ENOSYS)",
        },
    ),
    Attack(
        31,
        "sharer",
        seatings=3,
        layer="tmpfs of its own, ipc namespace, seccomp (keyctl)",
        tells={"found": r"\[\]"},
    ),
    Attack(
        38,
        "compiled",
        layer="seccomp",
        tells={
            "clone.* newuser": "(EPERM|ENOSYS|EINVAL)",
            "io_uring_setup|userfaultfd|memfd_create|perf_event_open": "(EPERM|ENOSYS)",
            "keyctl|x32 .*|kexec": "(EPERM|ENOSYS)",
            "vsock|alg": "EAFNOSUPPORT",
            "int80 getpid": "SYS",
        },
    ),
]
_SLOW = _of("TIMEOUT")
"""What takes longer than a decision may on a busy machine."""
BOMBS = [
    Attack(
        10,
        "bomber",
        "fork",
        charged=_SLOW,
        may_be_spared=True,
        tells={"stopped by": "EAGAIN"},
        layer="pids.max, RLIMIT_NPROC",
    ),
    Attack(
        10,
        "bomber",
        "threads",
        charged=_SLOW,
        may_be_spared=True,
        tells={"stopped by": "RuntimeError"},
        layer="pids.max, RLIMIT_NPROC",
    ),
    Attack(
        11,
        "bomber",
        "heap",
        charged=_of("RESOURCE_LIMIT", "CRASH"),
        limits={"decision_s": 5.0},  # on a busy machine it takes a while to fill the memory
        layer="memory.max, RLIMIT_DATA",
    ),
    Attack(
        11,
        "bomber",
        "family",
        charged=_of("RESOURCE_LIMIT", "CRASH", "TIMEOUT"),
        may_be_spared=True,
        layer="memory.max; watched below level full",
    ),
    Attack(
        11,
        "bomber",
        "shared_map",
        charged=_of("RESOURCE_LIMIT", "CRASH", "TIMEOUT"),
        layer="memory.max; watched below level full",
    ),
    Attack(11, "bomber", "memfd", tells={"memfd": "(ENOSYS|EPERM)"}, layer="seccomp"),
    Attack(11, "bomber", "lock_memory", tells={"lock_memory": "0"}, layer="RLIMIT_MEMLOCK"),
    Attack(
        13,
        "bomber",
        "disk",
        games=2,
        charged=_of("TIMEOUT"),
        may_be_spared=True,
        tells={
            "/(tmp|dev/shm)/big.*": "(ENOSPC|EFBIG)",
            "/(dev/|run/|bot/|run/bot/|var/|home/)?big.*": _CLOSED,
            "disk": r"(1?\d|2[0-4])",
        },
        layer="sized tmpfs, everything else read-only",
    ),
    Attack(
        13,
        "bomber",
        "inodes",
        charged=_of("TIMEOUT"),
        may_be_spared=True,
        layer="memory.max; not bounded below level full",
    ),
    Attack(13, "bomber", "descriptors", tells={"stopped by": "EMFILE"}, layer="RLIMIT_NOFILE"),
    Attack(14, "bomber", "output", layer="output read at a bounded rate, middle thrown away"),
    Attack(14, "flooder", charged=_of("TIMEOUT"), layer="output read at a bounded rate"),
    Attack(28, "bomber", "spin", layer="cpu.shares; watched elsewhere", may_be_spared=True,
           charged=_of("TIMEOUT", "RESOURCE_LIMIT")),
    Attack(
        28,
        "bomber",
        "harass",
        charged=_SLOW | _of("RESOURCE_LIMIT"),
        may_be_spared=True,
        layer="void and replay; cpu.shares; watched elsewhere",
    ),
    Attack(28, "ponderer", layer="CPU time counted", may_be_spared=True,
           charged=_of("TIMEOUT", "RESOURCE_LIMIT")),
]  # fmt: skip
_LOST = _of("CRASH", BAD)
LIVES = [
    Attack(15, "lingerer", "kill_all", layer="pid namespace"),
    Attack(17, "lingerer", "stop", charged=_of("TIMEOUT"), layer="deadline, kill of the init"),
    Attack(17, "lingerer", "stop_family", charged=_of("TIMEOUT"), layer="kill of the init"),
    Attack(
        17,
        "lingerer",
        "orphans",
        charged=_of("TIMEOUT"),
        may_be_spared=True,
        layer="kill of the init",
    ),
    Attack(17, "forker", layer="kill of the init"),
    Attack(18, "lingerer", "ignore_end", layer="SIGKILL, nothing else is ever sent"),
    Attack(42, "lingerer", "core", charged=_of("CRASH"), layer="RLIMIT_CORE=0"),
    Attack(42, "lingerer", "abort", charged=_of("CRASH"), layer="attribution by our own records"),
    Attack(42, "lingerer", "quit", charged=_of("CRASH"), layer="attribution by our own records"),
    Attack(22, "lingerer", "hang_up", charged=_LOST, layer="end of the stream is seen"),
    Attack(44, "slow_starter", "1.5", layer="a start limit of its own"),
    Attack(44, "slow_starter", "60", refused=True, layer="start limit"),
    Attack(30, "delayer", layer="not preventable; no observation tells another seat's time"),
    Attack(32, "painter", games=2, layer="safe_text at every sink"),
    Attack(32, "painter", "die", charged=_LOST, layer="safe_text at every sink"),
]
_MESSAGES = {
    24: {
        f"{BAD} CRASH TIMEOUT": ("huge", "bomb", "repeated"),  # its own client may break first
        f"{BAD} TIMEOUT": ("small_bomb",),
    },
    25: {BAD: ("nested",), "": ("unknown_groups",)},
    26: {BAD: ("unsolicited", "small_flood", "second_hello", "empty"), "": ("within_reason",)},
    27: {
        BAD: ("id_0", "id_max", "no_choice", "surrogate"),
        ILLEGAL: ("index_max", "kind_negative", "kind_max", "card_255", "cards_twice",
                  "cards_many", "meld_max", "card_not_held"),
        "": ("long_notes", "twice_differing"),
    },
}  # fmt: skip
MESSAGES = [
    Attack(row, "message_games", way, charged=_of(*kind.split()), layer="protocol")
    for row, kinds in _MESSAGES.items()
    for kind, ways in kinds.items()
    for way in ways
]
_TIMEOUT = _of("TIMEOUT")
_WIRE: dict[frozenset[str], tuple[str, ...]] = {
    _TIMEOUT: ("slow_loris", "half_message", "closed_window"),
    _LOST: (
        "ping_flood", "huge_frame", "lying_length", "compressed_flag", "reset", "half_close",
        "dial_again",
    ),
    NONE: ("tiny_window",),
}  # fmt: skip
_EITHER = (
    "window_overflow", "garbage",
    "settings_flood", "window_flood", "empty_frames", "other_streams", "endless_headers", "goaway",
)  # fmt: skip
WIRE = [
    *(
        Attack(23, "wire_games", way, charged=kinds, layer="absolute deadline, gRPC")
        for kinds, ways in _WIRE.items()
        for way in ways
    ),
    *(
        Attack(23, "wire_games", way, charged=_LOST | _TIMEOUT, may_be_spared=True, layer="gRPC")
        for way in _EITHER
    ),
    *(
        Attack(22, "wire_games", way, refused=True, layer="start limit")
        for way in ("never_reads", "slow_hello", "http1")
    ),
    Attack(
        22, "wire_games", "hoarder", refused=True, layer="grpc.max_allowed_incoming_connections"
    ),
]
ATTACKS = [*PROBES, *BOMBS, *LIVES, *MESSAGES, *WIRE]
