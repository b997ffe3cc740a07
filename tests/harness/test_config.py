"""A tournament file: what it may say, what it means when it says nothing, and how it is refused."""

import re
from pathlib import Path

import pytest
from tongits_harness.bots.limits import Limits
from tongits_harness.config import load_config, make_config
from tongits_harness.errors import EXIT_CONFIG, ConfigError
from tongits_harness.play.limits import PlayLimits

BOTS = [{"bot": "a"}, {"bot": "b"}, {"bot": "c"}]
ENTRANTS = '[[entrants]]\nbot = "a"\n[[entrants]]\nbot = "b"\n[[entrants]]\nbot = "c"\n'


def refusal(text: str, tmp_path: Path) -> str:
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{path}: ")


def refused(**settings):
    with pytest.raises(ConfigError) as caught:
        make_config({"entrants": BOTS, **settings}, origin="words")
    return str(caught.value)


def count_of(text):
    """How many values a refusal speaks of."""
    return len(re.findall("cannot be used|is unknown|is missing|needs at least", text))


def test_a_file_with_five_errors_lists_all_of_them_with_their_places(tmp_path):
    text = refusal(
        'rounds = "3"\nseatings = 2\n[limits]\ndecision_s = 0.001\n'
        "[machine]\nprocesses = 2\n" + ENTRANTS + 'name = "a name"\n',
        tmp_path,
    )
    places = [
        "rounds: '3' cannot be used",
        "seatings: 2 cannot be used",
        "limits.decision_s: 0.001 cannot be used",
        "machine.processes: 2 cannot be used",
        "entrants[2].name: 'a name' cannot be used",
    ]
    assert [text.count(place) for place in places] == [1] * 5
    assert [text.index(place) for place in places] == sorted(map(text.index, places))
    assert count_of(text) == 5


def test_too_few_entrants_are_listed_beside_other_errors(tmp_path):
    text = refusal("rounds = 0\nround = 3\n", tmp_path)
    assert count_of(text) == 3
    assert "entrants: a tournament needs at least 3 bots" in text


def test_every_error_says_what_may_stand_there(tmp_path):
    assert "0.02 to 3600" in refused(limits={"decision_s": 0.001})
    assert "1, 3 or 6" in refused(seatings=4)
    assert "64 hex digits" in refused(seed="12")
    assert "32 letters" in refused(entrants=[*BOTS, {"bot": "d", "name": ""}])


def test_an_unknown_key_is_answered_with_the_one_that_was_meant():
    assert "did you mean rounds?" in refused(round=3)
    assert "did you mean bot?" in refused(entrants=[*BOTS, {"bots": "d"}])


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"round": 3}, "round"),
        ({"limits": {"decision": 1.0}}, "limits.decision"),
        ({"machine": {"cores": 2}}, "machine.cores"),
        ({"rules": {"preset": "sa-tong"}}, "rules.preset"),
        ({"entrants": [*BOTS[:2], {"bot": "c", "seat": 1}]}, "entrants[2].seat"),
    ],
)
def test_an_unknown_key_is_an_error_at_every_level(settings, place):
    text = refused(**settings)
    assert text.startswith(f"words: {place}: is unknown; ")
    assert count_of(text) == 1


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"rounds": "3"}, "rounds"),
        ({"rounds": 2.5}, "rounds"),
        ({"games": True}, "games"),
        ({"name": 7}, "name"),
        ({"seatings": "6"}, "seatings"),
        ({"limits": {"start_s": "10"}}, "limits.start_s"),
        ({"limits": 3}, "limits"),
        ({"entrants": "a b c"}, "entrants"),
        ({"entrants": [*BOTS[:2], "c"]}, "entrants[2]"),
        ({"rules": {"overrides": ["layoff.enabled"]}}, "rules.overrides"),
    ],
)
def test_nothing_is_converted_from_another_type(settings, place):
    text = refused(**settings)
    assert text.startswith(f"words: {place}: ")
    assert count_of(text) == 1


@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("", {"rounds": 0, "matches": 0, "games": 1001, "seatings": 4, "name": "../up"}),
        ("", {"seed": "12", "rounds": 10_000_001}),
        ("limits", {"start_s": 0.0, "decision_s": 0.019, "bank_s": 0.0, "faults": -1}),
        ("limits", {"start_s": float("nan"), "bank_s": float("inf"), "memory_mib": 31}),
        ("machine", {"tables": 0, "compute_slots": 0, "processes": 2}),
    ],
)
def test_values_out_of_range_are_all_refused(section, values):
    text = refused(**({section: values} if section else values))
    assert count_of(text) == len(values)
    for key in values:
        assert f"{section}.{key}: ".lstrip(".") in text


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"score.win": 1.5}, "score.win must be a whole number"),
        ({"score": {"win": 1.5}}, "score.win must be a whole number"),
        ({"layoff": {"enable": False}}, "no parameter 'layoff.enable', did you mean"),
        ({"layoff.enabled": 0}, "layoff.enabled must be"),
    ],
)
def test_a_bad_override_is_one_error_at_its_own_name(overrides, words):
    text = refused(rules={"overrides": overrides})
    assert text.startswith("words: rules")
    assert text.count(words) == 1


