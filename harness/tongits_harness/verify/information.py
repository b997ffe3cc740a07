"""The audit of what seats were told: no observation holds a card that its seat cannot see.

It looks at the bytes that were sent and at where the cards were then, and uses nothing of the code
that makes observations.
"""

from tongits.v1 import table_pb2 as pb
from tongits_engine import GameResult, State, Table, cards_of, cards_text, mask_of

from tongits_harness.play.onlooker import Move
from tongits_harness.results.records import FaultRecord
from tongits_harness.verify.claims import Failure, Place


class InformationAudit:
    """Watches one session (`onlooker.Onlooker`) and is given every observation of it."""

    def __init__(self) -> None:
        self.observations = 0
        """How many were looked at."""
        self.failures: list[Failure] = []
        self._state: State | None = None

    def dealt(self, number: int, table: Table, state: State) -> None:  # noqa: ARG002  # Onlooker's
        """A game begins."""
        self._state = state

    def acted(self, move: Move) -> None:
        """An action was played."""
        self._state = move.after

    def blamed(self, fault: FaultRecord) -> None:
        """It tells a seat nothing."""

    def settled(self, number: int, table: Table, result: GameResult) -> None:
        """A game is over."""

    def look(self, seat: int, view: bytes, place: Place) -> None:
        """Looks at what a seat is told now.

        Args:
            seat: Who is asked.
            view: The serialised Observation.
            place: Where that is.
        """
        if self._state is None:
            raise RuntimeError("an observation was sent before anything was dealt")
        self.observations += 1
        if leaked := shown(view) & hidden(self._state, seat):
            what = f"seat {seat} was told of {cards_text(cards_of(leaked))}, which it cannot see"
            self.failures.append(Failure(place, what))


def hidden(state: State, seat: int) -> int:
    """The set of cards that a seat cannot see: other hands, the stock, others' concealed fours."""
    unseen = mask_of(state.stock)
    for owner, hand in enumerate(state.hands):
        unseen |= hand if owner != seat else 0
    for meld in state.melds:
        unseen |= meld.mask if meld.concealed and meld.owner != seat else 0
    return unseen


def shown(view: bytes) -> int:
    """The set of all cards that an observation names."""
    seen = pb.Observation.FromString(view)
    named = mask_of(seen.hand) | mask_of(seen.discards)
    for field in (seen.melds, seen.events, seen.legal):
        for message in field:
            named |= mask_of(message.cards)
    return named
