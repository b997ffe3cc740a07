"""Naming rules: presets, overlays and overrides are taken as they are or refused by name."""

import pytest
from tongits_engine import PARAMETERS, PRESETS, RulesError, rules_named

from tests.engine import oracle
from tests.engine.random_games import NEEDS, VALUES

BASES = ["tongits-lite", "sa-tong", "sa-tong-literal", "tongits-lite-literal"]
OVERLAYS = ["chips-2-4-4", "ngalimba"]


def refusal(name, overrides=None):
    with pytest.raises(RulesError) as caught:
        rules_named(name, overrides)
    return str(caught.value)


def changes(name, base):
    """The parameters in which a preset differs from another."""
    there, here = rules_named(base).parameters(), rules_named(name).parameters()
    return {key: value for key, value in here.items() if value != there[key]}


def test_the_presets_are_the_six_of_the_design():
    assert sorted(PRESETS) == sorted(BASES + OVERLAYS)


@pytest.mark.parametrize("name", [*BASES, *OVERLAYS, "tongits-lite+chips-2-4-4"])
def test_a_preset_has_the_values_of_the_rule_texts(name):
    shown = rules_named(name).parameters()
    expected = oracle.rules_named(name, {})
    assert {key: shown[key] for key in expected} == expected


def test_sa_tong_differs_from_lite_as_the_texts_say():
    assert changes("sa-tong", "tongits-lite") == {
        "deal.next_dealer": "next_seat",
        "deal.direction": "cw",
        "meld.runs": False,
        "meld.face_down": "after_show",
        "layoff.enabled": False,
        "score.set_bonus_scope": "all_sets",
    }


def test_ngalimba_changes_chips_antes_and_the_announcement():
    assert changes("ngalimba", "tongits-lite") == {
        "score.tongits": 2,
        "score.draw_contested": 2,
        "score.set_bonus": 2,
        "pot.ante": 1,
        "pot.ante_payers": "losers",
        "draw.caller_announces_points": True,
    }


def test_chips_2_4_4_alone_stands_on_sa_tong():
    chips = {"score.set_bonus": 2, "score.tongits": 4, "score.draw_contested": 4}
    assert changes("chips-2-4-4", "sa-tong") == chips
    assert changes("tongits-lite+chips-2-4-4", "tongits-lite") == chips


def test_the_literal_presets_follow_the_words_of_the_seeds():
    assert changes("tongits-lite-literal", "tongits-lite") == {"draw.block_self": False}
    assert changes("sa-tong-literal", "sa-tong") == {
        "deal.next_dealer": "previous_seat",
        "first_turn.may_expose": False,
        "deadwood.held_melds_free": False,
        "score.draw_uncontested": 3,
        "score.draw_payers": "all_losers",
        "score.fold_penalty": 1,
    }


@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.parametrize("base", BASES)
def test_an_overlay_stands_on_any_base(base, overlay):
    over = changes(f"{base}+{overlay}", base)
    assert over
    assert set(over) <= set(changes(overlay, rules_of_overlay(overlay)))


def rules_of_overlay(overlay):
    return {"chips-2-4-4": "sa-tong", "ngalimba": "tongits-lite"}[overlay]


@pytest.mark.parametrize("name", sorted(VALUES))
def test_an_override_is_taken_as_it_is_written(name):
    base = "sa-tong" if name in ("meld.runs", "layoff.enabled") else "tongits-lite"
    for value in VALUES[name]:
        needed = {"meld.face_down": "none"} if name == "layoff.enabled" else {}
        if name == "meld.face_down" and value == "after_show":
            needed = {"layoff.enabled": False}
        shown = rules_named(base, {name: value, **needed}).parameters()[name]
        assert (list(shown) if isinstance(shown, tuple) else shown) == value


@pytest.mark.parametrize(
    "name",
    [
        "tongits",
        "",
        "Tongits-Lite",
        " tongits-lite",
        "tongits-lite+",
        "tongits-lite+chips",
        "tongits-lite+sa-tong",
        "+ngalimba",
        "tongits-lite+ngalimba+ngalimba",
    ],
)
def test_an_unknown_variant_is_refused_and_the_known_ones_are_listed(name):
    message = refusal(name)
    assert repr(name) in message
    if "twice" not in message:
        assert all(preset in message for preset in PRESETS)


def test_a_near_miss_is_answered_with_the_right_name():
    assert "did you mean 'tongits-lite'" in refusal("tongit-lite")
    assert "did you mean 'layoff.enabled'" in refusal("sa-tong", {"layof.enabled": True})


BAD_VALUES = [
    ("meld.runs", 1, "false or true"),
    ("meld.runs", "true", "false or true"),
    ("meld.run_max", 2, "3 to 13"),
    ("meld.run_max", 14, "3 to 13"),
    ("meld.run_max", True, "3 to 13"),
    ("meld.max_per_turn", 0, "none"),
    ("meld.face_down", "all", "none, hand_four or after_show"),
    ("tie.stock", "split", "last_drawer_order, recency or none"),
    ("score.ace", -1, "0 to 1000"),
    ("score.ace", 1.0, "0 to 1000"),
    ("score.ace", None, "0 to 1000"),
    ("pot.streak", 0, "1 to 1000"),
    ("deal.cards", [12, 13], "dealer the same or one more"),
    ("deal.cards", [18, 17], "together < 52"),
    ("deal.cards", 13, "[dealer, other]"),
    ("deal.cards", [13, "12"], "[dealer, other]"),
]


@pytest.mark.parametrize(("name", "value", "allowed"), BAD_VALUES)
def test_a_bad_value_is_refused_with_the_values_there_are(name, value, allowed):
    message = refusal("tongits-lite", {name: value})
    assert name in message
    assert allowed in message
    assert repr(value) in message


def test_all_that_is_wrong_is_said_at_once():
    message = refusal(
        "tongits-lite", {"score.ace": -1, "no.such": 1, "meld.run_max": 99, "tie.stock": "x"}
    )
    assert all(part in message for part in ("score.ace", "no.such", "meld.run_max", "tie.stock"))


@pytest.mark.parametrize(("name", "value", "other", "allowed"), NEEDS)
def test_a_combination_without_meaning_is_refused(name, value, other, allowed):
    senseless = next(chosen for chosen in VALUES[other] if chosen not in allowed)
    message = refusal("tongits-lite", {name: value, other: senseless})
    assert name in message
    assert other in message


def test_every_parameter_says_what_it_is_and_its_rule():
    for parameter in PARAMETERS:
        assert parameter.meaning
        assert parameter.rule.startswith("R-")
        assert parameter.allowed


def test_rules_of_one_kind_are_equal_and_others_are_not():
    assert rules_named("sa-tong") == rules_named("sa-tong")
    assert hash(rules_named("sa-tong")) == hash(rules_named("sa-tong"))
    assert rules_named("sa-tong") != rules_named("sa-tong", {"score.ace": 2})
