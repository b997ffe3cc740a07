"""The named variants and how names, overlays and overrides make ``Rules``. No play here."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from tongits_engine.errors import RulesError
from tongits_engine.parameters import PARAMETER_BY_NAME, Value, problems_in
from tongits_engine.rules import Rules

_SA_TONG: Final[Mapping[str, Value]] = {
    "deal.next_dealer": "next_seat",
    "deal.direction": "cw",
    "meld.runs": False,
    "meld.face_down": "after_show",
    "layoff.enabled": False,
    "score.set_bonus_scope": "all_sets",
}

_BASES: Final[Mapping[str, Mapping[str, Value]]] = {
    "tongits-lite": {},
    "sa-tong": _SA_TONG,
    "sa-tong-literal": {
        **_SA_TONG,
        "deal.next_dealer": "previous_seat",
        "first_turn.may_expose": False,
        "deadwood.held_melds_free": False,
        "score.draw_uncontested": 3,
        "score.draw_payers": "all_losers",
        "score.fold_penalty": 1,
    },
    "tongits-lite-literal": {"draw.block_self": False},
}

_OVERLAYS: Final[Mapping[str, Mapping[str, Value]]] = {
    "chips-2-4-4": {"score.set_bonus": 2, "score.tongits": 4, "score.draw_contested": 4},
    "ngalimba": {
        "score.win": 1,
        "score.tongits": 2,
        "score.draw_contested": 2,
        "score.set_bonus": 2,
        "pot.ante": 1,
        "pot.ante_payers": "losers",
        "draw.caller_announces_points": True,
    },
}

_BASE_OF_OVERLAY: Final = {"chips-2-4-4": "sa-tong", "ngalimba": "tongits-lite"}

PRESETS: Final[tuple[str, ...]] = (
    "tongits-lite",
    "sa-tong",
    "chips-2-4-4",
    "ngalimba",
    "sa-tong-literal",
    "tongits-lite-literal",
)
"""Names ``rules_named`` knows. ``chips-2-4-4`` and ``ngalimba`` are overlays: written
``base+overlay`` they go on any other; alone on ``sa-tong`` and ``tongits-lite``."""


def rules_named(name: str, overrides: Mapping[str, object] | None = None) -> Rules:
    """The rules of a variant, with single parameters set otherwise.

    Args:
        name: A preset, or ``base+overlay``, for instance ``tongits-lite+chips-2-4-4``.
        overrides: Values by dotted parameter name, for instance ``{"layoff.enabled": False}``.

    Raises:
        RulesError: naming every unknown name and every value or combination without meaning.
    """
    values: dict[str, object] = {**Rules().parameters(), **_preset_values(name)}
    given = dict(overrides or {})
    problems = [_unknown(key) for key in given if key not in PARAMETER_BY_NAME]
    values.update((key, value) for key, value in given.items() if key in PARAMETER_BY_NAME)
    problems += problems_in(values)
    if problems:
        raise RulesError("; ".join(problems))
    deal = values["deal.cards"]
    if isinstance(deal, list):
        values["deal.cards"] = tuple(deal)
    fields = {PARAMETER_BY_NAME[key].field: value for key, value in values.items()}
    return Rules(name=name, **fields)  # type: ignore[arg-type]  # problems_in has checked them


def _preset_values(name: str) -> dict[str, Value]:
    base, *overlays = name.split("+")
    if not overlays and base in _BASE_OF_OVERLAY:
        base, overlays = _BASE_OF_OVERLAY[base], [base]
    wrong = [] if base in _BASES else [base]
    wrong += [overlay for overlay in overlays if overlay not in _OVERLAYS]
    if wrong or len(set(overlays)) != len(overlays):
        raise RulesError(_unknown_preset(name, wrong))
    values = dict(_BASES[base])
    for overlay in overlays:
        values.update(_OVERLAYS[overlay])
    return values


def _unknown_preset(name: str, wrong: list[str]) -> str:
    if not wrong:
        return f"rules {name!r} name an overlay twice"
    near = [match for part in wrong for match in get_close_matches(part, PRESETS, n=1)]
    hint = f", did you mean {near[0]!r}?" if near and near[0] not in wrong else ""
    known = f"known are {', '.join(PRESETS)} and BASE+OVERLAY with {' or '.join(_OVERLAYS)}"
    return f"there are no rules {name!r}{hint} ({known})"


def _unknown(parameter: object) -> str:
    near = get_close_matches(str(parameter), PARAMETER_BY_NAME, n=1, cutoff=0.4)
    hint = f", did you mean {near[0]!r}?" if near else ""
    return f"there is no parameter {parameter!r}{hint}"
