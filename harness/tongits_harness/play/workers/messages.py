"""What a crew and its workers say to each other: values, and their bytes.

A message is a JSON text after its length in four bytes, most significant first. Everything that
comes in is validated: bytes in, bytes out, nothing is ever executed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from tongits_engine import PARAMETERS, Rules

from tongits_harness import errors
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot, BuiltTree, load_bot
from tongits_harness.errors import CannotContinueError, ConfigError, TongitsError
from tongits_harness.faults import Fault
from tongits_harness.play.hall import HallSetup
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import SessionPlan
from tongits_harness.results.records import SessionRecord
from tongits_harness.results.session_rows import to_json

LENGTH_BYTES = 4
LONGEST = 64 * 1024 * 1024
"""Bytes of a message."""
BEAT_S = 1.0
"""A worker is heard at least that often."""
SILENCE_S = 30.0
"""Without a word for so long a worker is ended: it was stopped, or hangs in the system. A machine
that swaps may keep one quiet for some seconds."""


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """Where the files of an entrant lie on the worker's machine, and what they must be."""

    reference: str
    """Its folder, or its manifest's file."""
    digest: str
    tree: str | None = None
    """Folder of what its build made."""
    tree_digest: str = ""

    @classmethod
    def of(cls, bot: Bot) -> "SeatedBot":
        """A bot that was loaded."""
        tree = bot.tree
        return cls(
            str(bot.reference.resolve()),
            bot.digest,
            str(tree.path.resolve()) if tree else None,
            tree.digest if tree else "",
        )

    def load(self) -> Bot:
        """The bot; what its build made is verified when it is staged.

        Raises:
            ConfigError: It is not there, or has other files than it had.
        """
        bot = load_bot(Path(self.reference))
        if bot.digest != self.digest:
            raise ConfigError(
                f"{self.reference}: has version {bot.digest[:12]}, {self.digest[:12]} was seated; "
                "leave its files alone while it plays"
            )
        if self.tree is None:
            return bot
        return replace(bot, tree=BuiltTree(Path(self.tree), self.tree_digest))


@dataclass(frozen=True, slots=True)
class Order:
    """Everything a worker needs to know before its first session; see `HallSetup`."""

    bots: Mapping[str, SeatedBot]
    rules: str
    parameters: Mapping[str, Any]
    """Of the rules, all of them."""
    games: int
    limits: PlayLimits
    process_limits: Limits
    tables: int
    processes: int
    compute_slots: int
    most_slots: int
    level: str
    """Isolation level; a worker that cannot make it refuses."""

    @classmethod
    def of(cls, setup: HallSetup, level: str) -> "Order":
        """What a hall would be opened with."""
        return cls(
            {name: SeatedBot.of(bot) for name, bot in setup.bots.items()},
            setup.rules.name,
            setup.rules.parameters(),
            setup.games,
            setup.limits,
            setup.process_limits,
            setup.tables,
            setup.processes,
            setup.compute_slots,
            setup.most_slots,
            level,
        )

    def setup(self) -> HallSetup:
        """The same for the worker's own hall.

        Raises:
            ConfigError: A bot is not what it was.
        """
        return HallSetup(
            {name: replace(seated.load(), name=name) for name, seated in self.bots.items()},
            _rules(self.rules, self.parameters),
            self.games,
            self.limits,
            self.process_limits,
            self.tables,
            self.processes,
            self.compute_slots,
            self.most_slots,
        )


@dataclass(frozen=True, slots=True)
class Open:
    """The first message to a worker: open a hall, start these bots once."""

    order: Order
    start: tuple[str, ...] = ()
    kind: Literal["open"] = "open"


@dataclass(frozen=True, slots=True)
class Begin:
    """What chance is drawn from: the tournament's seed, hex, secret while it is played."""

    seed: str
    kind: Literal["begin"] = "begin"


@dataclass(frozen=True, slots=True)
class Know:
    """What the bots said of themselves when they were started: games they hold at once."""

    capacities: Mapping[str, int]
    kind: Literal["know"] = "know"


