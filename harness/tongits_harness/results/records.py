"""What is stored of a session: values only. The database is made of these, nothing is added."""

from collections.abc import Mapping
from dataclasses import dataclass

from tongits_harness.faults import Fault
from tongits_harness.play.plan import SessionPlan


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: enough to replay it from the shuffle."""

    dealer: int
    deck_digest: str
    """SHA-256 (hex) of the 52 card bytes, top first."""
    actions: tuple[str, ...]
    """Action texts in order, forced ones too."""
    sources: str
    """One letter an action: d = the bot's decision, f = forced (not asked), x = fallback."""
    elapsed_us: tuple[int, ...]
    """Charged thinking time of each action in microseconds; 0 where nobody was asked."""
    notes: Mapping[int, str]
    """Step number -> the bot's note."""
    termination: str
    winner: int | None
    deadwood: tuple[int, int, int]
    burned: tuple[bool, bool, bool]
    payments: tuple[int, int, int]
    """Chips won (+) or paid (-) per seat, without antes and pot."""
    chips: tuple[int, int, int]
    """The same with antes and pot of this game; the rest of the pot is booked in the last game."""
    view_digests: tuple[str, str, str]
    """Per seat: BLAKE2b-128 (hex) over the exact GameStarted and observation bytes sent."""


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat of a session."""

    entrant: str
    chips: int
    """Chips over the session's games, with antes and pot; the three seats sum to 0."""
    forfeited: bool
    """The entrant lost the match by faults in this session."""
    decisions: int
    """Decisions that were asked."""
    latency: Mapping[int, int]
    """Charged microseconds: bucket -> count, bucket b covers [2**(b/4), 2**((b+1)/4))."""
    bank_used_us: int
    incarnations: tuple[str, ...]
    """Ids of the bot processes that held this seat, in order."""


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """A fault where it happened."""

    seat: int
    entrant: str
    game: int
    step: int
    """Index of the action in the game's list that the fault stood in the way of."""
    charged: bool
    """Counts against the entrant (harness faults and voids do not)."""
    forfeit: bool
    """This fault made the entrant forfeit the match."""
    process_lost: bool
    """The bot process ended here; three matches running of these suspend an entrant."""
    fault: Fault
    observation: bytes = b""
    """The exact request being answered (a serialised tongits.v1.DecisionRequest), if any."""


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """One finished session."""

    plan: SessionPlan
    games: tuple[GameRecord, ...]
    seats: tuple[SeatRecord, SeatRecord, SeatRecord]
    faults: tuple[FaultRecord, ...]
    voids: int
    """How often the session was voided by harness trouble and replayed before this record."""
    sandbox: str
    """Isolation level it was played at: full, contained, partial, none."""
    started_at: float
    """Seconds since the epoch; an annotation only, never used for order."""
    finished_at: float


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """An entrant as seated in one tournament."""

    name: str
    version: str
    """Digest of the bot's files (hex)."""
    declared_version: str
    language: str
    source: str
    """Where its folder was when the tournament began, as the organiser gave it."""
    manifest: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """A tournament as it was begun: every setting that its results depend on."""

    name: str
    rules: str
    """Name of the rules value, e.g. tongits-lite."""
    parameters: Mapping[str, object]
    """Every rule parameter by its dotted name."""
    settings: Mapping[str, object]
    """rounds, games, seatings, matches, limits and fault policy, as validated."""
    entrants: tuple[EntrantRecord, ...]
    """Sorted by name."""
    commitment: str
    """SHA-256 (hex) of the committed secret, published before play."""
    matches_planned: int
    created_at: float


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One stage of a tournament whose format decides in stages; see `play.formats`."""

    number: int
    """From 0."""
    first: int
    """Index of its first match."""
    matches: int
    """How many it has; 0 where nothing comes any more."""
    chosen: tuple[tuple[int, int, int, int], ...] = ()
    """For each match the places of its entrants among all by name, and its round; empty where the
    format has its matches in an order of its own."""
    ended: str = ""
    """Why nothing comes any more."""

    @property
    def next_match(self) -> int:
        """Index of the first match after it."""
        return self.first + self.matches
