"""What the project requires of its figures, and which of that a report reaches."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.bench.figures import Figure, Report
from tests.bench.sizes import FULL

_CREW = ", a worker a core"
_PLAYERS = tuple(
    f"tournament/4 x {bot}{players}{built}"
    for bot in ("random", "greedy")
    for players in ("", _CREW)
    for built in ("", ", compiled")
)
_CPU = tuple(f"{name}/CPU harness" for name in _PLAYERS)
_RLCARD = "tournament/RLCard gin"
_TOURNAMENT = tuple(f"{name}/steady" for name in _PLAYERS)
_LANGUAGE = f"tournament/by language{_CREW}, compiled: greedy"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One figure, by itself or as a ratio to another of the same run."""

    title: str
    figure: str | tuple[str, ...]
    """Of several names the best one measured, which is then named."""
    bound: float
    aim: float | None = None
    peer: str | None = None
    at_most: bool = False
    set_at: float | None = None
    """The peer's rate on the machine that the bound was set on: a time is scaled to that one."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A requirement held against a report."""

    requirement: Requirement
    figure: Figure | None
    peer: Figure | None

    @property
    def value(self) -> float | None:
        """The figure, or its ratio to the peer; None if it was not measured."""
        if self.figure is None or (self.requirement.peer and self.peer is None):
            return None
        if self.peer is None:
            return self.figure.median
        if self.requirement.set_at is not None:
            return self.figure.median * self.peer.median / self.requirement.set_at
        return self.figure.median / self.peer.median

    @property
    def is_reached(self) -> bool | None:
        if self.value is None:
            return None
        bound = self.requirement.bound
        return self.value <= bound if self.requirement.at_most else self.value >= bound

    def __str__(self) -> str:
        wanted = self.requirement
        sign = "<=" if wanted.at_most else ">="
        aim = f", aim {wanted.aim:g}" if wanted.aim is not None else ""
        verdict = {None: "not measured", True: "reached", False: "NOT REACHED"}[self.is_reached]
        own = f"{self.figure.median:10,.1f}" if self.figure else " " * 10
        peer = f"{self.peer.median:10,.1f}" if self.peer else " " * 10
        value = f"{self.value:8.2f}" if self.value is not None else " " * 8
        has_choice = not isinstance(wanted.figure, str)
        which = f" ({self.figure.name})" if self.figure and has_choice else ""
        judged = f"{sign} {wanted.bound:g}{aim}: {verdict}{which}"
        return f"  {wanted.title:58} {own} {peer} {value}  {judged}"


REQUIRED = (
    Requirement("tournament decisions/s by RLCard's", _TOURNAMENT, 1, aim=3, peer=_RLCARD),
    Requirement(
        "tournament decisions/s by PettingZoo's", _TOURNAMENT, 4, peer="tournament/PettingZoo gin"
    ),
    Requirement(
        "link at 64 games by a bare gRPC stream", "link/64/ours", 0.5, peer="link/64/bare gRPC"
    ),
    Requirement(
        "harness CPU a decision, 64+ games, us",
        _CPU,
        60,
        peer=_RLCARD,
        at_most=True,
        set_at=17_500,
    ),
    Requirement(
        "the same by the design's bound",
        _CPU,
        45,
        aim=30,
        peer=_RLCARD,
        at_most=True,
        set_at=17_500,
    ),
    Requirement(
        "best of Go, Rust, C++ by Python, tournament decisions/s",
        tuple(f"{_LANGUAGE}-{language}/steady" for language in ("go", "rust", "cpp")),
        1.5,
        peer=f"{_LANGUAGE}/steady",
    ),
    Requirement(
        "bots of 50 ms: wall by bot time / processes",
        "slow/1 at a time/wall by bot time",
        1.10,
        at_most=True,
    ),
    Requirement(
        "memory growth, bytes a match of 12 games",
        f"memory/growth, second half of {FULL.memory_matches}",
        1024,
        at_most=True,
    ),
    Requirement(
        "engine decisions/s by OpenSpiel's, from Python",
        ("engine/tongits-lite, compiled", "engine/tongits-lite"),
        2,
        aim=5,
        peer="engine/OpenSpiel gin, cloned start",
    ),
)


def judge_all(report: Report) -> Iterator[Judged]:
    for requirement in REQUIRED:
        names = requirement.figure
        names = (names,) if isinstance(names, str) else names
        found = [figure for name in names if (figure := report.find(name)) is not None]
        choose = min if requirement.at_most else max
        best = choose(found, key=lambda figure: figure.median) if found else None
        peer = report.find(requirement.peer) if requirement.peer else None
        yield Judged(requirement, best, peer)


def table(report: Report) -> str:
    head = f"  {'required':58} {'ours':>10} {'peer':>10} {'value':>8}"
    return "\n".join([head, *map(str, judge_all(report))])