@dataclass(frozen=True, slots=True)
class Play:
    """Sessions to be played, in this order as far as there is room."""

    sessions: tuple[SessionPlan, ...]
    kind: Literal["play"] = "play"


@dataclass(frozen=True, slots=True)
class Bar:
    """Entrants that are suspended: their matches after these indices cannot count any more."""

    suspended: Mapping[str, int]
    kind: Literal["bar"] = "bar"


@dataclass(frozen=True, slots=True)
class Hold:
    """Finish what is at the tables and give the rest back."""

    kind: Literal["hold"] = "hold"


@dataclass(frozen=True, slots=True)
class Ready:
    """The hall is open."""

    failed: Mapping[str, Fault]
    """Bots that were to be started and did not come up."""
    capacities: Mapping[str, int]
    kind: Literal["ready"] = "ready"


@dataclass(frozen=True, slots=True)
class Finished:
    """A session was played."""

    record: SessionRecord
    kind: Literal["finished"] = "finished"


@dataclass(frozen=True, slots=True)
class Voided:
    """A session could not be judged fairly and is played again."""

    kind: Literal["voided"] = "voided"


@dataclass(frozen=True, slots=True)
class GivenBack:
    """Sessions that will not be played here."""

    sessions: tuple[SessionPlan, ...]
    kind: Literal["given_back"] = "given_back"


@dataclass(frozen=True, slots=True)
class Logged:
    """An event for the log."""

    level: str
    event: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["logged"] = "logged"


@dataclass(frozen=True, slots=True)
class Failed:
    """The worker ends: an error for a person."""

    error: str
    """Name of its class."""
    message: str
    details: tuple[str, ...] = ()
    kind: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True)
class Alive:
    """Said every BEAT_S: the worker is neither stopped nor stuck."""

    kind: Literal["alive"] = "alive"


ToWorker = Open | Begin | Know | Play | Bar | Hold
FromWorker = Ready | Finished | Voided | GivenBack | Logged | Failed | Alive

_CONFIG = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")
_MESSAGES: TypeAdapter[ToWorker | FromWorker] = TypeAdapter(
    Annotated[ToWorker | FromWorker, Field(discriminator="kind")], config=_CONFIG
)


def error_of(failed: Failed) -> TongitsError:
    """What the worker raised, as far as it is one of ours."""
    kind = getattr(errors, failed.error, None)
    if not (isinstance(kind, type) and issubclass(kind, TongitsError)):
        kind = CannotContinueError
    return kind(failed.message, details=failed.details)


class MessageError(ValueError):
    """Bytes that are none of these messages."""


def to_bytes(message: ToWorker | FromWorker) -> bytes:
    """A message with its length before it."""
    if isinstance(message, Finished):
        message = Finished(_sendable(message.record))
    try:
        body = _MESSAGES.dump_json(message)
    except PydanticSerializationError:  # halves of characters: a bot can say such things
        plain = _MESSAGES.dump_python(message, mode="json")
        body = _clean(json.dumps(plain, ensure_ascii=False)).encode()
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def from_bytes(body: bytes) -> ToWorker | FromWorker:
    """The message of a JSON text.

    Raises:
        MessageError: It is none.
    """
    try:
        return _MESSAGES.validate_json(body)
    except ValidationError as error:
        raise MessageError(f"no message of a worker: {error}") from error


def _sendable(record: SessionRecord) -> SessionRecord:
    """With evidence as the database would keep it, and without halves of characters."""
    faults = tuple(
        replace(
            one,
            fault=replace(
                one.fault,
                message=_clean(one.fault.message),
                evidence=json.loads(_clean_json(one.fault.evidence)),
            ),
        )
        for one in record.faults
    )
    return replace(record, faults=faults)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _clean_json(evidence: Mapping[str, object]) -> str:
    plain = json.loads(to_json(dict(evidence)))
    return _clean(json.dumps(plain, ensure_ascii=False))


def _rules(name: str, parameters: Mapping[str, Any]) -> Rules:
    values = {one.field: parameters[one.name] for one in PARAMETERS}
    lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    return Rules(name=name, **{**values, **lists})
