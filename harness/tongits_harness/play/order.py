"""In which order sessions are seated: seating by seating within a window of matches."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from tongits_harness.play.plan import MatchPlan, SessionPlan, sessions_of

_LOOK_AHEAD = 256
"""Sessions considered when the next one cannot be seated yet: bounds the work per choice."""


def session_order(
    matches: Iterable[MatchPlan], seatings: int, window: int
) -> Iterator[SessionPlan]:
    """Sessions of up to `window` matches at a time, first all of seating 0, then of seating 1, ...

    Few lanes are then busy at once and their batches stay large (design section 11, 7): batches of
    a few decisions cost ten times as much for each as batches of fifty.
    """
    remaining = iter(matches)
    while chunk := list(islice(remaining, window)):
        for seating in range(seatings):
            for match in chunk:
                yield sessions_of(match, seatings)[seating]


class SessionQueue:
    """What is left to play, in order; a session that cannot be seated yet is overtaken."""

    def __init__(
        self, sessions: Iterator[SessionPlan], is_barred: Callable[[SessionPlan], bool]
    ) -> None:
        """Takes plans from `sessions` as needed; those that are barred by then are dropped."""
        self._coming = sessions
        self._is_barred = is_barred
        self._near: deque[SessionPlan] = deque()

    def put_back(self, session: SessionPlan) -> None:
        """A void session is the next to be played."""
        self._near.appendleft(session)

    def extend(self, sessions: Iterable[SessionPlan]) -> None:
        """More sessions, after those that are near."""
        self._near.extend(sessions)

    def clear(self) -> tuple[SessionPlan, ...]:
        """Forgets the sessions that are near and gives them."""
        near, self._near = tuple(self._near), deque()
        return near

    def take(self, can_seat: Callable[[SessionPlan], bool]) -> SessionPlan | None:
        """The first session that can be seated now, or None."""
        for position in range(_LOOK_AHEAD):
            if position == len(self._near) and not self._draw_one():
                return None
            session = self._near[position]
            if can_seat(session):
                del self._near[position]
                return session
        return None

    def drop_barred(self) -> None:
        """Forgets sessions that have become barred since they came near."""
        self._near = deque(session for session in self._near if not self._is_barred(session))

    @property
    def is_empty(self) -> bool:
        """Nothing is left."""
        return not self._near and not self._draw_one()

    def _draw_one(self) -> bool:
        for session in self._coming:
            if not self._is_barred(session):
                self._near.append(session)
                return True
        return False
