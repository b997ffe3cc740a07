"""A table: one session being played, between its generator and the three lanes it is seated at."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.lane import Lane
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.session import SessionOutcome, SessionPlay, SessionSetup, play_session
from tongits_harness.protocol.conversation import Pending
from tongits_harness.protocol.decisions import Ask, Failed, GameEnded, Reply
from tongits_harness.protocol.load import Burner
from tongits_harness.results.records import SeatRecord, SessionRecord


@dataclass(frozen=True, slots=True)
class Void:
    """The harness could not judge a decision fairly: the session does not count and is replayed."""

    reason: str
    head: str
    """The entrant whose decision it was."""
    burner: Burner | None = None
    """The other bot that took its time, if it was one."""


REPLAYS = 2
"""Voids at one entrant's decisions that are replayed; one more becomes the entrant's fault, unless
another bot was the reason: that one is charged (`burners`)."""


class Table:
    """Drives one session. `ended` is called once, with its record or with the reason it is void."""

    def __init__(
        self,
        setup: SessionSetup,
        lanes: tuple[Lane, Lane, Lane],
        ended: Callable[["Table", SessionRecord | Void], None],
        *,
        voids: tuple[str, ...],
        sandbox: str,
    ) -> None:
        self.setup = setup
        self.lanes = lanes
        self._ended = ended
        # Whose decisions voided earlier tries of this session.
        self._voids = voids
        self._sandbox = sandbox
        self._play: SessionPlay | None = play_session(setup)
        self._incarnations: dict[Lane, list[str]] = {lane: [] for lane in lanes}
        self._started_at = time.time()

    def open(self) -> None:
        """Seats the session and asks its first question."""
        for lane in self.lanes:
            lane.sitters.add(self)
        self._advance(None)

    def close(self) -> None:
        """Drops the session where it stands."""
        if self._play is not None:
            self._play.close()
            self._play = None
            for lane in self.lanes:
                lane.leave(self)

    def incarnated(self, lane: Lane, incarnation: str) -> None:
        """Remembers which processes were told of this session (`lane.Sitter`)."""
        known = self._incarnations[lane]
        if incarnation not in known:
            known.append(incarnation)

    def _advance(self, reply: Reply | None) -> None:
        play = self._play
        if play is None:
            return  # an answer to a session that is void by now
        try:
            effect = play.send(reply)
            while isinstance(effect, GameEnded):
                for lane, game_id, over in zip(
                    self.lanes, effect.game_ids, effect.over, strict=True
                ):
                    lane.tell_over(game_id, over)
                effect = play.send(None)
        except StopIteration as stop:
            self.close()
            self._ended(self, self._record(stop.value))
        else:
            self._submit(effect)

    def _submit(self, ask: Ask) -> None:
        self.lanes[ask.seat].submit(Pending(ask, self._advance, self._void), self)

    def _void(self, pending: Pending, reason: str) -> None:
        head = self.lanes[pending.ask.seat].entrant
        burner = pending.burner
        other = None if burner is None or burner.entrant == head else burner
        if self._voids.count(head) >= REPLAYS and other is None:
            late = repeatedly_late(reason, self.setup.limits)
            fault = replace(late.fault, evidence={**late.fault.evidence, **pending.evidence})
            self._advance(replace(late, fault=fault, request=pending.request))
        elif self._play is not None:
            self.close()
            self._ended(self, Void(reason, head, other))

    def _record(self, outcome: SessionOutcome) -> SessionRecord:
        a, b, c = (
            self._seat(seat, lane) for seat, lane in zip(outcome.seats, self.lanes, strict=True)
        )
        return SessionRecord(
            plan=self.setup.plan,
            games=outcome.games,
            seats=(a, b, c),
            faults=outcome.faults,
            voids=len(self._voids),
            sandbox=self._sandbox,
            started_at=self._started_at,
            finished_at=time.time(),
        )

    def _seat(self, seat: SeatRecord, lane: Lane) -> SeatRecord:
        return replace(seat, incarnations=tuple(self._incarnations[lane]))


def repeatedly_late(reason: str, limits: PlayLimits) -> Failed:
    """The fault of a player whose decisions the machine was too slow to judge, time and again."""
    message = f"late again after {REPLAYS} replays of the session: {reason}"
    evidence = {"limit_ms": limits.decision_s * 1e3, "replays": REPLAYS, "excuse": reason}
    return Failed(Fault(FaultKind.TIMEOUT, Blame.BOT, Phase.DECISION, message, evidence), 0)
