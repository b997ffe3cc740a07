"""The house: all lanes of a run, opened when they are needed and closed when memory asks for it."""

from collections.abc import Iterable, Mapping

import trio

from tongits_harness.bots.staging import StagedBot
from tongits_harness.faults import Fault
from tongits_harness.play.lane import HouseServices, Lane
from tongits_harness.play.plan import SessionPlan

_PREFLIGHT_AT_ONCE = 4


class House:
    """Hands out lanes. Its lanes' tasks live in the nursery it is given."""

    def __init__(
        self,
        services: HouseServices,
        bots: Mapping[str, StagedBot],
        nursery: trio.Nursery,
        *,
        process_cap: int,
    ) -> None:
        self._services = services
        self._bots = bots
        self._nursery = nursery
        self._process_cap = process_cap
        self._lanes: dict[tuple[str, int], Lane] = {}
        self._capacity: dict[str, int] = {
            name: staged.bot.manifest.concurrent_games for name, staged in bots.items()
        }

    @property
    def capacities(self) -> Mapping[str, int]:
        """Entrant -> games that one of its processes holds at once, as far as is known."""
        return dict(self._capacity)

    def learn(self, capacities: Mapping[str, int]) -> None:
        """Takes over what bots said of themselves where they were started."""
        self._capacity.update(capacities)
        for (name, _), lane in self._lanes.items():
            lane.capacity = self._capacity[name]

    async def preflight(self, names: Iterable[str] | None = None) -> dict[str, Fault]:
        """Starts one process of every entrant named; returns those that did not come up."""
        failed: dict[str, Fault] = {}
        limiter = trio.CapacityLimiter(_PREFLIGHT_AT_ONCE)

        async def one(name: str) -> None:
            async with limiter:
                report = await self._lane(name, 0).start()
                if report.fault is not None:
                    failed[name] = report.fault
                self._capacity[name] = report.concurrent_games
                self._lane(name, 0).capacity = report.concurrent_games
                if len(self._bots) > self._process_cap:
                    self._lane(name, 0).restart("it came up; there are more bots than processes")

        async with trio.open_nursery() as nursery:
            for name in self._bots if names is None else names:
                nursery.start_soon(one, name)
        return dict(sorted(failed.items()))

    def can_seat(self, plan: SessionPlan) -> bool:
        """All three entrants have a free place at this seating, and memory for their processes."""
        for name in plan.seats:
            lane = self._lanes.get((name, plan.seating))
            if lane is not None and len(lane.sitters) >= lane.capacity:
                return False
        return self._make_room(plan)

    def seat(self, plan: SessionPlan) -> tuple[Lane, Lane, Lane]:
        """The lanes of a session, by seat."""
        a, b, c = (self._lane(name, plan.seating) for name in plan.seats)
        for lane in (a, b, c):
            lane.last_used = trio.current_time()
        return a, b, c

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """All lanes handed out so far."""
        return tuple(self._lanes.values())

    @property
    def processes_started(self) -> int:
        """Bot processes started so far."""
        return sum(lane.processes_started for lane in self._lanes.values())

    def _lane(self, name: str, seating: int) -> Lane:
        lane = self._lanes.get((name, seating))
        if lane is None:
            lane = Lane(self._services, self._bots[name], seating, self._capacity[name])
            self._lanes[name, seating] = lane
            self._nursery.start_soon(lane.run)
        return lane

    def _make_room(self, plan: SessionPlan) -> bool:
        """Closes idle lanes, longest unused first, until the processes fit under the cap."""
        needed = {(name, plan.seating) for name in plan.seats}
        open_keys = {key for key, lane in self._lanes.items() if lane.is_open or lane.sitters}
        excess = len(open_keys | needed) - self._process_cap
        if excess <= 0:
            return True
        idle = [
            lane
            for key, lane in self._lanes.items()
            if key in open_keys and key not in needed and not lane.sitters
        ]
        for lane in sorted(idle, key=lambda lane: lane.last_used)[:excess]:
            lane.restart("idle, and its memory is wanted")
        return False
