"""What a session asks of the world and what it gets back: values only.

Those that are made for every decision are not frozen, which would double what making them costs.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tongits_engine import Action

from tongits_harness.faults import Fault


@dataclass(frozen=True, slots=True, eq=False)
class SeatGame:
    """One game as one seat's process must be told about it."""

    game_id: bytes
    """Random and opaque; ASCII."""
    started: bytes
    """Serialised GameStarted without game_id."""
    resumed: Callable[[], bytes]
    """The same for a new process: marked resumed, with the whole public history."""


@dataclass(slots=True, eq=False)
class Ask:
    """A decision that the bot at `seat` has to make."""

    seat: int
    game: SeatGame
    view: bytes
    """Serialised Observation: the exact bytes."""
    legal: tuple[Action, ...]
    budget_us: int
    """Decision limit or what is left of the bank, whichever is less."""


@dataclass(slots=True)
class GameEnded:
    """A game is over; each seat may be told."""

    game_ids: tuple[bytes, bytes, bytes]
    over: tuple[bytes, bytes, bytes]
    """Serialised GameOver without game_id, per seat."""


@dataclass(slots=True)
class Chosen:
    """The bot chose a legal action."""

    action: Action
    elapsed_us: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """The bot did not: the session's policy decides what follows."""

    fault: Fault
    elapsed_us: int
    process_lost: bool = False
    request: bytes = b""
    """The serialised DecisionRequest that was being answered."""


Effect = Ask | GameEnded
Reply = Chosen | Failed
