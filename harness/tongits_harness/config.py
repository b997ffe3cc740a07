"""The tournament file and its defaults: one validated value, whatever the settings came from."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from tongits_engine import Rules, rules_named

from tongits_harness.bots.limits import Limits
from tongits_harness.errors import ConfigError
from tongits_harness.play.formats import Format, FormatName, read_until
from tongits_harness.play.limits import SHORTEST_DECISION_S, PlayLimits
from tongits_harness.results.writer import PAUSE_SECONDS
from tongits_harness.validation import problems

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]


MIN_ENTRANTS = 3


class _Strict(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True
    )


class RulesSection(_Strict):
    """[rules]: which game is played."""

    name: str = "tongits-lite"
    """A preset, or overlays written base+overlay; see `tongits rules`."""
    overrides: dict[str, object] = Field(default_factory=dict)
    """Single parameters by their dotted names; TOML's nested tables mean the same."""

    @field_validator("overrides", mode="before")
    @classmethod
    def _dotted(cls, value: object) -> object:
        return dict(_flatten(value)) if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _known_rules(self) -> "RulesSection":
        self.make()
        return self

    def make(self) -> Rules:
        """The rules meant.

        Raises:
            RulesError: an unknown name, or bad overrides; all are named.
        """
        return rules_named(self.name, self.overrides)


class LimitsSection(_Strict):
    """[limits]: what a bot is granted."""

    start_s: float = Field(10.0, gt=0, le=600)
    """Seconds from start to answered warm-up: more than 0, at most 600."""
    decision_s: float = Field(1.0, ge=SHORTEST_DECISION_S, le=3600)
    """Seconds for one decision: 0.02 to 3600."""
    bank_s: float = Field(60.0, gt=0, le=86400)
    """Seconds for all decisions of a session: more than 0, at most 86400."""
    faults: int = Field(3, ge=0, le=1000)
    """Illegal or late decisions forgiven in a session: 0 to 1000."""
    memory_mib: int = Field(Limits().memory_mib, ge=32, le=1_048_576)
    """MiB of memory of a bot: 32 to 1048576."""
    processes: int = Field(Limits().processes, ge=64, le=4096)
    """Processes and threads of a bot: 64 to 4096."""
    tmp_mib: int = Field(Limits().tmp_mib, ge=1, le=65_536)
    """MiB of a bot's own /tmp: 1 to 65536."""
    cpu_cores: float = Field(Limits().cpu_cores, ge=0.1, le=1024)
    """Cores a bot can keep busy at once, where the machine can hold that: 0.1 to 1024."""
    pondering: Literal["on", "off"] = "on"
    """Whether a bot may compute while nothing is asked of it: on or off."""

    def play(self) -> PlayLimits:
        """Time limits and fault policy."""
        return PlayLimits(self.start_s, self.decision_s, self.bank_s, self.faults)

    def process(self) -> Limits:
        """Resource limits of a bot process."""
        return Limits(
            memory_mib=self.memory_mib,
            processes=self.processes,
            tmp_mib=self.tmp_mib,
            cpu_cores=self.cpu_cores,
            may_ponder=self.pondering == "on",
        )


class MachineSection(_Strict):
    """[machine]: how the run uses this machine; results do not depend on it."""

    tables: int | None = Field(None, ge=1, le=4096)
    """Sessions played at once: 1 to 4096; default: 64 for each entrant, at most one a match."""
    compute_slots: int | None = Field(None, ge=1, le=1024)
    """Bot processes that may think at once: 1 to 1024; default: cores - 1, more if they wait."""
    processes: int = Field(96, ge=3, le=4000)
    """Bot processes alive at once, idle ones are closed beyond it: 3 to 4000."""
    pause_s: float = Field(PAUSE_SECONDS, ge=0, le=86400)
    """Seconds to wait for room when the disk is full, before the run stops: 0 to 86400."""


