"""What a verification says: claims, and the places where they do not hold. Values only."""

from collections.abc import Sequence
from dataclasses import dataclass, field

FAILURES_KEPT = 20
"""Places kept for each claim; more are counted only."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is wrong; what is not named is not narrower than the whole."""

    match: int | None = None
    """Index in the schedule."""
    seating: int | None = None
    game: int | None = None
    step: int | None = None

    @property
    def text(self) -> str:
        """For instance `match 3 seating 0 game 1`."""
        parts = (
            ("match", self.match),
            ("seating", self.seating),
            ("game", self.game),
            ("step", self.step),
        )
        return " ".join(f"{word} {number}" for word, number in parts if number is not None)


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that is not as it must be."""

    place: Place
    what: str


@dataclass(slots=True)
class Claim:
    """One thing that is verified; it holds while nothing contradicts it."""

    name: str
    says: str
    """What is claimed, as a sentence without its full stop."""
    counts: str = ""
    """What `checked` counts."""
    checked: int = 0
    failures: list[Failure] = field(default_factory=list)
    failed: int = 0
    """Contradictions in all; the first of them are in `failures`."""
    skipped: str = ""
    """Why it could not be looked at, if it could not."""

    @property
    def holds(self) -> bool:
        """It was looked at, and nothing contradicts it."""
        return not self.failed and not self.skipped

    def fail(self, what: str, place: Place | None = None) -> None:
        """Something contradicts the claim."""
        self.failed += 1
        if len(self.failures) < FAILURES_KEPT:
            self.failures.append(Failure(place or Place(), what))

    def to_json(self) -> dict[str, object]:
        """The claim of `tongits verify --json`; keys may be added, only at the end."""
        return {
            "claim": self.name,
            "says": self.says,
            "ok": self.holds,
            "checked": self.checked,
            "counts": self.counts,
            "failed": self.failed,
            "failures": [
                {
                    "match": failure.place.match,
                    "seating": failure.place.seating,
                    "game": failure.place.game,
                    "step": failure.place.step,
                    "what": failure.what,
                }
                for failure in self.failures
            ],
            "skipped": self.skipped or None,
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome for one tournament."""

    tournament: str
    finished: bool
    claims: Sequence[Claim]

    damage: str | None = None
    """What is wrong with the database itself, if that kept everything else from being verified."""

    @property
    def holds(self) -> bool:
        """Every claim holds."""
        return all(claim.holds for claim in self.claims)
