"""The conditions of an early stop: what can be written, and when it holds."""

import pytest
from tongits_harness.errors import ConfigError
from tongits_harness.play.formats import (
    Format,
    check_format,
    format_settings,
    read_until,
    stored_format,
)
from tongits_harness.play.formats.until import LEAST_MATCHES
from tongits_harness.results.fold import MatchFigures, Standing
from tongits_harness.results.match_result import EntrantOutcome, MatchResult


def standing(matches):
    """After so many matches that a won, b came second in, and c lost."""
    made = Standing("abc", "seed")
    for index in range(matches):
        seats = tuple(
            EntrantOutcome(name, place, 2 - place, 6, False, False)
            for place, name in enumerate("abc", start=1)
        )
        made.add(MatchFigures(MatchResult(index, f"{index}", 0, seats), "full"))
    return made


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("p(a>b) > 0.99", "p(a>b) > 0.99"),
        ("  p( a > b )>.9 ", "p(a>b) > 0.9"),
        ("sigma<0.8", "sigma < 0.8"),
        ("p(x.1>y-2) > 0.5 and sigma < 1", "p(x.1>y-2) > 0.5 and sigma < 1"),
        ("p(and>this-and-that) > 0.75", "p(and>this-and-that) > 0.75"),
    ],
)
def test_conditions_are_read_and_shown(text, shown):
    assert str(read_until(text)) == shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no condition: write for instance"),
        ("p(a>b)", "is no condition"),
        ("p(a>b) > 0.99 or sigma < 1", "is no condition"),
        ("p(a<b) > 0.99", "is no condition"),
        ("sigma > 1", "is no condition"),
        ("p(a>a) > 0.9", "compares a with itself"),
        ("p(a>b) > 0.3", "at least 0.5 and below 1"),
        ("p(a>b) > 1", "at least 0.5 and below 1"),
        ("sigma < 0", "must be above 0"),
        ("sigma < 9", "begins at 8.33"),
    ],
)
def test_what_is_no_condition_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        read_until(text)


def test_a_share_is_believed_from_a_least_number_of_matches():
    until = read_until("p(a>b) > 0.99")
    assert until.verdict(standing(LEAST_MATCHES - 1)) is None
    assert until.verdict(standing(LEAST_MATCHES)) == "p(a>b) > 0.99 holds"
    assert read_until("p(b>a) > 0.5").verdict(standing(LEAST_MATCHES)) is None


def test_all_of_several_must_hold():
    played = standing(LEAST_MATCHES)
    assert read_until("p(a>b) > 0.9 and sigma < 8").verdict(played)
    assert read_until("p(a>b) > 0.9 and sigma < 0.1").verdict(played) is None


@pytest.mark.parametrize(
    ("played", "message"),
    [
        (Format("gauntlet", ("zoe",)), "no entrant is called zoe; the entrants are a, b, c"),
        (Format("gauntlet", ("a", "b")), "a field of at least two"),
        (Format(until="p(a>zoe) > 0.9"), "format.until: no entrant is called zoe"),
        (Format("informative", stage=2), "cannot seat each of 3 entrants"),
    ],
)
def test_a_format_that_does_not_fit_its_entrants_is_refused(played, message):
    with pytest.raises(ConfigError, match=message):
        check_format(played, ("a", "b", "c"))


def test_a_format_is_stored_and_an_old_tournament_is_a_round_robin():
    played = Format("gauntlet", ("a",), 30, "sigma < 1")
    assert stored_format(format_settings(played)) == played
    assert format_settings(Format()) == {}
    assert stored_format({}) == Format()
    with pytest.raises(ConfigError, match="does not know"):
        stored_format({"format": {"name": "swiss"}})