def test_overrides_may_be_written_as_nested_tables(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(ENTRANTS + "[rules.overrides]\nlayoff.enabled = false\nscore.win = 2\n")
    assert load_config(path).rules.overrides == {"layoff.enabled": False, "score.win": 2}


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_entrants_are_refused_with_what_to_do(count):
    text = refused(entrants=BOTS[:count])
    assert f"needs at least 3 bots, this one has {count}" in text
    assert "[[entrants]]" in text


def test_a_file_without_entrants_is_refused_for_that_alone(tmp_path):
    assert refusal("rounds = 3\n", tmp_path).startswith("entrants: a tournament needs")


def test_a_file_that_is_no_toml_is_named_with_the_line(tmp_path):
    text = refusal("rounds = = 3\n", tmp_path)
    assert text.startswith("not a TOML file: ")
    assert "line 1" in text


def test_bytes_that_are_no_text_are_no_toml(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_bytes(b"rounds = 3\xff\n")
    with pytest.raises(ConfigError, match="not a TOML file"):
        load_config(path)


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_a_file_that_cannot_be_read_is_named_with_what_to_do(tmp_path, name):
    with pytest.raises(ConfigError, match="name an existing tournament file") as caught:
        load_config(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)
    assert caught.value.exit_code == EXIT_CONFIG


def test_what_is_not_said_has_the_stated_defaults():
    config = make_config({"entrants": BOTS}, origin="words")
    assert config.model_dump(exclude={"entrants"}) == {
        "name": "tournament",
        "rounds": 1,
        "matches": None,
        "games": 2,
        "seatings": 6,
        "seed": None,
        "rules": {"name": "tongits-lite", "overrides": {}},
        "limits": {
            "start_s": 10.0,
            "decision_s": 1.0,
            "bank_s": 60.0,
            "faults": 3,
            "memory_mib": 512,
            "processes": 64,
            "tmp_mib": 16,
            "cpu_cores": 1.0,
            "pondering": "on",
        },
        "machine": {"tables": None, "compute_slots": None, "processes": 96, "pause_s": 120.0},
        "format": {"name": "round-robin", "challengers": [], "stage": None, "until": None},
    }
    assert [(entrant.bot, entrant.name) for entrant in config.entrants] == [
        ("a", None),
        ("b", None),
        ("c", None),
    ]


def test_the_defaults_are_those_of_the_parts_they_are_given_to():
    limits = make_config({"entrants": BOTS}, origin="words").limits
    assert limits.play() == PlayLimits()
    assert limits.process() == Limits()


def test_limits_that_are_said_reach_the_parts_they_are_for():
    limits = {"start_s": 3, "decision_s": 0.5, "bank_s": 9.0, "faults": 0}
    sizes = {"memory_mib": 64, "processes": 70, "tmp_mib": 2, "cpu_cores": 0.5, "pondering": "off"}
    section = make_config({"entrants": BOTS, "limits": limits | sizes}, origin="words").limits
    assert section.play() == PlayLimits(3, 0.5, 9.0, 0)
    assert section.process() == Limits(
        memory_mib=64, processes=70, tmp_mib=2, cpu_cores=0.5, may_ponder=False
    )


def test_every_value_the_file_may_give_the_process_limits_is_one_they_take():
    for edge in ({"memory_mib": 32, "processes": 64, "tmp_mib": 1}, {"memory_mib": 1 << 20}):
        make_config({"entrants": BOTS, "limits": edge}, origin="words").limits.process()


def test_what_the_command_line_says_wins_over_the_file(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text("rounds = 3\ngames = 4\n" + ENTRANTS)
    config = load_config(path, {"rounds": 7})
    assert (config.rounds, config.games) == (7, 4)


def test_of_a_table_only_what_the_command_line_names_changes(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(ENTRANTS + "[limits]\nfaults = 1\nbank_s = 5.0\n")
    limits = load_config(path, {"limits": {"faults": 9}}).limits
    assert (limits.faults, limits.bank_s) == (9, 5.0)


def test_overrides_keep_their_types():
    overrides = {"layoff.enabled": False, "score.win": 2, "tie.stock": "none"}
    overrides["deal.cards"] = [13, 12]
    config = make_config({"entrants": BOTS, "rules": {"overrides": overrides}}, origin="words")
    assert config.rules.overrides == overrides
    assert config.rules.overrides["layoff.enabled"] is False


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"name": "swiss"}, "format.name: 'swiss' cannot be used"),
        ({"name": "gauntlet"}, "format: challengers: a gauntlet needs them"),
        (
            {"challengers": ["a"]},
            'format: challengers: round-robin has none: set name = "gauntlet"',
        ),
        ({"stage": 10}, "format: stage: round-robin decides nothing in stages"),
        ({"until": "p(a>b)"}, r"format.until: 'p\(a>b\)' is no condition"),
        ({"name": "informative"}, "format: a tournament that is decided in stages needs a bound"),
        ({"until": "sigma < 1"}, "format: a tournament that is decided in stages needs a bound"),
    ],
)
def test_a_format_that_cannot_be_is_named_with_its_cure(section, message):
    with pytest.raises(ConfigError, match=message):
        make_config({"entrants": BOTS, "format": section}, origin="words")


def test_a_format_is_read_with_its_conditions_put_plainly():
    section = {"name": "gauntlet", "challengers": ["b", "a"], "until": "p(a>b)>.9"}
    config = make_config({"entrants": BOTS, "matches": 9, "format": section}, origin="words")
    assert config.format.make().challengers == ("a", "b")
    assert config.format.until == "p(a>b) > 0.9"
