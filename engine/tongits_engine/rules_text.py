"""A variant in plain text for people: what it sets, and by which rule. Not RULES.md."""

from tongits_engine.parameters import PARAMETERS, shown
from tongits_engine.presets import PRESETS
from tongits_engine.rules import Rules


def describe(rules: Rules) -> str:
    """The rules as plain text: first what differs from ``tongits-lite``, then every parameter."""
    values = rules.parameters()
    defaults = Rules().parameters()
    differing = [name for name, value in values.items() if value != defaults[name]]
    lines = [f"Rules {rules.name}", ""]
    if differing:
        lines.append("Differs from tongits-lite in")
        lines += [
            f"  {name} = {shown(values[name])} (tongits-lite: {shown(defaults[name])})"
            for name in differing
        ]
    else:
        lines.append("Everything is as in tongits-lite.")
    lines += ["", "Every parameter (* = differs; values; rule in RULES.md)"]
    for parameter in PARAMETERS:
        mark = "*" if parameter.name in differing else " "
        lines.append(f"{mark} {parameter.name} = {shown(values[parameter.name])}")
        lines.append(f"      {parameter.meaning}")
        lines.append(
            f"      {parameter.allowed}; default {shown(defaults[parameter.name])}; "
            f"{parameter.rule}"
        )
    lines += ["", f"Presets: {', '.join(PRESETS)}; overlays are written BASE+OVERLAY."]
    return "\n".join(lines) + "\n"
