"""What decides who meets whom, and when a tournament stops: a value, in settings and back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from tongits_harness.errors import ConfigError
from tongits_harness.play.formats.gauntlet import matches_in_pass
from tongits_harness.play.formats.until import Until, read_until
from tongits_harness.play.schedule import matches_in_round

FormatName = Literal["round-robin", "gauntlet", "informative"]
STAGE_MATCHES = 60
"""Matches of a stage unless told otherwise: several times what is played at once."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format with its parameters; `round-robin` to the end unless told otherwise."""

    name: FormatName = "round-robin"
    challengers: tuple[str, ...] = ()
    """Of a gauntlet, by name in sorted order."""
    stage: int | None = None
    """Matches of a stage; None for the default."""
    until: str | None = None
    """Stop early when this holds at the end of a stage."""

    @property
    def has_stages(self) -> bool:
        """Whether what comes next depends on what was played: on the standing at a stage's end."""
        return self.name == "informative" or self.until is not None

    @property
    def stop(self) -> Until | None:
        """The condition of an early stop.

        Raises:
            ValueError: it is none.
        """
        return None if self.until is None else read_until(self.until)

    def stage_matches(self, entrants: int) -> int:
        """Matches of a stage of that many entrants."""
        return self.stage or max(STAGE_MATCHES, 2 * entrants)

    def matches_in_round(self, entrants: int) -> int:
        """Matches until all have met as the format has them meet."""
        if self.name == "gauntlet":
            return matches_in_pass(entrants - len(self.challengers), len(self.challengers))
        return matches_in_round(entrants)

    @property
    def text(self) -> str:
        """The format in a few words."""
        words: str = self.name
        if self.challengers:
            words += f" of {', '.join(self.challengers)}"
        return words if self.until is None else f"{words}, until {self.stop}"


def check_format(played: Format, entrants: tuple[str, ...]) -> None:
    """Does nothing if these entrants can play in this format.

    Raises:
        ConfigError: they cannot; says why and what would.
    """
    known = f"the entrants are {', '.join(sorted(entrants))}"
    if unknown := sorted(set(played.challengers) - set(entrants)):
        raise ConfigError(f"format.challengers: no entrant is called {unknown[0]}; {known}")
    if played.name == "gauntlet" and len(entrants) - len(played.challengers) < 2:
        raise ConfigError(
            "format.challengers: a gauntlet needs a field of at least two entrants that are no"
            f" challengers; {known}"
        )
    if played.stop and (unknown := sorted(played.stop.names - set(entrants))):
        raise ConfigError(f"format.until: no entrant is called {unknown[0]}; {known}")
    if played.name == "informative" and played.stage_matches(len(entrants)) < len(entrants):
        raise ConfigError(
            f"format.stage: {played.stage} matches cannot seat each of {len(entrants)} entrants:"
            f" give at least {len(entrants)}"
        )


def format_settings(played: Format) -> dict[str, object]:
    """What is stored of a format with a tournament: nothing of the default one."""
    if played == Format():
        return {}
    return {
        "format": {
            "name": played.name,
            "challengers": list(played.challengers),
            "stage": played.stage,
            "until": played.until,
        }
    }


def stored_format(settings: Mapping[str, object]) -> Format:
    """The format of a stored tournament; one without is a round robin.

    Raises:
        ConfigError: a format that this version does not know.
    """
    stored = settings.get("format", {"name": "round-robin"})
    if not isinstance(stored, Mapping) or stored.get("name") not in get_args(FormatName):
        raise ConfigError(
            f"the stored tournament has the format {stored!r}, which this version does not know:"
            " upgrade tongits-arena"
        )
    return Format(
        name=cast("FormatName", stored["name"]),
        challengers=tuple(stored.get("challengers", ())),
        stage=stored.get("stage"),
        until=stored.get("until"),
    )
