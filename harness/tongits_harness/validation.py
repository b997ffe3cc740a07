"""A validation error in the words of whoever wrote the file: every bad key, its value, the cure."""

import difflib
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from tongits_harness.text import safe_text

_PROBLEMS = {
    "string_pattern_mismatch": "wrong characters or length",
    "string_type": "not a text",
    "int_type": "not a whole number",
    "float_type": "not a number",
    "bool_type": "not true or false",
    "dict_type": "not a table",
    "list_type": "not a list",
    "model_type": "not a table",
    "greater_than_equal": "too small",
    "greater_than": "too small",
    "less_than_equal": "too large",
    "literal_error": "no such choice",
}
_SHOWN = 60


def problems(model: type[BaseModel], error: ValidationError) -> list[str]:
    """One text a bad key; the cure is the description of the model's field."""
    return list(dict.fromkeys(_problem(model, detail) for detail in error.errors()))


def _problem(model: type[BaseModel], detail: ErrorDetails) -> str:
    place = _place(detail["loc"])
    owner, field = _find(model, detail["loc"])
    match detail["type"]:
        case "extra_forbidden":
            return f"{place}: is unknown; {_known(owner, str(detail['loc'][-1]))}"
        case "missing":
            return f"{place}: is missing; {_cure(field)}"
        case "value_error":
            text = detail["msg"].removeprefix("Value error, ")
            return f"{place}: {text}" if place else text
        case kind:
            given = safe_text(repr(detail["input"]))[:_SHOWN]
            told = _PROBLEMS.get(kind, detail["msg"])
            return f"{place}: {given} cannot be used ({told}); {_cure(field)}"


def _place(location: tuple[int | str, ...]) -> str:
    place = ""
    for part in location:
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else str(part)
    return safe_text(place)


def _find(
    model: type[BaseModel], location: tuple[int | str, ...]
) -> tuple[type[BaseModel], FieldInfo | None]:
    """The field a location leads to, and the model that owns (or lacks) it."""
    owner, field = model, None
    for part in location:
        if isinstance(part, int):
            continue
        if field is not None:
            owner = _inner_model(field.annotation) or owner
        field = owner.model_fields.get(part)
    return owner, field


def _inner_model(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401  # any annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((m for part in get_args(annotation) if (m := _inner_model(part))), None)


def _cure(field: FieldInfo | None) -> str:
    return (
        " ".join((field.description or "").split()).rstrip(".")
        if field
        else "see the commented example"
    )


def _known(owner: type[BaseModel], key: str) -> str:
    near = difflib.get_close_matches(key, owner.model_fields, n=1)
    return f"did you mean {near[0]}?" if near else f"known keys: {', '.join(owner.model_fields)}"