class FormatSection(_Strict):
    """[format]: who meets whom, and when the tournament may stop."""

    name: FormatName = "round-robin"
    """round-robin, gauntlet (challengers against the others) or informative (in stages, the
    matches that settle most of the ranking)."""
    challengers: list[str] = Field(default_factory=list)
    """Names of the challengers of a gauntlet, a list of texts."""
    stage: int | None = Field(None, ge=1, le=1_000_000)
    """Matches of a stage, at the ends of which it is decided what comes next: 1 to 1000000."""
    until: str | None = None
    """Stop early: 'p(alice>bob) > 0.99', 'sigma < 0.8', or several joined by 'and'."""

    @field_validator("until")
    @classmethod
    def _is_condition(cls, value: str | None) -> str | None:
        return None if value is None else str(read_until(value))

    @model_validator(mode="after")
    def _fits_together(self) -> "FormatSection":
        if self.name == "gauntlet" and not self.challengers:
            raise ValueError(
                'challengers: a gauntlet needs them: add challengers = ["NAME"] or --challenger'
            )
        if self.name != "gauntlet" and self.challengers:
            raise ValueError(f'challengers: {self.name} has none: set name = "gauntlet"')
        if self.stage is not None and not self.make().has_stages:
            raise ValueError(
                f"stage: {self.name} decides nothing in stages: leave it out, or add until"
            )
        return self

    def make(self) -> Format:
        """The format meant."""
        return Format(self.name, tuple(sorted(set(self.challengers))), self.stage, self.until)


class EntrantSection(_Strict):
    """[[entrants]]: one bot."""

    bot: str
    """Its folder (relative to the tournament file), a sample bot, or a submitted one as name@2."""
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$")] | None = None
    """Name at this tournament: up to 32 letters, digits, '_', '.', '-'; default: its bot.toml's."""


class TournamentConfig(_Strict):
    """A whole tournament file."""

    name: Name = "tournament"
    """Name of the tournament: up to 64 letters, digits, '_', '.', '-'."""
    rounds: int = Field(1, ge=1, le=10_000_000)
    """Passes over all triples of entrants: a whole number from 1."""
    matches: int | None = Field(None, ge=1)
    """Play only so many matches, a prefix of the schedule: a whole number from 1."""
    games: int = Field(2, ge=1, le=1000)
    """Games of a session: 1 to 1000."""
    seatings: Literal[1, 3, 6] = 6
    """Orders of seats in which every match is played: 1, 3 or 6."""
    seed: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{64}$")] | None = None
    """The committed secret, 64 hex digits; default: drawn by the operating system."""
    rules: RulesSection = RulesSection()
    """A table [rules] with name and overrides."""
    limits: LimitsSection = LimitsSection()
    """A table [limits]."""
    machine: MachineSection = MachineSection()
    """A table [machine]."""
    format: FormatSection = FormatSection()
    """A table [format] with name, challengers, stage and until."""
    entrants: list[EntrantSection] = Field(default_factory=list, validate_default=True)
    """At least three tables [[entrants]] with bot = "path/to/folder"."""

    @model_validator(mode="after")
    def _is_bounded(self) -> "TournamentConfig":
        if self.format.make().has_stages and not self.model_fields_set & {"matches", "rounds"}:
            raise ValueError(
                "format: a tournament that is decided in stages needs a bound: give matches = N"
                " (or --matches N), the most that it may take"
            )
        return self

    @field_validator("entrants", mode="before")
    @classmethod
    def _enough_entrants(cls, value: object) -> object:
        if isinstance(value, list) and len(value) < MIN_ENTRANTS:
            raise ValueError(
                f"a tournament needs at least {MIN_ENTRANTS} bots, this one has {len(value)}: "
                'add [[entrants]] tables with bot = "path/to/folder", or name more bots'
            )
        return value


def load_config(path: Path, changes: Mapping[str, object] | None = None) -> TournamentConfig:
    """Reads a tournament file; `changes` (from the command line) win over it.

    Raises:
        ConfigError: the file cannot be read or is no TOML, or lists every bad value by key path.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; name an existing tournament file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file: {error}") from None
    return make_config(_merged(data, changes or {}), origin=str(path))


def make_config(data: Mapping[str, object], *, origin: str) -> TournamentConfig:
    """Validates settings; `origin` is named in the error."""
    try:
        return TournamentConfig.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{origin}: {' | '.join(problems(TournamentConfig, error))}") from None


def _merged(data: Mapping[str, object], changes: Mapping[str, object]) -> dict[str, object]:
    """`data` with `changes`; of a table only the keys that are named change."""
    merged = dict(data)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[key] = {**old, **value} if both else value  # type: ignore[dict-item]
    return merged


def _flatten(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
