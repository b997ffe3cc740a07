"""Faults as values: what went wrong, who is to blame, and the evidence."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


class FaultKind(enum.StrEnum):
    """What happened (design: one closed list, shown everywhere by these names)."""

    TIMEOUT = "TIMEOUT"
    """A decision, the start or the session's time bank took longer than its limit."""
    CRASH = "CRASH"
    """The process ended, or broke its connection, while something was owed."""
    ILLEGAL_ACTION = "ILLEGAL_ACTION"
    """A well-formed answer that the rules do not allow at that moment."""
    BAD_MESSAGE = "BAD_MESSAGE"
    """Bytes or fields that break the protocol."""
    NO_HANDSHAKE = "NO_HANDSHAKE"
    """No valid Hello within the start limit."""
    RESOURCE_LIMIT = "RESOURCE_LIMIT"
    """A stated resource limit ended the process."""
    HARNESS = "HARNESS"
    """Trouble of ours: the session is void and is replayed, nothing is charged."""


class Blame(enum.StrEnum):
    """Who answers for a fault."""

    BOT = "bot"
    HARNESS = "harness"


class Phase(enum.StrEnum):
    """What the bot process was doing."""

    START = "start"
    HANDSHAKE = "handshake"
    WARM_UP = "warm_up"
    DECISION = "decision"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that went wrong, before policy decides what follows from it."""

    kind: FaultKind
    blame: Blame
    phase: Phase
    message: str
    """One sentence for the author: what was expected, what came."""
    evidence: Mapping[str, object] = field(default_factory=dict)
    """JSON values: argv, exit (status or signal by name), limit_ms, stderr, raw answer, ..."""
