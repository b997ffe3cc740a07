"""What a tournament costs as a formula: the slowest of four things decides its rate.

The constants are measured in the same run as the points it is held against; see
harness/CAPACITY.md for what it leaves out.
"""

from dataclasses import dataclass, replace

from tests.bench.figures import Report

_US = 1e6
TOURNAMENT = "tournament/tongits-lite"


@dataclass(frozen=True, slots=True)
class Costs:
    """What one machine is and what a decision takes there."""

    cores: int
    harness_us: float
    """CPU of a process that plays, a decision."""
    bot_us: float
    """CPU of the bots, a decision."""
    sessions_per_s: float
    """What the one that stores can take."""
    decisions_per_session: float
    think_us: float = 0.0
    """What a bot takes by the clock without using a core."""
    workers: int = 1
    slots: int | None = None
    """Bot processes that may think at a time; cores - 1 for None, as for bots that compute."""

    @property
    def limits(self) -> dict[str, float]:
        """Decisions a second that each of them allows."""
        slots = self.slots or max(1, self.cores - 1)
        return {
            "the processes that play": self.workers * _US / self.harness_us,
            "the cores": self.cores * _US / (self.harness_us + self.bot_us),
            "the bots' thinking": slots * _US / max(self.bot_us, self.think_us),
            "storing": self.sessions_per_s * self.decisions_per_session,
        }

    @property
    def limit(self) -> str:
        """The name of the least."""
        return min(self.limits, key=lambda name: self.limits[name])

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.limits[self.limit]


def costs_of(report: Report) -> Costs | None:
    """From the figures of a report; None if it lacks one of them."""
    names = {
        "harness_us": f"{TOURNAMENT}/CPU harness",
        "bot_us": f"{TOURNAMENT}/CPU bots",
        "sessions_per_s": "store/sessions",
        "steady": f"{TOURNAMENT}/steady",
        "games": f"{TOURNAMENT}/steady games",
    }
    found = {key: report.find(name) for key, name in names.items()}
    value = {key: figure.median for key, figure in found.items() if figure is not None}
    if value.keys() != names.keys():
        return None
    return Costs(
        cores=report.cores,
        harness_us=value["harness_us"],
        bot_us=value["bot_us"],
        sessions_per_s=value["sessions_per_s"],
        decisions_per_session=2 * value["steady"] / value["games"],
    )


def cluster(one: Costs, machines: int, efficiency: float) -> Costs:
    """So many machines like this one as one: everything grows but the one that stores.

    Args:
        one: A machine.
        machines: How many.
        efficiency: What a further worker adds, as a share of the first one's rate.
    """
    share = 1 + (machines - 1) * efficiency
    return replace(
        one,
        cores=round(one.cores * share),
        workers=max(1, round(one.cores * share)),
        slots=max(1, round((one.slots or max(1, one.cores - 1)) * share)),
    )
