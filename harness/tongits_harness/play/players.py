"""Who plays sessions, as a tournament sees it: this process, a crew of workers, or a cluster."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.faults import Fault
from tongits_harness.play.hall import HallSetup, Reports, open_hall
from tongits_harness.play.order import SessionQueue
from tongits_harness.play.workers.crew import open_crew


class Players(Protocol):
    """Plays sessions of a queue; see `hall.Hall` and `workers.crew.Crew`."""

    async def preflight(self) -> Mapping[str, Fault]:
        """Starts every bot once; those that did not come up, with the reason."""

    def begin(self, seed: bytes, queue: SessionQueue, reports: Reports) -> None:
        """Plays from this queue from now on; nothing may be going on."""

    @property
    def is_idle(self) -> bool:
        """Nothing is being played."""

    @property
    def note(self) -> str:
        """Who plays, for whoever watches; empty where that is this process alone."""

    def fill(self) -> None:
        """Takes as many sessions as there is room for."""

    def hold(self) -> None:
        """Nothing more is to be begun: what is at the tables may be finished."""

    def bar(self, suspended: Mapping[str, int]) -> None:
        """Entrants are suspended after these matches: drops what cannot count any more."""

    def drop(self) -> None:
        """Drops what is being played."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where sessions are played; results do not depend on it."""

    workers: int = 1
    """Processes on this machine."""
    cluster: str | None = None
    """Address of a Dask scheduler, if a cluster plays instead."""

    @property
    def text(self) -> str:
        """In words, for the header of a run."""
        if self.cluster is not None:
            return f"on the cluster at {self.cluster}"
        return "in one process" if self.workers == 1 else f"by {self.workers} workers"

    def open(
        self, setup: HallSetup, sandbox: Sandbox, changed: Callable[[], None]
    ) -> AbstractAsyncContextManager[Players]:
        """The players; they end with the block."""
        if self.cluster is not None:
            from tongits_harness.play.cluster.players import open_cluster

            return open_cluster(setup, str(sandbox.level), self.cluster, changed)
        if self.workers > 1:
            return open_crew(setup, str(sandbox.level), self.workers, changed)
        return open_hall(setup, sandbox, changed)
