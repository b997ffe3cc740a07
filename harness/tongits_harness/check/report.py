"""What a check found: steps with their verdicts, and the report they make. Values only."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from tongits_harness.bots.manifest import Bot


class Verdict(enum.StrEnum):
    """What a step came to."""

    OK = "ok"
    WARN = "warn"
    """The bot may play, but its author will want to know."""
    FAIL = "fail"
    """The bot may not play."""
    SKIP = "skip"
    """Nothing to do, or an earlier step has to pass first."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was looked at."""

    number: int
    title: str
    verdict: Verdict
    summary: str
    """One line: what was found."""
    evidence: tuple[str, ...] = ()
    """Lines below it: where, argv, exit, limits, what the bot printed last, what it was asked."""
    cure: str = ""
    """What to do about it, in an author's words."""
    again: str = ""
    """The command that shows it again."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """The figures, as JSON values."""
    seconds: float = 0.0

    def as_json(self) -> dict[str, object]:
        """As a JSON object."""
        return {
            "number": self.number,
            "title": self.title,
            "verdict": self.verdict,
            "summary": self.summary,
            "evidence": list(self.evidence),
            "cure": self.cure,
            "again": self.again,
            "facts": dict(self.facts),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All steps of one check."""

    bot: Bot | None
    """None if its manifest or its files could not be read."""
    path: str
    steps: tuple[Step, ...]
    sandbox: str
    """Its level: at `none` nothing was isolated."""
    seconds: float
    saved: tuple[Mapping[str, object], ...] = ()
    """Questions that were answered wrongly, each as a line of the corpus holds one."""

    @property
    def is_accepted(self) -> bool:
        """No step failed."""
        return all(step.verdict is not Verdict.FAIL for step in self.steps)

    @property
    def verdict(self) -> str:
        """In words."""
        if not self.is_accepted:
            return "refused"
        if any(step.verdict is Verdict.WARN for step in self.steps):
            return "accepted with warnings"
        return "accepted"

    def as_json(self) -> dict[str, object]:
        """As a JSON object."""
        return {
            "bot": self.bot.name if self.bot else None,
            "version": self.bot.digest if self.bot else None,
            "path": self.path,
            "sandbox": self.sandbox,
            "verdict": self.verdict,
            "accepted": self.is_accepted,
            "seconds": round(self.seconds, 3),
            "steps": [step.as_json() for step in self.steps],
        }
