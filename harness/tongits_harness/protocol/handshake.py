"""What is expected of a Hello, and the Welcome that answers it. Values only."""

from collections.abc import Sequence
from dataclasses import dataclass

from tongits.v1 import table_pb2 as pb

from tongits_harness.play.limits import PlayLimits
from tongits_harness.protocol.decisions import Ask

PROTOCOL_VERSION = 1


@dataclass(frozen=True, slots=True)
class Terms:
    """What the harness expects and grants."""

    token: str
    concurrent_games: int
    """Games a process of this bot may hold at once, at most."""
    limits: PlayLimits
    warm_up: Sequence[Ask]
    """First decisions of as many games; nothing of them is judged, charged or stored."""
    is_timed: bool = True
    """Whether its clock runs; it is told the usual limits all the same."""

    def refusal(self, hello: pb.Hello) -> str | None:
        """What is wrong with a Hello, as said of the bot; None if it is accepted."""
        if hello.protocol_version != PROTOCOL_VERSION:
            return (
                f"speaks protocol version {hello.protocol_version}; "
                f"this harness speaks {PROTOCOL_VERSION}"
            )
        if hello.token != self.token:
            return "sent a token in Hello that is not the value of TONGITS_TOKEN"
        return None

    def games(self, hello: pb.Hello) -> int:
        """Games this process will hold at once; 0 in Hello means 1."""
        return min(self.concurrent_games, max(1, hello.concurrent_games))

    def warm_up_for(self, hello: pb.Hello) -> Sequence[Ask]:
        """As many warm-up games as the bot holds at once."""
        return self.warm_up[: self.games(hello)]

    def welcome(self, hello: pb.Hello) -> bytes:
        """A serialised TableMessage with the Welcome."""
        welcome = pb.Welcome(
            protocol_version=PROTOCOL_VERSION,
            concurrent_games=self.games(hello),
            decision_limit_us=self.limits.decision_us,
            session_bank_us=self.limits.bank_us,
        )
        return pb.TableMessage(welcome=welcome).SerializeToString()
