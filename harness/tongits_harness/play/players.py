"""Who plays sessions, as a tournament sees it: a hall in this process, or a crew of workers."""

from collections.abc import Mapping
from typing import Protocol

from tongits_harness.faults import Fault
from tongits_harness.play.hall import Reports
from tongits_harness.play.order import SessionQueue


class Players(Protocol):
    """Plays sessions of a queue; see `hall.Hall` and `workers.crew.Crew`."""

    async def preflight(self) -> Mapping[str, Fault]:
        """Starts every bot once; those that did not come up, with the reason."""

    def begin(self, seed: bytes, queue: SessionQueue, reports: Reports) -> None:
        """Plays from this queue from now on; nothing may be going on."""

    @property
    def is_idle(self) -> bool:
        """Nothing is being played."""

    def fill(self) -> None:
        """Takes as many sessions as there is room for."""

    def hold(self) -> None:
        """Nothing more is to be begun: what is at the tables may be finished."""

    def bar(self, suspended: Mapping[str, int]) -> None:
        """Entrants are suspended after these matches: drops what cannot count any more."""

    def drop(self) -> None:
        """Drops what is being played."""
